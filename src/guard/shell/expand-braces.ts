import type { WordPart } from "unbash";

/** A word with more braces than this is taken as it is written: each is opened by reading the whole word again. */
const MAX_BRACES = 12;
/** Lists and ranges give so many words at most; of longer ones the braces stay. */
const MAX_WORDS = 64;

/**
 * The texts that a word with braces stands for, each still to be expanded: `a{b,c}` is `ab` and `ac`. The first brace
 * is opened; the others when the texts are expanded in turn. Undefined when it is no list.
 */
export function expandBraces(
  parts: readonly WordPart[],
  wordPos: number,
  text: string,
): string[] | undefined {
  const brace = parts.find(({ type }) => type === "BraceExpansion");
  if (!brace || text.split("{").length - 1 > MAX_BRACES) return undefined;
  const before = text.slice(0, brace.pos - wordPos);
  const after = text.slice(brace.end - wordPos);
  const inner = brace.text.slice(1, -1);
  const items = rangeOf(inner) ?? splitAtCommas(inner);
  if (items.length < 2 || items.length > MAX_WORDS) return undefined;
  return items.map((item) => before + item + after);
}

function rangeOf(inner: string): string[] | undefined {
  const match = /^(-?\d{1,5})\.\.(-?\d{1,5})$/.exec(inner);
  if (!match) return undefined;
  const [from, to] = [Number(match[1]), Number(match[2])];
  const count = Math.abs(to - from) + 1;
  if (count > MAX_WORDS) return [];
  return Array.from({ length: count }, (_, i) => String(from + (to < from ? -i : i)));
}

/** Splits at the commas that stand in no quotes, braces or substitution. */
function splitAtCommas(inner: string): string[] {
  const items: string[] = [];
  let item = "";
  let depth = 0;
  let quote = "";
  for (let i = 0; i < inner.length; i++) {
    const char = inner[i] ?? "";
    if (char === "\\") {
      item += char + (inner[++i] ?? "");
      continue;
    }
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"' || char === "`") quote = char;
    else if (char === "{" || char === "(") depth += 1;
    else if (char === "}" || char === ")") depth -= 1;
    else if (char === "," && depth === 0) {
      items.push(item);
      item = "";
      continue;
    }
    item += char;
  }
  return [...items, item];
}
