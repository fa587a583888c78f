import { expect, it } from "vitest";
import { splitWords } from "../../../src/surfaces/cli/terminal/editor.ts";

it.each([
  ["vim", ["vim"]],
  ["code --wait", ["code", "--wait"]],
  ['"/Applications/Sublime Text.app/subl" -w', ["/Applications/Sublime Text.app/subl", "-w"]],
  ["/opt/my\\ editor/bin -x", ["/opt/my editor/bin", "-x"]],
  ["emacs -nw --eval '(setq a \"b c\")'", ["emacs", "-nw", "--eval", '(setq a "b c")']],
  ["C:\\Windows\\notepad.exe", ["C:\\Windows\\notepad.exe"]],
  ["vim ''", ["vim", ""]],
  // No shell: nothing of this is ever run.
  ["vim; rm -rf $HOME `id` $(id)", ["vim;", "rm", "-rf", "$HOME", "`id`", "$(id)"]],
  ["  ", []],
])("splits %j", (setting, words) => {
  expect(splitWords(setting)).toEqual(words);
});
