/** A file split into its front matter and its text, with the line numbers to report problems at. */
export interface FrontMatterSplit {
  /** YAML between the `---` lines with LF line ends, or null when the file has none. */
  yaml: string | null;
  /** 1-based line of the file on which the YAML begins. */
  yamlLine: number;
  /** The text after the front matter, with LF line ends. */
  body: string;
  /** 1-based line of the file on which the body begins. */
  bodyLine: number;
  /** The opening `---` has no closing one: everything after it is taken as body. */
  isUnclosed: boolean;
}

/** A file cut at its front matter, every character of it kept: the parts joined are the file. */
export interface SourceSplit {
  /** Byte order mark and opening fence with its line end; "" when there is no front matter. */
  opening: string;
  yaml: string;
  /** Closing fence with its line end. */
  closing: string;
  body: string;
  isUnclosed: boolean;
}

/** Front matter longer than this many characters is taken as body: no real memory needs it, a bomb would. */
export const MAX_FRONT_MATTER_CHARS: number = 64 * 1024;

const OPENING = /^\uFEFF?---[ \t]*(?:\r\n?|\n)/;
// No `m` flag: with it, `^` and `$` also match beside U+2028, which stands inside values.
const CLOSING = /(?:^|[\r\n])((?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$))/;

/**
 * Cuts a file at its front matter without changing a character. Accepts a byte order mark, any line ends, trailing
 * blanks after the fences and `...` as the closing fence. Never throws.
 */
export function splitSource(text: string): SourceSplit {
  const whole: SourceSplit = { opening: "", yaml: "", closing: "", body: text, isUnclosed: false };
  const opening = OPENING.exec(text)?.[0];
  if (opening === undefined) return whole;
  const rest = text.slice(opening.length);
  const match = CLOSING.exec(rest.slice(0, MAX_FRONT_MATTER_CHARS));
  if (!match) return { ...whole, isUnclosed: true };
  const yamlLength = match.index + match[0].length - (match[1] ?? "").length;
  // Matched again on the whole text, as the window may end inside the fence's line.
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$)/.exec(rest.slice(yamlLength))?.[0];
  if (closing === undefined) return { ...whole, isUnclosed: true };
  return {
    opening,
    yaml: rest.slice(0, yamlLength),
    closing,
    body: rest.slice(yamlLength + closing.length),
    isUnclosed: false,
  };
}

/** Splits a markdown file at its front matter, line ends made LF and the byte order mark dropped. Never throws. */
export function splitFrontMatter(text: string): FrontMatterSplit {
  const { opening, yaml, body, isUnclosed } = splitSource(text);
  if (opening === "") {
    return { yaml: null, yamlLine: 1, body: toLf(text.replace(/^\uFEFF/, "")), bodyLine: 1, isUnclosed };
  }
  const lf = toLf(yaml);
  return { yaml: lf, yamlLine: 2, body: toLf(body), bodyLine: 3 + countLines(lf), isUnclosed };
}

/** The text of a memory in canonical form: LF line ends, no blank lines before it, no blanks after it. */
export function canonicalBody(text: string): string {
  return toLf(text)
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
}

/** CRLF and CR line ends made LF. */
export function toLf(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** The line end that most lines of a text have. */
export function lineEndOf(text: string): string {
  const crlf = text.split("\r\n").length - 1;
  const lf = text.split("\n").length - 1 - crlf;
  const cr = text.split("\r").length - 1 - crlf;
  if (crlf > lf && crlf >= cr) return "\r\n";
  return cr > lf ? "\r" : "\n";
}

/** A text of line feeds with another line end. */
export function fromLf(text: string, eol: string): string {
  return eol === "\n" ? text : text.replaceAll("\n", eol);
}

/** A text whose last line is ended; an empty one has none. */
export function closeLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
