import { runsOf, findKeyLines, findColumns } from "./secret-value.ts";
import type { SecretPattern } from "./named-secrets.ts";
import { SCANNED_SECRETS, SECRET_PATTERNS } from "./secret-patterns.ts";

interface FoundSecret {
  kind: string;
  start: number;
  end: number;
}

/** Longer texts are looked at in pieces of this many characters, which bounds what hostile text can cost. */
const WINDOW_CHARS = 64 * 1024;
/** Pieces overlap by this much, the length of a long private key: a secret on the seam is found in the next piece. */
const OVERLAP_CHARS = 8 * 1024;
const AROUND_CHARS = 60;
/** Of 600,000 texts made of secrets and names, one needed a second pass; the bound is for hostile ones. */
const MAX_PASSES = 4;
/** A memory's name behind heed's mark: it is no secret, whatever heed's own line says before it. */
const HANDLE = /(?<!\w)heed:$/;
const NAME = /^[\p{Ll}\p{Lo}\d.-]+$/u;
/** Marks of heed's own: a redacted secret's kind and what shows a hidden character are neither a secret nor its name. */
const OWN_MARK = /(?<=\[redacted: )[a-z-]+(?=\])|‹(?:U\+[0-9A-F]{4,6}|not [a-zA-Z])›/g;

/** Secrets in order, without overlaps, by services' forms and by context; disguised or once encoded ones too. */
export function findSecrets(said: string): FoundSecret[] {
  const text = /\[redacted: |‹/.test(said)
    ? said.replace(OWN_MARK, (mark) => (mark.startsWith("‹") ? " " : "x").repeat(mark.length))
    : said;
  const found: FoundSecret[] = [];
  for (let at = 0; at === 0 || at + OVERLAP_CHARS < text.length; at += WINDOW_CHARS - OVERLAP_CHARS) {
    const piece = text.length <= WINDOW_CHARS ? text : text.slice(at, at + WINDOW_CHARS);
    for (const { kind, start, end } of findInPiece(piece))
      found.push({ kind, start: at + start, end: at + end });
  }
  return withoutOverlaps(found);
}

function findInPiece(text: string): FoundSecret[] {
  const plain = viewOf(text, COLOUR);
  if (plain) {
    const { places } = plain;
    const last = (end: number): number => places[end - 1] ?? 0;
    return findInPiece(plain.text).map(({ kind, start, end }) => ({
      kind,
      start: places[start] ?? 0,
      end: last(end) + 1,
    }));
  }
  const found = findPlain(text);
  const view = viewOf(text, DISGUISE);
  for (const { kind, start, end } of view ? findPlain(view.text) : [])
    found.push({ kind, start: view?.places[start] ?? 0, end: view?.places[end] ?? text.length });
  for (const { start, end, plain } of encodedChunks(text)) {
    const inner = findPlain(plain)[0];
    if (inner) found.push({ kind: inner.kind, start, end });
  }
  return found;
}

let hintTable: HintTable<SecretPattern> | undefined;

function hints(): HintTable<SecretPattern> {
  return (hintTable ??= new HintTable(SECRET_PATTERNS));
}

function findPlain(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  // A pattern goes on behind its last match, as a search from the beginning would.
  const ends = new Map<SecretPattern, number>();
  hints().scan(text, (at, secret) => {
    if (at < (ends.get(secret) ?? 0)) return;
    const range = rangeOf(secret, text, at);
    if (!range) return;
    ends.set(secret, range.end);
    found.push({ kind: secret.kind, ...range });
  });
  for (const secret of SCANNED_SECRETS) {
    const { pattern } = secret;
    pattern.lastIndex = 0;
    // `matchAll` would copy the pattern for each text.
    for (let match; (match = pattern.exec(text));) {
      const range = rangeOf(secret, text, match.index);
      if (range) found.push({ kind: secret.kind, ...range });
    }
  }
  for (const cell of findColumns(text)) found.push({ kind: "password", ...cell });
  for (const lines of findKeyLines(text)) found.push({ kind: "private-key", ...lines });
  return found;
}

function rangeOf(
  { pattern, reach, isBehind, isSecret }: Omit<SecretPattern, "hints">,
  text: string,
  at: number,
): { start: number; end: number } | undefined {
  const before = text.slice(Math.max(0, at - AROUND_CHARS), at);
  // The shorter pattern first: the other one may not have to be compiled.
  const reached = reach?.exec(before);
  if (reach && !reached) return undefined;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (!match) return undefined;
  if (isBehind === true) {
    const value = reached?.[1] ?? "";
    const start = at - before.length + (reached?.index ?? 0) + (reached?.[0].indexOf(value) ?? 0);
    const around = { before: "", lead: match[0], after: match[0] };
    return isSecret?.(value, around) === false ? undefined : { start, end: start + value.length };
  }
  const { value: named, quote } = match.groups ?? {};
  // A sentence goes on behind a value that is not quoted.
  const value = quote === undefined ? (named ?? match[0]).replace(/[\s.,;:?)\]}]+$/, "") : (named ?? "");
  const start = match.index + match[0].lastIndexOf(value);
  const end = start + value.length;
  const around = { before, lead: text.slice(at, start), after: text.slice(end, end + AROUND_CHARS) };
  if (HANDLE.test(text.slice(Math.max(0, start - 6), start)) && NAME.test(value)) return undefined;
  // A value that is no secret may hold one: `token: password=…`.
  if (isSecret?.(value, around) === false) return undefined;
  return { start: start - (reached?.[0].length ?? 0), end };
}

