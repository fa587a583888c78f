/*
 * Most front matter is a few lines of `key: value`. Reading those without a YAML library makes a scan of many files
 * several times faster and keeps the library out of processes that live for one hook. Whatever is beyond the plain part of
 * the language, or wrong, is left to the library: this reader then gives undefined, never a guess.
 */

/** Flow collections deeper than this are left to the library. */
const MAX_DEPTH = 8;

const KEY = /^ *([A-Za-z_][\w-]*):(?: +(.*))?$/;
const ITEM = /^ *- +(.+)$/;
/** How an unquoted text may begin so that it is no quote, anchor, tag, list or the like. */
const PLAIN = /^[A-Za-z0-9\u00A1-\uFEFE$(/;^_+.<=][^\t\n]*$/;
/** What YAML takes for something else than text. */
const WORD = /^(?:null|true|false|[-+]?\.(?:inf|nan))$/i;
const NUMBER = /^(?:[-+]?\d+|0o[0-7]+|0x[0-9a-f]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?)$/i;

interface Line {
  indent: number;
  text: string;
}

/**
 * Reads front matter in plain block style, flow lists and maps included, as YAML 1.2 does. Undefined for anything else:
 * anchors, tags, block scalars, values over several lines, duplicate keys, errors of any kind.
 */
export function readPlainYaml(yaml: string): Record<string, unknown> | undefined {
  const lines: Line[] = [];
  for (const raw of yaml.split("\n")) {
    const text = withoutTrailingSpaces(raw);
    if (/^ *(?:#|$)/.test(text)) continue;
    lines.push({ indent: text.length - text.trimStart().length, text });
  }
  const reader = new PlainReader(lines);
  try {
    const value = lines.length === 0 ? {} : reader.map(0, 0);
    return reader.isAtEnd() ? value : undefined;
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

/** Not by a regular expression: `/ +$/` is quadratic on a long run of spaces in the middle. */
function withoutTrailingSpaces(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 32) end -= 1;
  return text.slice(0, end);
}

/** Thrown inside this file alone, to give up from any depth. */
class NotPlain extends Error {}

class PlainReader {
  readonly #lines: readonly Line[];
  #at = 0;

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  isAtEnd(): boolean {
    return this.#at === this.#lines.length;
  }

  map(indent: number, depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    for (let line = this.#peek(); line && line.indent === indent; line = this.#peek()) {
      const match = KEY.exec(line.text);
      const key = match?.[1] ?? "";
      if (!match || key === "__proto__" || Object.hasOwn(map, key) || isWord(key)) throw new NotPlain();
      this.#at += 1;
      map[key] = this.#value(match[2] ?? "", indent, depth);
    }
    return map;
  }

  #value(text: string, indent: number, depth: number): unknown {
    const next = this.#peek();
    if (text !== "") {
      // A deeper line would continue the value.
      if (next && next.indent > indent) throw new NotPlain();
      return readInline(text);
    }
    if (!next || depth >= MAX_DEPTH) return nothing(next, indent);
    const isItem = /^ *-(?: |$)/.test(next.text);
    if (isItem && next.indent >= indent) return this.#list(next.indent);
    if (next.indent > indent) return this.map(next.indent, depth + 1);
    return null;
  }

  #list(indent: number): unknown[] {
    const items: unknown[] = [];
    for (let line = this.#peek(); line && line.indent === indent; line = this.#peek()) {
      const match = ITEM.exec(line.text);
      if (!match) break;
      const text = match[1] ?? "";
      // `- key: value` is a map, `- - x` a list.
      if (text.startsWith("- ") || text === "-") throw new NotPlain();
      this.#at += 1;
      items.push(readInline(text));
    }
    const next = this.#peek();
    if (next && next.indent > indent) throw new NotPlain();
    return items;
  }

  #peek(): Line | undefined {
    return this.#lines[this.#at];
  }
}

function nothing(next: Line | undefined, indent: number): null {
  if (next && next.indent > indent) throw new NotPlain();
  return null;
}

function isWord(text: string): boolean {
  return WORD.test(text) || NUMBER.test(text);
}

/** A value that stands on one line. */
function readInline(text: string): unknown {
  const first = text.charAt(0);
  if (first === "[" || first === "{") return new FlowReader(text).whole();
  if (first === '"' || first === "'") {
    const { value, end } = readQuoted(text, 0);
    if (end !== text.length) throw new NotPlain();
    return value;
  }
  const isText = PLAIN.test(text) && !/: |:$| #/.test(text) && !isWord(text) && !text.includes("\uFEFF");
  if (isText) return text;
  if (text === "true" || text === "false") return text === "true";
  if (text === "null") return null;
  throw new NotPlain();
}

/** A quoted text that begins at an offset, and where it ends. */
function readQuoted(text: string, start: number): { value: string; end: number } {
  const quote = text.charAt(start);
  if (quote === "'") {
    let end = start + 1;
    for (;;) {
      end = text.indexOf("'", end);
      if (end < 0) throw new NotPlain();
      if (text.charAt(end + 1) !== "'") break;
      end += 2;
    }
    return { value: text.slice(start + 1, end).replaceAll("''", "'"), end: end + 1 };
  }
  let end = start + 1;
  while (end < text.length && text.charAt(end) !== '"') end += text.charAt(end) === "\\" ? 2 : 1;
  if (end >= text.length) throw new NotPlain();
  const raw = text.slice(start, end + 1);
  if (!raw.includes("\\")) return { value: raw.slice(1, -1), end: end + 1 };
  try {
    // The escapes of JSON mean the same in YAML; the others make it throw.
    return { value: JSON.parse(raw) as string, end: end + 1 };
  } catch {
    throw new NotPlain();
  }
}

/** Reads `[…]` and `{…}` on one line. */
class FlowReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): unknown {
    const value = this.#value(0);
    if (this.#at !== this.#text.length) throw new NotPlain();
    return value;
  }

