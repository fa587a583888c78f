/** Texts beyond this many characters are compared by their beginning. */
const MAX_CHARS = 200_000;

/** How much two texts share, 0 to 1: lines in common over the lines of the longer one, blank ones aside. */
export function textLikeness(one: string, other: string): number {
  const a = linesOf(one);
  const b = linesOf(other);
  if (a.length === 0 || b.length === 0) return 0;
  const left = new Map<string, number>();
  for (const line of a) left.set(line, (left.get(line) ?? 0) + 1);
  let shared = 0;
  for (const line of b) {
    const count = left.get(line) ?? 0;
    if (count === 0) continue;
    shared += 1;
    left.set(line, count - 1);
  }
  return shared / Math.max(a.length, b.length);
}

function linesOf(text: string): string[] {
  return text
    .slice(0, MAX_CHARS)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