/** Joins secrets that overlap into one; its kind is that of the more telling one. */
function withoutOverlaps(found: readonly FoundSecret[]): FoundSecret[] {
  const merged: FoundSecret[] = [];
  for (const secret of found.toSorted((a, b) => a.start - b.start || b.end - a.end || rank(a) - rank(b))) {
    const last = merged.at(-1);
    if (!last || secret.start >= last.end) {
      merged.push({ ...secret });
      continue;
    }
    if (rank(secret) < rank(last)) last.kind = secret.kind;
    last.end = Math.max(last.end, secret.end);
  }
  return merged;
}

/** `password` says least: whatever else was found there names it better. */
function rank({ kind }: FoundSecret): number {
  if (kind === "password") return 2;
  return kind === "url-password" || kind === "authorization-header" ? 1 : 0;
}

interface PlainView {
  text: string;
  /** For each character of `text`, and for its end, the place in the original. */
  places: Uint32Array;
}

/** Zero-width, full-width, other dashes, percent, entity and escape, a broken line, and the joint of two quoted strings. */
const DISGUISE =
  /[\u00ad\u200b-\u200f\u2060\ufeff]+|[\uff01-\uff5e]|[\u2010\u2011\u2212]|%[2-7][0-9a-f]|&#x?[0-9a-f]{2,6};|&(?:quot|apos);|\\\r?\n|\\{1,2}(?:u\{?00[0-9a-f]{2}\}?|x[0-9a-f]{2})|(["'`])\s{0,4}(?:\+|\.|\.\.|\\)\s{0,4}\1/gi;

