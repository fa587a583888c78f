import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { FORMATS, requireState, writeVersioned } from "../../machine/versioned-file.ts";
import type { Places } from "../../machine/places.ts";
import { invalidInput } from "../../machine/heed-error.ts";
import { slugOf } from "../../memory/handle.ts";

/** What is kept of a value that was scrubbed: enough to know it again, and nothing that gives it back. */
interface Trace {
  /** Hexadecimal, 16 bytes. */
  salt: string;
  chars: number;
  /** The upper 16 bits of a rolling hash, so that the slow one is asked of few places. */
  filter: number;
  /** scrypt of the value with the salt, hexadecimal. */
  hash: string;
}

const HASH_BYTES = 32;
const MAX_TRACES = 200;
/** Texts are looked at to this length; no memory is longer. */
const MAX_TEXT_CHARS = 1024 * 1024;
/** So many places of one text are asked about: one in 65,000 looks like a value and is none. */
const MAX_TRIES = 200;

/** Values scrubbed on this machine, as salted hashes: what is read from git's history is cleaned of them. */
export class ScrubbedValues {
  readonly #traces: readonly Trace[];
  /** Values that were found: the slow hash is not asked of them in the next text. */
  readonly #found = new Map<Trace, string>();

  /** @throws HeedError `io-failed` where it cannot be told what was scrubbed. */
  constructor(places: Pick<Places, "state">) {
    this.#traces = readTraces(scrubbedFile(places));
  }

  /** The text without any value that was scrubbed. */
  clean(text: string): string {
    let rest = text;
    for (const trace of this.#traces) {
      const found = this.#found.get(trace) ?? findTrace(rest.slice(0, MAX_TEXT_CHARS), trace);
      if (found !== undefined) rest = rest.replaceAll(found, MARK);
      if (found !== undefined) this.#found.set(trace, found);
    }
    return rest;
  }
}

/** Remembers a value that is scrubbed, and its form inside of JSON. Throws what the file system throws. */
export function rememberScrubbed(places: Pick<Places, "state">, value: string): void {
  const plain = value.trim();
  const forms = new Set([plain, JSON.stringify(plain).slice(1, -1)]);
  const known = readTraces(scrubbedFile(places));
  const isKnown = (form: string): boolean => known.some((trace) => findTrace(form, trace) === form);
  const added = [...forms].filter((form) => !isKnown(form)).map(traceOf);
  if (added.length === 0) return;
  const values = [...known, ...added].slice(-MAX_TRACES);
  writeVersioned(scrubbedFile(places), FORMATS.scrubbed, { values });
}

function traceOf(value: string): Trace {
  const salt = randomBytes(16).toString("hex");
  const hash = scryptSync(value, Buffer.from(salt, "hex"), HASH_BYTES).toString("hex");
  return { salt, chars: value.length, filter: rollingOf(value, baseOf(salt)) >>> 16, hash };
}

function findTrace(text: string, { salt, chars, filter, hash }: Trace): string | undefined {
  if (text.length < chars) return undefined;
  const base = baseOf(salt);
  let power = 1;
  for (let i = 1; i < chars; i++) power = Math.imul(power, base);
  let rolling = rollingOf(text.slice(0, chars), base);
  const tried = new Set<string>();
  for (let at = 0; ; at++) {
    if (rolling >>> 16 === filter) {
      const piece = text.slice(at, at + chars);
      if (!tried.has(piece)) {
        if (tried.size >= MAX_TRIES) return undefined;
        tried.add(piece);
        const own = scryptSync(piece, Buffer.from(salt, "hex"), HASH_BYTES);
        if (timingSafeEqual(own, Buffer.from(hash, "hex"))) return piece;
      }
    }
    if (at + chars >= text.length) return undefined;
    rolling = (rolling - Math.imul(text.charCodeAt(at), power)) | 0;
    rolling = (Math.imul(rolling, base) + text.charCodeAt(at + chars)) | 0;
  }
}

/** A polynomial in an odd base, modulo 2^32. */
function rollingOf(text: string, base: number): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, base) + text.charCodeAt(i)) | 0;
  return hash;
}

function baseOf(salt: string): number {
  return Number.parseInt(salt.slice(0, 8), 16) | 1;
}

/** The file of what was scrubbed on this machine. */
export function scrubbedFile({ state }: Pick<Places, "state">): string {
  return join(state, "scrubbed.json");
}

/** An absent file knows nothing. One that cannot be read would let out what it knew. */
function readTraces(file: string): Trace[] {
  const values = requireState(file, FORMATS.scrubbed, "scrub again what the history must not show")?.[
    "values"
  ];
  return Array.isArray(values) ? values.filter(isTrace) : [];
}

function isTrace(value: unknown): value is Trace {
  const { salt, chars, filter, hash } = (value ?? {}) as Partial<Record<keyof Trace, unknown>>;
  return (
    typeof salt === "string" &&
    /^[0-9a-f]{32}$/.test(salt) &&
    typeof chars === "number" &&
    chars > 0 &&
    typeof filter === "number" &&
    typeof hash === "string" &&
    /^[0-9a-f]{64}$/.test(hash)
  );
}

