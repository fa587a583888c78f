const MAX_DEPTH = 5;
const MAX_ENTRIES = 100;
/** Guards look into commands and what edits bring in: whole source files, not data. */
const MAX_CHARS = 256 * 1024;

/**
 * A copy of parsed JSON in which nothing is deeper than 5 levels or wider than 100 entries, with 256 KiB of text in
 * all: what comes from a tool call may be of any shape and size. What is cut is left out.
 */
export function boundValue(value: unknown): unknown {
  let charsLeft = MAX_CHARS;
  const bound = (part: unknown, depth: number): unknown => {
    if (typeof part === "string") {
      const text = part.slice(0, charsLeft);
      charsLeft -= text.length;
      return text;
    }
    if (typeof part !== "object" || part === null) return part;
    if (depth >= MAX_DEPTH) return undefined;
    if (Array.isArray(part)) {
      return part.slice(0, MAX_ENTRIES).map((item: unknown) => bound(item, depth + 1));
    }
    const entries = Object.entries(part).slice(0, MAX_ENTRIES);
    // Entries are defined, not assigned: a key named __proto__ stays an ordinary key.
    return Object.fromEntries(entries.map(([key, item]) => [key, bound(item, depth + 1)]));
  };
  return bound(value, 0);
}
