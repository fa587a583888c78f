import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { FORMATS } from "../../platform/file-formats.ts";
import type { Places } from "../../platform/places.ts";
import { readVersioned, writeVersioned } from "../../platform/versioned-file.ts";

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
/** Older ones are forgotten. */
const MAX_TRACES = 200;
/** Texts are looked at to this length; no memory is longer. */
const MAX_TEXT_CHARS = 1024 * 1024;
/** So many places of one text are asked about: one in 65,000 looks like a value and is none. */
const MAX_TRIES = 200;
const MARK = "(scrubbed)";

/** Values scrubbed on this machine, as salted hashes: what is read from git's history is cleaned of them. */
export class ScrubbedValues {
  readonly #traces: readonly Trace[];

  constructor(places: Pick<Places, "state">) {
    this.#traces = readTraces(fileOf(places));
  }

  /** The text without any value that was scrubbed. */
  clean(text: string): string {
    let rest = text;
    for (const trace of this.#traces) {
      const found = findTrace(rest.slice(0, MAX_TEXT_CHARS), trace);
      if (found !== undefined) rest = rest.replaceAll(found, MARK);
    }
    return rest;
  }
}

/** Remembers a value that is scrubbed, and its form inside of JSON. Throws what the file system throws. */
export function rememberScrubbed(places: Pick<Places, "state">, value: string): void {
  const plain = value.trim();
  const forms = new Set([plain, JSON.stringify(plain).slice(1, -1)]);
  const known = readTraces(fileOf(places));
  const isKnown = (form: string): boolean => known.some((trace) => findTrace(form, trace) === form);
  const added = [...forms].filter((form) => !isKnown(form)).map(traceOf);
  if (added.length === 0) return;
  const values = [...known, ...added].slice(-MAX_TRACES);
  writeVersioned(fileOf(places), FORMATS.scrubbed, { values });
}

function traceOf(value: string): Trace {
  const salt = randomBytes(16).toString("hex");
  const hash = scryptSync(value, Buffer.from(salt, "hex"), HASH_BYTES).toString("hex");
  return { salt, chars: value.length, filter: rollingOf(value, baseOf(salt)) >>> 16, hash };
}

/** Where a value stands in a text: the text of it. */
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

function fileOf({ state }: Pick<Places, "state">): string {
  return join(state, "scrubbed.json");
}

/** An absent or damaged file knows nothing. */
function readTraces(file: string): Trace[] {
  try {
    const values = readVersioned(file, FORMATS.scrubbed)?.["values"];
    return Array.isArray(values) ? values.filter(isTrace) : [];
  } catch {
    return [];
  }
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
