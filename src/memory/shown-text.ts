import { defuse, defuseLine, plainBreaks } from "./delimit.ts";
import { redactSecrets } from "./screening/find-secrets.ts";
import { markHidden } from "./screening/hostile-text.ts";

/** What is approved in a line is shown whole, up to this length in characters; longer texts are looked at elsewhere. */
export const MAX_ASKED_CHARS = 1300;

/** A text as shown for approval: without secrets, hidden and look-alike characters marked. */
export function shownText(text: string): string {
  return markHidden(plainBreaks(redactSecrets(text)));
}

/** The same on one line that it cannot break out of, its line breaks marked. */
export function shownLine(text: string): string {
  return defuseLine(shownText(text.trim()).replace(/\s*\n\s*/g, " ⏎ "));
}

/** The same of a text of which nothing is left out; undefined for one that is too long, hides characters or holds a secret. */
export function shownWhole(text: string): string | undefined {
  const lines = plainBreaks(text);
  const shown = shownLine(text);
  const isWhole = defuse(lines).length === lines.length && redactSecrets(text) === text;
  return isWhole && shown.length <= MAX_ASKED_CHARS ? shown : undefined;
}