  #value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new NotPlain();
    this.#skipBlanks();
    const first = this.#text.charAt(this.#at);
    if (first === "[") return this.#list(depth);
    if (first === "{") return this.#map(depth);
    if (first === '"' || first === "'") return this.#quoted();
    return readInline(this.#plain());
  }

  #list(depth: number): unknown[] {
    const items: unknown[] = [];
    this.#at += 1;
    while (!this.#takes("]")) {
      items.push(this.#value(depth + 1));
      if (!this.#takes(",") && !this.#sees("]")) throw new NotPlain();
    }
    return items;
  }

  #map(depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    this.#at += 1;
    while (!this.#takes("}")) {
      this.#skipBlanks();
      const key = /^[A-Za-z_][\w-]*(?=: )/.exec(this.#text.slice(this.#at, this.#at + 80))?.[0];
      if (key === undefined || key === "__proto__" || Object.hasOwn(map, key) || isWord(key))
        throw new NotPlain();
      this.#at += key.length + 1;
      map[key] = this.#value(depth + 1);
      if (!this.#takes(",") && !this.#sees("}")) throw new NotPlain();
    }
    return map;
  }

  #quoted(): string {
    const { value, end } = readQuoted(this.#text, this.#at);
    this.#at = end;
    return value;
  }

  #plain(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !/[,[\]{}]/.test(this.#text.charAt(this.#at))) this.#at += 1;
    const text = this.#text.slice(start, this.#at).trimEnd();
    // In flow style a colon before a bracket or comma also ends a key.
    if (text === "" || text.endsWith(":") || /["']/.test(text.charAt(0))) throw new NotPlain();
    return text;
  }

  #takes(char: string): boolean {
    if (!this.#sees(char)) return false;
    this.#at += 1;
    return true;
  }

  #sees(char: string): boolean {
    this.#skipBlanks();
    return this.#text.charAt(this.#at) === char;
  }

  #skipBlanks(): void {
    while (this.#text.charAt(this.#at) === " ") this.#at += 1;
  }
}
