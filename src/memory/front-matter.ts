/** A file split into its front matter and its text, with the line numbers to report problems at. */
export interface FrontMatterSplit {
  /** YAML between the `---` lines, or null when the file has none. */
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

/** Front matter longer than this many characters is taken as body: no real memory needs it, a bomb would. */
export const MAX_FRONT_MATTER_CHARS: number = 64 * 1024;

/**
 * Splits a markdown file at its front matter. Accepts a byte order mark, CRLF and CR line ends, trailing blanks
 * after the fences and `...` as the closing fence. Never throws.
 */
export function splitFrontMatter(text: string): FrontMatterSplit {
  const lf = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const whole: FrontMatterSplit = { yaml: null, yamlLine: 1, body: lf, bodyLine: 1, isUnclosed: false };
  const opening = /^---[ \t]*\n/.exec(lf);
  if (!opening) return whole;
  const start = opening[0].length;
  const window = lf.slice(start, start + MAX_FRONT_MATTER_CHARS);
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\n|$)/m.exec(window);
  if (!closing) return { ...whole, isUnclosed: true };
  const yaml = window.slice(0, closing.index);
  return {
    yaml,
    yamlLine: 2,
    body: lf.slice(start + closing.index + closing[0].length),
    bodyLine: 3 + countLines(yaml),
    isUnclosed: false,
  };
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}