// oxlint-disable-next-line no-control-regex -- a terminal's colours begin with one
const COLOUR = /\x1b\[[\d;:]{0,40}m/g;

function viewOf(text: string, disguise: RegExp): PlainView | undefined {
  if (text.search(disguise) < 0) return undefined;
  const places = new Uint32Array(text.length + 1);
  let plain = "";
  let at = 0;
  const keep = (to: number): void => {
    for (let i = at; i < to; i++) places[plain.length + i - at] = i;
    plain += text.slice(at, to);
  };
  for (const match of text.matchAll(disguise)) {
    keep(match.index);
    places[plain.length] = match.index;
    plain += characterOf(match[0]);
    at = match.index + match[0].length;
  }
  keep(text.length);
  places[plain.length] = text.length;
  return { text: plain, places };
}

/** The character behind a disguise; empty for what has no glyph, a colour and a joint. */
function characterOf(disguise: string): string {
  const first = disguise.charCodeAt(0);
  if (first >= 0xff01 && first <= 0xff5e) return String.fromCharCode(first - 0xfee0);
  if (/^[\u2010\u2011\u2212]/.test(disguise)) return "-";
  const digits = /^(?:%|&#|\\{1,2})(?:[ux]\{?)?([0-9a-f]+)/i.exec(disguise)?.[1];
  if (digits === undefined) return "";
  const code = Number.parseInt(digits, /^&#\d/.test(disguise) ? 10 : 16);
  return code >= 0x20 && code < 0x10000 ? String.fromCharCode(code) : " ";
}

const MAX_CHUNKS = 200;
const CHUNK_CHARS = { least: 24, most: 8192 };
/** Only what begins so can be text: tells nearly all words and paths without decoding them. */
const BEGINS_AS_TEXT = { hex: /^(?:0[9ad]|[2-7].){12}/i, base64: /^(?:[CDI-Za-f]...){6}/ };

function encodedChunks(text: string): { start: number; end: number; plain: string }[] {
  const found: { start: number; end: number; plain: string }[] = [];
  const { least, most } = CHUNK_CHARS;
  let looked = 0;
  for (const run of runsOf(text, least)) {
    const padding = text.startsWith("==", run.end) ? 2 : text[run.end] === "=" ? 1 : 0;
    for (let start = run.start; run.end - start >= least; start += most) {
      const end = start + most < run.end ? start + most : run.end + padding;
      const chunk = text.slice(start, end);
      for (const encoding of ["hex", "base64"] as const) {
        if (encoding === "hex" && !/^[0-9a-f]+$/i.test(chunk)) continue;
        // A look at the beginning tells most names, hashes and pictures.
        if (!BEGINS_AS_TEXT[encoding].test(chunk)) continue;
        if (!isPrintable(Buffer.from(chunk.slice(0, 24), encoding))) continue;
        if (++looked > MAX_CHUNKS) return found;
        const bytes = Buffer.from(chunk, encoding);
        if (isPrintable(bytes)) found.push({ start, end, plain: bytes.toString("latin1") });
      }
    }
  }
  return found;
}

function isPrintable(bytes: Buffer): boolean {
  return bytes.every(
    (byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09,
  );
}

/** The text with each secret in it replaced by its kind: `[redacted: token]`. Twice changes nothing more. */
export function redactSecrets(text: string): string {
  let clean = text;
  // What stood beside a secret may show as one once that is gone.
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const found = findSecrets(clean);
    if (found.length === 0) break;
    let at = 0;
    const parts = found.map(({ kind, start, end }) => {
      const before = clean.slice(at, start);
      at = end;
      return `${before}[redacted: ${kind}]`;
    });
    clean = parts.join("") + clean.slice(at);
  }
  return clean;
}

/** Longer texts are seldom said twice in one value. */
const MAX_KNOWN_CHARS = 64;

/** A value without secrets, text by text: as JSON, a `token` beside an id would look like one. */
export function redactValue<T>(
  value: T,
  redact: (text: string) => string = redactSecrets,
  // Thousands of rows have the same keys, types and tags.
  known: Map<string, string> = new Map(),
): T {
  const redactedText = (text: string): string => {
    if (text.length > MAX_KNOWN_CHARS) return redact(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    const clean = redact(text);
    known.set(text, clean);
    return clean;
  };
  const redacted = (inner: unknown): unknown => {
    if (typeof inner === "string") return redactedText(inner);
    if (typeof inner !== "object" || inner === null || inner instanceof Date) return inner;
    if (Array.isArray(inner)) return inner.map(redacted);
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [redactedText(key), redacted(one)]));
  };
  return redacted(value) as T;
}

/** The beginning of a text for a message: what is cut through the middle of a secret is known for one no more. */
export function cutShown(text: string, maxChars: number): string {
  return redactSecrets(text).slice(0, maxChars);
}

const FOLDED: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) =>
  code >= 65 && code <= 90 ? code + 32 : code & 127,
);

const KEY_MASK = (1 << 21) - 1;
const HASHES = 1 << 14;

/** Finds many literals in one pass, ASCII case ignored: ten times faster than one by one or by one expression. */
export class HintTable<T extends { hints: string }> {
  /** Whether some literal may begin with three characters, by a hash of them: passes over nearly all places. */
  readonly #isBeginning = new Uint8Array(HASHES);
  readonly #byBeginning = new Map<number, { hint: string; value: T }[]>();

  constructor(all: readonly T[]) {
    for (const value of all) {
      for (const hint of value.hints.split("|")) {
        const key = keyOf(fold(hint, 0), fold(hint, 1), fold(hint, 2));
        this.#isBeginning[hashOf(key)] = 1;
        const known = this.#byBeginning.get(key);
        if (known) known.push({ hint, value });
        else this.#byBeginning.set(key, [{ hint, value }]);
      }
    }
  }

  /** Calls `visit` for each place of a literal, in the order of the text. */
  scan(text: string, visit: (at: number, value: T) => void): void {
    const isBeginning = this.#isBeginning;
    const { length } = text;
    let key = keyOf(0, fold(text, 0), fold(text, 1));
    for (let at = 0; at + 2 < length; at++) {
      // `fold` and `hashOf`, written out: most processes end before V8 would do that.
      const code = text.charCodeAt(at + 2);
      key = ((key << 7) | (FOLDED[code < 128 ? code : 128 | (code & 127)] ?? 0)) & KEY_MASK;
      if (isBeginning[(key ^ (key >>> 7)) & (HASHES - 1)] !== 1) continue;
      const entries = this.#byBeginning.get(key);
      if (!entries) continue;
      for (const { hint, value } of entries) if (standsAt(text, at, hint)) visit(at, value);
    }
  }
}

function fold(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (FOLDED[code] ?? 0) : code & 127;
}

function keyOf(first: number, second: number, third: number): number {
  return (first << 14) | (second << 7) | third;
}

function hashOf(key: number): number {
  return (key ^ (key >>> 7)) & (HASHES - 1);
}

function standsAt(text: string, at: number, hint: string): boolean {
  for (let i = 3; i < hint.length; i++) if (fold(text, at + i) !== fold(hint, i)) return false;
  return true;
}
