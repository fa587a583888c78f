import { Composer, type CST, type Document, Parser } from "yaml";

export class BrokenYaml extends Error {
  readonly line: number;

  get words(): string {
    return `line ${this.line + 1}: ${this.message.split("\n")[0]}`;
  }

  constructor(line: number, message: string) {
    super(message);
    this.name = "BrokenYaml";
    this.line = line;
  }
}

/** A real file nests three or four levels. */
const MAX_NESTING = 64;

/** Aliases in YAML (`*x`) are resolved at most this often: a real memory has none, a bomb has thousands. */
export const MAX_YAML_ALIASES: number = 16;

/** How the library says, by the names of its grammar, that a bracket is not closed. */
const UNCLOSED = /^Flow \w+ in block collection .* end with a (.)$/;

function isTooNested(token: CST.Token | null | undefined, depth = 0): boolean {
  if (token?.type === "document") return isTooNested(token.value);
  if (!token || !("items" in token)) return false;
  const items: readonly CST.CollectionItem[] = token.items;
  return (
    depth > MAX_NESTING ||
    items.some(({ key, value }) => isTooNested(key, depth + 1) || isTooNested(value, depth + 1))
  );
}

/** YAML with its errors. Keys may repeat unless `isStrict`. @throws BrokenYaml when it nests too deep. */
export function openYaml(text: string, isStrict = false): Document.Parsed {
  // The parser goes level by level; the composer calls itself for each, and a full stack ends the process.
  const tokens = [...new Parser().parse(text)];
  if (tokens.some((token) => isTooNested(token))) throw new BrokenYaml(0, "it nests too deep");
  // Pretty errors quote the text around each error, and take four times as long as finding them.
  const composer = new Composer({ uniqueKeys: isStrict, logLevel: "silent", prettyErrors: false });
  const [document] = composer.compose(tokens, true, text.length);
  return document!;
}

/** @throws BrokenYaml with the first error of a document, or when its aliases are too many. */
export function valueOf(document: Document.Parsed, text: string): unknown {
  const [error] = document.errors;
  const conflict = text.search(/^<{7} /m);
  if (error && conflict >= 0) throw new BrokenYaml(lineAt(text, conflict), "a merge conflict (<<<<<<<)");
  if (error)
    throw new BrokenYaml(lineAt(text, error.pos[0]), error.message.replace(UNCLOSED, "$1 is missing"));
  try {
    return document.toJS({ maxAliasCount: MAX_YAML_ALIASES });
  } catch (cause) {
    throw new BrokenYaml(0, cause instanceof Error ? cause.message : String(cause));
  }
}

/** YAML as plain data, aliases and nesting bounded. Bound the size first: broken YAML of 16 KiB takes 250 ms. @throws BrokenYaml */
export function parseYaml(text: string): unknown {
  return valueOf(openYaml(text, true), text);
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length - 1;
}

/* Heed's own narrow YAML, read without the library, which takes half as long to load as Node. Anything else: undefined. */

const MAX_DEPTH = 8;

const LINE = /^( *)([A-Za-z_][\w-]*):(?: +(\S.*))?$/;
/** How an unquoted text may begin so that it is no quote, anchor, tag, list or the like. */
const TEXT = /^(?:[A-Za-z0-9\u00A1-\uFEFE$(/;^_+.<=]|-[A-Za-z-])[^\t\n\uFEFF]*$/;
/** What YAML takes for something else than text, inside a text or as a whole. */
const NO_TEXT =
  /: |:$| #|^(?:null|true|false|[-+]?\.(?:inf|nan)|[-+]?\d+|0o[0-7]+|0x[0-9a-f]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?)$/i;
const QUOTED = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')$/;
const TOKEN =
  / *(?:([[\]{},])|([A-Za-z_][\w-]*): |("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|([^,[\]{}"' ][^,[\]{}]*))/y;

/** Reads front matter in heed's own form, as YAML 1.2 does; undefined for any other. */
export function readPlainYaml(yaml: string): Record<string, unknown> | undefined {
  const root: Record<string, unknown> = {};
  const levels = [{ indent: 0, map: root }];
  /** The key of the line above, when it has no value of its own. */
  let open: string | undefined;
  for (const raw of yaml.split("\n")) {
    const line = withoutTrailingSpaces(raw);
    if (/^ *(?:#|$)/.test(line)) continue;
    const [, blanks = "", key, text] = LINE.exec(line) ?? [];
    if (key === undefined || key === "__proto__" || NO_TEXT.test(key)) return undefined;
    let level = levels.at(-1)!;
    if (open !== undefined && blanks.length > level.indent) {
      const map = {};
      level.map[open] = map;
      levels.push((level = { indent: blanks.length, map }));
      if (levels.length > MAX_DEPTH) return undefined;
    }
    while (levels.length > 1 && blanks.length < level.indent) {
      levels.pop();
      level = levels.at(-1)!;
    }
    const value = text === undefined ? null : readValue(text);
    if (value === undefined || blanks.length !== level.indent || Object.hasOwn(level.map, key))
      return undefined;
    level.map[key] = value;
    open = text === undefined ? key : undefined;
  }
  return root;
}

/** Not by a regular expression: `/ +$/` is quadratic on a long run of spaces in the middle. */
function withoutTrailingSpaces(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 32) end -= 1;
  return end === text.length ? text : text.slice(0, end);
}

function readValue(text: string): unknown {
  if (/^[[{]/.test(text)) return readFlow(text);
  if (/^["']/.test(text)) return QUOTED.test(text) ? unquoted(text) : undefined;
  if (TEXT.test(text) && !NO_TEXT.test(text)) return text;
  return /^(?:true|false|null|0|[1-9]\d{0,8})$/.test(text) ? JSON.parse(text) : undefined;
}

/** The escapes of JSON mean the same in YAML; undefined for the others. */
function unquoted(text: string): string | undefined {
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  return text.includes("\\") ? (fromJson(text) as string | undefined) : text.slice(1, -1);
}

/** `[…]` and `{…}`, rewritten as JSON: what is wrong with one is wrong with the other. */
function readFlow(text: string): unknown {
  let json = "";
  let depth = 0;
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length;) {
    const [whole, sign, key, quoted, plain] = TOKEN.exec(text) ?? [];
    if (whole === undefined || key === "__proto__") return undefined;
    if (sign !== undefined) {
      depth += /[[{]/.test(sign) ? 1 : /[\]}]/.test(sign) ? -1 : 0;
      if (depth > MAX_DEPTH) return undefined;
      json += sign;
    } else if (key !== undefined) {
      if (NO_TEXT.test(key)) return undefined;
      json += `"${key}":`;
    } else {
      const value = quoted === undefined ? readValue((plain ?? "").trimEnd()) : unquoted(quoted);
      if (value === undefined) return undefined;
      json += JSON.stringify(value);
    }
  }
  return fromJson(json);
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
