/** Text around a match is cut at the nearest blank within this many characters. */
const EDGE_CHARS = 24;
/** Bounds the work on one body. */
const MAX_BODY_CHARS = 65_536;

/** The chunk of a body with the most of the words, at most `maxChars` long; else its beginning. Cheap. */
export function snippetOf(body: string, terms: readonly string[], maxChars: number): string {
  const text = body.slice(0, MAX_BODY_CHARS).replace(/\s+/g, " ").trim();
  if (text.length <= maxChars) return text;
  const lower = text.toLowerCase();
  const places = terms.flatMap((term) => {
    const at = firstWordBeginning(lower, term);
    return at < 0 ? [] : [at];
  });
  const windowOf = (start: number): number =>
    places.filter((at) => at >= start && at < start + maxChars - EDGE_CHARS).length;
  let start = 0;
  for (const at of places.sort((a, b) => a - b)) {
    const candidate = Math.max(0, at - EDGE_CHARS);
    if (windowOf(candidate) > windowOf(start)) start = candidate;
  }
  return cutAtBlanks(text, start, maxChars);
}

function firstWordBeginning(text: string, term: string): number {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    if (at === 0 || !isInsideWord(text.charCodeAt(at - 1))) return at;
  }
  return -1;
}

/** Digits, small letters, and everything beyond ASCII: coarse, but a Unicode class takes longer to set up than to use. */
function isInsideWord(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a) || code > 0x7f;
}

function cutAtBlanks(text: string, start: number, maxChars: number): string {
  const room = maxChars - (start > 0 ? 2 : 0) - 2;
  const blank = start === 0 ? -1 : text.indexOf(" ", start);
  const from = blank >= 0 && blank - start < EDGE_CHARS ? blank + 1 : start;
  const to = Math.min(text.length, from + room);
  const lastBlank = to === text.length ? to : text.lastIndexOf(" ", to);
  const end = lastBlank > to - EDGE_CHARS ? lastBlank : to;
  return `${from > 0 ? "… " : ""}${text.slice(from, end)}${end < text.length ? " …" : ""}`;
}
