import type { Redirection } from "unbash";
import type { Expansion } from "./expand-word.ts";
import { expandBody, expandWhole } from "./expand-word.ts";
import type { RunContext } from "./run-context.ts";
import { keepFile, fileText, noteForeign } from "./run-context.ts";
import { keepSetting } from "./run-git.ts";
import type { ShellWord } from "./shell-word.ts";
import { HOLE, isKnown, knownWord } from "./shell-word.ts";

/** Files in which git's settings lie. */
const GIT_SETTINGS = /(?:^|\/)(?:\.gitconfig|\.?git\/config)$/;

/** What redirections give a command to read, undefined where nobody can tell, and the files into which it writes. */
export function readRedirects(
  redirects: readonly Redirection[],
  given: string | undefined,
  expansion: Expansion,
): { input: string | undefined; writes: ShellWord[] } {
  const writes: ShellWord[] = [];
  let input = given;
  for (const redirect of redirects) {
    if (redirect.type === "HereDoc") {
      const { delimiter, body } = redirect;
      input = delimiter?.quoted || !body.parts ? body.text : expandBody(body.parts, expansion).text;
    } else if (!redirect.target) continue;
    else if (redirect.type === "HereString") input = `${expandWhole(redirect.target, expansion).text}\n`;
    else {
      const file = expandWhole(redirect.target, expansion);
      const isCopy = redirect.operator === ">&" && /^(?:\d+|-)$/.test(file.text);
      if (redirect.operator === "<&") input = undefined;
      else if (redirect.operator === "<")
        input = file.stream ?? (isKnown(file) ? fileText(file.text, expansion.state) : undefined);
      else if (!isCopy && file.text !== "/dev/null") writes.push(file);
    }
  }
  return { input, writes };
}

/** Files that something runs by itself, later. */
const RUN_LATER =
  /(?:^|\/)(?:\.husky\/|(?:\.git\/)?hooks\/|cron|\.?(?:[a-z]*rc|(?:bash_)?(?:profile|login|logout|aliases)|zshenv)$|(?:GNU)?[mM]akefile$|[jJ]ustfile$)/;

/** Remembers what the text itself wrote, for whoever reads it later in the text. */
export function keepWritten(
  writes: readonly ShellWord[],
  output: string | undefined,
  context: RunContext,
): void {
  for (const target of writes) {
    if (target.text === "/dev/null") continue;
    keepFile(target, output ?? HOLE, context.state);
    if (GIT_SETTINGS.test(target.text)) keepSetting("include.path", knownWord(HOLE), context.state);
    if (RUN_LATER.test(target.text)) noteForeign([knownWord(output ?? "")], target.text, context);
  }
}
