const MAX_DEPTH = 5;
const MAX_ENTRIES = 100;
const MAX_CHARS = 16 * 1024;

/**
 * A copy of parsed JSON in which nothing is deeper than 5 levels, wider than 100 entries or longer than 16 KiB of
 * text: what comes from a tool call may be of any shape and size. What is cut is left out.
 */
export function boundValue(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return value.slice(0, MAX_CHARS);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return undefined;
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ENTRIES).map((item: unknown) => boundValue(item, depth + 1));
  }
  const entries = Object.entries(value).slice(0, MAX_ENTRIES);
  // Entries are defined, not assigned: a key named __proto__ stays an ordinary key.
  return Object.fromEntries(entries.map(([key, item]) => [key, boundValue(item, depth + 1)]));
}
