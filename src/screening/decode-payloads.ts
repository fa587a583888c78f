/** So many encoded stretches of one text are decoded, and so much of each. */
const MAX_PAYLOADS = 40;
const MAX_PAYLOAD_CHARS = 8192;

/** A way in which text is written so that a reader does not see what it says. */
interface Encoding {
  pattern: RegExp;
  decode: (payload: string) => string;
}

const ENCODINGS: readonly Encoding[] = [
  {
    pattern: /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,8192}={0,2}/g,
    decode: (payload) => Buffer.from(payload, "base64").toString("utf8"),
  },
  {
    pattern: /\b(?:[0-9a-f]{2}[ :,]?){16,2048}/gi,
    decode: (payload) => Buffer.from(payload.replace(/[^0-9a-f]/gi, ""), "hex").toString("utf8"),
  },
];

/** Escapes of single characters. A text with so many of one sort is read with all of them replaced. */
const MIN_ESCAPES = 3;
const ESCAPES: readonly RegExp[] = [
  /%([0-9a-f]{2})/gi,
  /\\(?:u\{?|x)([0-9a-f]{2,6})\}?/gi,
  /&#x([0-9a-f]{2,5});/gi,
  /&#(\d{2,6});/g,
];

/** What the encoded stretches of a text say, as far as it is text: base64, hexadecimal, escapes, percent and entities. */
export function decodePayloads(text: string): string[] {
  const decoded: string[] = [];
  for (const { pattern, decode } of ENCODINGS) {
    for (const [payload] of text.matchAll(pattern)) {
      if (decoded.length >= MAX_PAYLOADS) break;
      const plain = decode(payload.slice(0, MAX_PAYLOAD_CHARS));
      if (isText(plain)) decoded.push(plain);
    }
  }
  for (const escape of ESCAPES) {
    if ((text.match(escape)?.length ?? 0) < MIN_ESCAPES) continue;
    const base = escape.source.startsWith("&#(") ? 10 : 16;
    decoded.push(text.replace(escape, (_, code: string) => characterOf(Number.parseInt(code, base))));
  }
  return decoded;
}

/** Mostly letters and blanks: names, hashes and pictures decode to anything but that. */
function isText(plain: string): boolean {
  if (plain.length < 10 || plain.includes("\uFFFD")) return false;
  const letters = plain.match(/[\p{L} ]/gu)?.length ?? 0;
  return letters >= plain.length * 0.6;
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