/** Shorter values stand in too many honest places. */
const MIN_CHARS = 6;
/** A private key of 8,192 bits has 6,400. From expressions that a longer one makes V8 runs out of memory, for good. */
const MAX_BYTES = 8 * 1024;
/** Of a longer value no cut beginning is looked for: each character that may be missing is a level of nesting. */
const MAX_CUT_BYTES = 4 * 1024;
/** A slug or the beginning of a value that is shorter than this says too little to be taken for it. */
const MIN_PART_CHARS = 12;
/** What stands for the value afterwards: harmless in YAML, JSON and markdown, in the middle of a word too. */
const MARK = "(scrubbed)";
const SLUG_MARK = "scrubbed";

/**
 * A value that is to be found and replaced in files of any format, in every form in which heed may have written it: as
 * it is, escaped for JSON (once or twice), for YAML and for URLs, as base64 of the whole where that stands alone, with
 * its lines indented or joined, as a name made of it, and its beginning where something was cut to a length.
 *
 * Files are given as Latin-1 strings of their bytes, so that whatever else they hold stays as it is.
 */
export class LeakedValue {
  readonly #forms: readonly { pattern: RegExp; mark: string }[];

  /** @throws HeedError `invalid-input` for a value that is too short or too long. */
  constructor(value: string) {
    const plain = value.replace(/^\s+|\s+$/g, "");
    if (plain.length < MIN_CHARS || Buffer.byteLength(plain) > MAX_BYTES)
      throw invalidInput(
        "value",
        // The value itself is not repeated: errors are logged.
        plain.length,
        `a value of ${plain.length} characters cannot be scrubbed: give ${MIN_CHARS} characters to ${MAX_BYTES} bytes, since it is replaced wherever it is`,
      );
    const quoted = JSON.stringify(plain).slice(1, -1);
    const whole = [
      plain,
      quoted,
      JSON.stringify(quoted).slice(1, -1),
      plain.replaceAll("'", "''"),
      encodeURIComponent(plain),
      encodeURI(plain),
      new URLSearchParams({ v: plain }).toString().slice(2),
    ].map(patternOf);
    const encoded = ["base64", "base64url", "hex"] as const;
    const alone = [plain, `${plain}\n`, value].flatMap((text) =>
      encoded.map(
        (encoding) =>
          `(?<![\\w+/-])${escape(Buffer.from(text).toString(encoding).replace(/=+$/, ""))}={0,2}(?![\\w+/-])`,
      ),
    );
    const slug = slugOf(plain);
    const forms = [...unique([...whole, ...alone])].map((source) => ({
      pattern: new RegExp(source, "g"),
      mark: MARK,
    }));
    if (slug.length >= MIN_PART_CHARS && slug !== plain)
      forms.push({ pattern: new RegExp(escape(latin1(slug)), "gi"), mark: SLUG_MARK });
    const beginning = beginningOf(plain);
    if (beginning !== undefined) forms.push({ pattern: new RegExp(beginning, "g"), mark: MARK });
    this.#forms = forms;
  }

  /** How often the value stands in a text, in any form. */
  count(text: string): number {
    let rest = text;
    let found = 0;
    for (const { pattern, mark } of this.#forms)
      rest = rest.replace(pattern, () => {
        found += 1;
        return mark;
      });
    return found;
  }

  /** The text without the value. */
  replace(text: string): string {
    return this.#forms.reduce((rest, { pattern, mark }) => rest.replace(pattern, mark), text);
  }
}

/** The value with each of its line breaks in any form: escaped, indented, folded into a blank. */
function patternOf(form: string): string {
  return (
    form
      .split(/(?:\r?\n|\\n|\\\\n|%0A)/i)
      // Blanks that indent or fold; another kind of white space is a part of the value.
      .map((line) => line.replace(/^[ \t]+|[ \t]+$/g, ""))
      .filter((line) => line !== "")
      .map((line) => escape(latin1(line)))
      .join("(?:\\s|\\\\{1,2}[nrt]|%0[AaDd]|[>|])+")
  );
}

/** Three fifths of a long value, and as much of the rest as follows: what a cut has left of it. */
function beginningOf(plain: string): string | undefined {
  const length = Math.max(MIN_PART_CHARS, Math.ceil(plain.length * 0.6));
  if (plain.length < length + 4 || /\s/.test(plain)) return undefined;
  if (latin1(plain).length > MAX_CUT_BYTES) return undefined;
  const rest = Array.from(latin1(plain.slice(length)), escape);
  return escape(latin1(plain.slice(0, length))) + rest.reduceRight((tail, char) => `(?:${char}${tail})?`, "");
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function latin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function unique(sources: readonly string[]): Set<string> {
  // The longest first: a form may hold another one.
  return new Set(sources.filter((source) => source !== "").sort((a, b) => b.length - a.length));
}
