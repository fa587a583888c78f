import type { Redirection } from "unbash";
import type { Expansion } from "./expand-word.ts";
import { expandBody, expandWhole } from "./expand-word.ts";
import { fileText } from "./run-context.ts";
import type { ShellWord } from "./shell-word.ts";

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
      else if (redirect.operator === "<") input = file.stream ?? fileText(file, expansion.state);
      else if (!isCopy && file.text !== "/dev/null") writes.push(file);
    }
  }
  return { input, writes };
}
