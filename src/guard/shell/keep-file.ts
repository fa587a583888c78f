import { absolutePath, noteForeign } from "./run-context.ts";
import type { RunContext } from "./run-context.ts";
import type { ShellWord } from "./shell-word.ts";
import { HOLE, isKnown, knownWord } from "./shell-word.ts";

/** Files in which git's settings lie. */
const GIT_SETTINGS = /(?:^|\/)(?:\.gitconfig|\.?git\/config)$/;

/** Files that something runs by itself, later. */
const RUN_LATER =
  /(?:^|\/)(?:\.husky\/|(?:\.git\/)?hooks\/|cron|\.?(?:[a-z]*rc|(?:bash_)?(?:profile|login|logout|aliases)|zshenv)$|(?:GNU)?[mM]akefile$|[jJ]ustfile$)/;

/** Keeps the text that the script itself wrote to a file, for whoever reads it later in the text. */
export function keepFile(file: ShellWord, text: string, context: RunContext): void {
  const { state } = context;
  const path = isKnown(file) ? absolutePath(file.text, state.cwd) : undefined;
  if (path === "/dev/null") return;
  state.files.set(path ?? HOLE, path === undefined ? HOLE : text);
  if (GIT_SETTINGS.test(file.text)) state.settings.set("include.path", knownWord(HOLE));
  if (RUN_LATER.test(file.text)) noteForeign([knownWord(text)], file.text, context);
}
