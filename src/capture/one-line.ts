/** A text on one line, at most so many characters; an ellipsis says that it was cut. */
export function oneLine(text: string, maxChars: number): string {
  // Of a long text only the beginning is folded; blanks may shrink.
  const line = text
    .slice(0, maxChars * 4 + 200)
    .replace(/\s+/g, " ")
    .trim();
  if (line.length <= maxChars) return line;
  const last = line.charCodeAt(maxChars - 2);
  return `${line.slice(0, last >= 0xd800 && last <= 0xdbff ? maxChars - 2 : maxChars - 1).trimEnd()}…`;
}

/** Adds to a list that keeps its last `max` items. */
export function pushBounded<T>(list: T[], item: T, max: number): void {
  list.push(item);
  if (list.length > max) list.shift();
}
