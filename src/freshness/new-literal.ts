/** So many characters of a line around a literal tell where it stood. */
const MAX_AROUND = 200;

/**
 * What stands where a literal stood: the text between the same words of the same line. Undefined when the line is gone or
 * differs around the literal too.
 */
export function newLiteral(literal: string, before: string, now: string): string | undefined {
  const at = before.indexOf(literal);
  if (at < 0 || literal.includes("\n")) return undefined;
  const lineStart = before.lastIndexOf("\n", at) + 1;
  const end = before.indexOf("\n", at);
  const prefix = before.slice(Math.max(lineStart, at - MAX_AROUND), at);
  const suffix = before
    .slice(at + literal.length, Math.min(end < 0 ? before.length : end, at + literal.length + MAX_AROUND))
    .replace(/\r$/, "");
  if (prefix.trim().length + suffix.trim().length < 4) return undefined;
  const lines = now
    .split(/\r?\n/)
    .filter(
      (line) =>
        line.length > prefix.length + suffix.length && line.startsWith(prefix) && line.endsWith(suffix),
    );
  const found = new Set(lines.map((line) => line.slice(prefix.length, line.length - suffix.length)));
  // Lines that were there before are others of the same form.
  for (const line of before.split(/\r?\n/))
    if (line.startsWith(prefix) && line.endsWith(suffix))
      found.delete(line.slice(prefix.length, line.length - suffix.length));
  const [first] = found;
  return found.size === 1 && first !== undefined && first.trim() !== "" ? first : undefined;
}
