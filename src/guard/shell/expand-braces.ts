import type { WordPart } from "unbash";

/** Lists and ranges give so many words at most; a word with more braces is not told. */
const MAX_WORDS = 64;
const MAX_BRACES = 12;
/** A list or range without quotes and braces in it. */
const BRACES = /\{(?:([^{}'"`\\$()]*,[^{}'"`\\$()]*)|(-?\d{1,5})\.\.(-?\d{1,5}))\}/;

/**
 * The texts that a word with braces stands for, each still to be expanded: `a{b,c}` is `ab` and `ac`. One brace is
 * opened; the others when the texts are expanded in turn. Undefined when it cannot be told.
 */
export function expandBraces(
  parts: readonly WordPart[],
  wordPos: number,
  text: string,
): string[] | undefined {
  const brace = parts.find(({ type }) => type === "BraceExpansion");
  if (!brace || text.split("{").length - 1 > MAX_BRACES) return undefined;
  const at = brace.pos - wordPos;
  const [found, list, from, to] = BRACES.exec(brace.text) ?? [];
  if (found === undefined) return undefined;
  const items = list?.split(",") ?? rangeOf(Number(from), Number(to));
  if (items.length > MAX_WORDS) return undefined;
  const start = at + brace.text.indexOf(found);
  return items.map((item) => text.slice(0, start) + item + text.slice(start + found.length));
}

function rangeOf(from: number, to: number): string[] {
  const count = Math.min(Math.abs(to - from), MAX_WORDS) + 1;
  return Array.from({ length: count }, (_, i) => String(from + (to < from ? -i : i)));
}
