/** Longer texts are not read, in characters: the parser needs the square of the depth of what it reads. */
export const MAX_SHELL_CHARS: number = 64 * 1024;
/** So many here-documents and expansions a text may have for the same reason; whole programs stay far below. */
const MAX_HEREDOCS = 1000;
const MAX_EXPANSIONS = 2000;

/** Why a text is too much to be read, or undefined. */
export function whyNotRead(source: string): string | undefined {
  if (source.length > MAX_SHELL_CHARS)
    return `the text has ${source.length} characters, ${MAX_SHELL_CHARS} at most are read`;
  if (count(source, "<<") > MAX_HEREDOCS) return `the text has more than ${MAX_HEREDOCS} here-documents`;
  if (count(source, "${") + count(source, "$(") > MAX_EXPANSIONS)
    return `the text has more than ${MAX_EXPANSIONS} expansions`;
  return undefined;
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found += 1;
  return found;
}
