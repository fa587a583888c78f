const MAX_DEPTH = 5;
const MAX_ENTRIES = 100;
/** Guards look into commands and what edits bring in: whole source files, not data. */
const MAX_CHARS = 256 * 1024;
/** A shorter text is kept whole: the name of a file is never cut, whatever stands before it. */
const SHORT_CHARS = 4096;

/** What is left of a value, and what is missing: whole entries, or the ends of long texts alone. */
export interface Bounded {
  value: unknown;
  cut?: "entries" | "text";
}

/**
 * A copy of parsed JSON in which nothing is deeper than 5 levels or wider than 100 entries, with 256 KiB of long
 * texts in all: what comes from a tool call may be of any shape and size. What is cut is told.
 */
export function boundValue(whole: unknown): Bounded {
  let charsLeft = MAX_CHARS;
  let [lacksEntries, lacksText] = [false, false];
  const some = <T>(entries: readonly T[]): readonly T[] => {
    lacksEntries ||= entries.length > MAX_ENTRIES;
    return entries.slice(0, MAX_ENTRIES);
  };
  const bound = (part: unknown, depth: number): unknown => {
    if (typeof part === "string") {
      const text = part.length < SHORT_CHARS ? part : part.slice(0, charsLeft);
      charsLeft = Math.max(0, charsLeft - text.length);
      lacksText ||= text.length < part.length;
      return text;
    }
    if (typeof part !== "object" || part === null) return part;
    if (depth >= MAX_DEPTH) {
      lacksEntries = true;
      return undefined;
    }
    if (Array.isArray(part)) return some(part).map((item) => bound(item, depth + 1));
    // Entries are defined, not assigned: a key named __proto__ stays an ordinary key.
    return Object.fromEntries(some(Object.entries(part)).map(([key, item]) => [key, bound(item, depth + 1)]));
  };
  const value = bound(whole, 0);
  return { value, ...(lacksEntries ? { cut: "entries" } : lacksText ? { cut: "text" } : {}) };
}
