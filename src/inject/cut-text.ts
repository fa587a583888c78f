/**
 * Shortens text to `maxChars` UTF-16 units with the ellipsis: at a word's end if near, never in a surrogate
 * pair.
 */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  if (maxChars < 1) return "";
  let end = maxChars - 1;
  const blank = text.lastIndexOf(" ", end);
  // A cut at a blank is kinder to the reader, but must not cost more than an eighth of the room.
  if (blank > end * 0.875) end = blank;
  if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
  return `${text.slice(0, end).trimEnd()}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
