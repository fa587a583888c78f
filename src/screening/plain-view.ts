/** A text as it reads once its disguise is taken off, with where each of its characters stood. */
export interface PlainView {
  text: string;
  /** For each character of `text`, and for its end, the place in the original. */
  places: Uint32Array;
}

/** Zero-width, full-width, other dashes, percent, entity and escape, a broken line, and the joint of two quoted strings. */
const DISGUISE =
  /[\u00ad\u200b-\u200f\u2060\ufeff]+|[\uff01-\uff5e]|[\u2010\u2011\u2212]|%[2-7][0-9a-f]|&#x?[0-9a-f]{2,6};|&(?:quot|apos);|\\\r?\n|\\{1,2}(?:u\{?00[0-9a-f]{2}\}?|x[0-9a-f]{2})|(["'`])\s{0,4}(?:\+|\.|\.\.|\\)\s{0,4}\1/gi;

/**
 * The text with every disguise taken off that is read through without thinking: characters without width, full-width
 * ones, percent encoding, entities, escapes, strings that are put together. Undefined when there is none.
 */
export function plainView(text: string): PlainView | undefined {
  if (text.search(DISGUISE) < 0) return undefined;
  const places = new Uint32Array(text.length + 1);
  let plain = "";
  let at = 0;
  const keep = (to: number): void => {
    for (let i = at; i < to; i++) places[plain.length + i - at] = i;
    plain += text.slice(at, to);
  };
  for (const match of text.matchAll(DISGUISE)) {
    keep(match.index);
    places[plain.length] = match.index;
    plain += characterOf(match[0]);
    at = match.index + match[0].length;
  }
  keep(text.length);
  places[plain.length] = text.length;
  return { text: plain, places };
}

/** The one character that a disguise stands for; none for what has no glyph and for a joint. */
function characterOf(disguise: string): string {
  const first = disguise.charCodeAt(0);
  if (first >= 0xff01 && first <= 0xff5e) return String.fromCharCode(first - 0xfee0);
  if (/^[\u2010\u2011\u2212]/.test(disguise)) return "-";
  const digits = /^(?:%|&#|\\{1,2})(?:[ux]\{?)?([0-9a-f]+)/i.exec(disguise)?.[1];
  if (digits === undefined) return "";
  const code = Number.parseInt(digits, /^&#\d/.test(disguise) ? 10 : 16);
  return code >= 0x20 && code < 0x10000 ? String.fromCharCode(code) : " ";
}

/** So many encoded stretches of one piece are looked into. */
const MAX_STRETCHES = 200;
const STRETCH = /[A-Za-z0-9+/_-]{24,8192}={0,2}/g;

/** The stretches of a text that are base64 or hexadecimal of text, with what they say. */
export function encodedStretches(text: string): { start: number; end: number; plain: string }[] {
  const found: { start: number; end: number; plain: string }[] = [];
  let looked = 0;
  for (const { 0: stretch, index } of text.matchAll(STRETCH)) {
    if (looked >= MAX_STRETCHES) break;
    for (const encoding of /^[0-9a-f]+$/i.test(stretch)
      ? (["hex", "base64"] as const)
      : (["base64"] as const)) {
      // A look at the beginning tells most names, hashes and pictures.
      if (!isPrintable(Buffer.from(stretch.slice(0, 24), encoding))) continue;
      looked += 1;
      const bytes = Buffer.from(stretch, encoding);
      if (isPrintable(bytes))
        found.push({ start: index, end: index + stretch.length, plain: bytes.toString("latin1") });
    }
  }
  return found;
}

function isPrintable(bytes: Buffer): boolean {
  return bytes.every(
    (byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09,
  );
}
