import { type CST, type Document, Composer, Parser, isMap } from "yaml";
import type { Problem } from "../../machine/heed-error.ts";
import { asRecord, FieldReader } from "../../machine/read-fields.ts";

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

function lineAt(text: string, offset: number): number {
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

/** A file cut at its front matter, every character of it kept: the parts joined are the file. */
interface SourceSplit {
  /** Byte order mark and opening fence with its line end; "" without front matter. */
  opening: string;
  yaml: string;
  closing: string;
  body: string;
  /** The opening `---` has no closing one: everything after it is body. */
  isUnclosed: boolean;
}

/** The same with LF line ends and no byte order mark, and the 1-based lines on which YAML and body begin. */
export interface FrontMatterSplit extends SourceSplit {
  yamlLine: number;
  bodyLine: number;
}

/** Front matter longer than this many characters is taken as body: no real memory needs it, a bomb would. */
export const MAX_FRONT_MATTER_CHARS: number = 64 * 1024;

const OPENING = /^\uFEFF?---[ \t]*(?:\r\n?|\n)/;
// No `m` flag: with it, `^` and `$` also match beside U+2028, which values may contain.
const CLOSING = /(?:^|[\r\n])((?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$))/;

/** Cuts a file at its front matter without changing a character. Never throws. */
export function splitSource(text: string): SourceSplit {
  const whole: SourceSplit = { opening: "", yaml: "", closing: "", body: text, isUnclosed: false };
  const opening = OPENING.exec(text)?.[0];
  if (opening === undefined) return whole;
  const rest = text.slice(opening.length);
  const match = CLOSING.exec(rest.slice(0, MAX_FRONT_MATTER_CHARS));
  if (!match) return { ...whole, isUnclosed: true };
  const yamlLength = match.index + match[0].length - (match[1] ?? "").length;
  // Matched again on the whole text, as the window may end inside the fence's line.
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$)/.exec(rest.slice(yamlLength))?.[0];
  if (closing === undefined) return { ...whole, isUnclosed: true };
  return {
    opening,
    yaml: rest.slice(0, yamlLength),
    closing,
    body: rest.slice(yamlLength + closing.length),
    isUnclosed: false,
  };
}

/** Splits a markdown file at its front matter, to be read. Never throws. */
export function splitFrontMatter(text: string): FrontMatterSplit {
  const split = splitSource(toLf(text).replace(/^\uFEFF/, ""));
  if (split.opening === "") return { ...split, yamlLine: 1, bodyLine: 1 };
  return { ...split, yamlLine: 2, bodyLine: 2 + split.yaml.split("\n").length };
}

export function canonicalBody(text: string): string {
  return toLf(text)
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
}

export function toLf(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

export function lineEndOf(text: string): string {
  const crlf = text.split("\r\n").length - 1;
  const lf = text.split("\n").length - 1 - crlf;
  const cr = text.split("\r").length - 1 - crlf;
  if (crlf > lf && crlf >= cr) return "\r\n";
  return cr > lf ? "\r" : "\n";
}

export function fromLf(text: string, eol: string): string {
  return eol === "\n" ? text : text.replaceAll("\n", eol);
}

export function closeLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

type Fault = Omit<Problem, "file">;

interface ReadYaml {
  values: Record<string, unknown>;
  /** It is keys with values; otherwise a text, a list, or nothing. */
  isMap: boolean;
  yaml: string;
  /** Lines (0-based) that were read otherwise than they are written. */
  warnings: { line: number; code: keyof typeof WARNINGS }[];
}

/** Front matter for the library has at most this many lines: its time grows faster than its text. */
const MAX_LINES = 1000;

/** A text with more errors is not repaired: it is no memory that somebody mistyped. */
const MAX_REPAIRED_ERRORS = 100;

const MAX_REPORTED = 30;

const WARNINGS = {
  "hash-in-value": {
    message: "YAML takes the text from ` #` on for a comment; it is read as text",
    remedy: "put the value in double quotes, or a blank after `#` where a comment is meant",
  },
  "unquoted-value": {
    message: "the value is not valid YAML and is read as plain text",
    remedy: "put it in double quotes",
  },
} as const;

/** Reads front matter; mistyped texts are read as meant and reported as warnings. `values` undefined: unreadable. Never throws. */
export function readFrontMatter({ yaml, yamlLine }: Pick<FrontMatterSplit, "yaml" | "yamlLine">): {
  values: Record<string, unknown> | undefined;
  problems: Fault[];
} {
  try {
    const { values, warnings } = readYaml(yaml);
    const problems = warnings.slice(0, MAX_REPORTED).map(({ line, code }): Fault => ({
      line: yamlLine + line,
      severity: "warning",
      code,
      ...WARNINGS[code],
    }));
    return { values, problems };
  } catch (error) {
    const { line, message } = error instanceof BrokenYaml ? error : { line: 0, message: String(error) };
    const problem: Fault = {
      line: yamlLine + line,
      severity: "error",
      code: "yaml",
      message: `the front matter is not valid YAML: ${message.slice(0, 200)}`,
      remedy: "correct the YAML at this line; put texts with colons or quotes in double quotes",
    };
    return { values: undefined, problems: [problem] };
  }
}

export function fieldsOf(text: string): FieldReader {
  return new FieldReader(readFrontMatter(splitFrontMatter(text)).values ?? {});
}

/** Line of a key: the last one, under `metadata` before the top level; 1 when absent. */
export function lineOfKey(split: Pick<FrontMatterSplit, "yaml" | "yamlLine">, key: string): number {
  const lines = split.yaml.split("\n");
  const names = [key, key.replaceAll("_", "-")];
  const isKey = (line: string): boolean =>
    names.includes(/^\s*["']?([\w-]{1,40})["']?\s*:/.exec(line)?.[1] ?? "");
  const nested = lines.findLastIndex((line) => /^\s/.test(line) && isKey(line));
  const index = nested >= 0 ? nested : lines.findLastIndex(isKey);
  return index < 0 ? 1 : split.yamlLine + index;
}

/** Reads hand-written YAML, repaired where needed. @throws BrokenYaml */
export function readYaml(source: string): ReadYaml {
  const plain = readPlainYaml(source);
  if (plain) return { values: plain, isMap: true, yaml: source, warnings: [] };
  const count = source.split("\n").length;
  if (count > MAX_LINES)
    throw new BrokenYaml(MAX_LINES, `it has ${count} lines, at most ${MAX_LINES} are read`);
  const warnings: ReadYaml["warnings"] = [];
  let yaml = quoteValues(source, hasHash, (line) => warnings.push({ line, code: "hash-in-value" }));
  let document = openYaml(yaml);
  let value: unknown;
  try {
    value = valueOf(document, yaml);
  } catch (error) {
    if (document.errors.length > MAX_REPAIRED_ERRORS) throw error;
    yaml = quoteValues(yaml, isRefused, (line) => warnings.push({ line, code: "unquoted-value" }));
    document = openYaml(yaml);
    if (document.errors.length > 0) throw error;
    value = valueOf(document, yaml);
  }
  return { values: asRecord(value) ?? {}, isMap: isMap(document.contents), yaml, warnings };
}

/** A key and its value, to which the lines below it belong that are indented deeper. */
const KEY_VALUE = /^( *)([A-Za-z_][\w-]*):[ \t]+(\S.*(?:\n\1[ \t]+\S.*)*)$/gm;

/** A text of the writer's own with a `#` that YAML takes for a comment and nobody means as one: `PR #153`. */
const HASH_LINE = /^ *(?:name|title|description|summary):[ \t]+[^"'|>[{&*!%@`#\s].* #[^\s#]/;

/** Names and descriptions that YAML would cut at a `#` inside them; a `# comment` with a blank stays one. */
const hasHash = (pair: string): boolean => HASH_LINE.test(pair);

/** Values that YAML refuses, as with an unquoted colon; a bracket that is not closed stays broken. */
function isRefused(pair: string, value: string, yaml: string): boolean {
  if (/^(?:\[[^\]]*|\{[^}]*)$/.test(value)) return false;
  // `globs: *.sql` is an alias to YAML, and a glob to Cursor.
  const alias = /^\*([^\s,\]}]+)/.exec(value)?.[1];
  const isGlob = alias !== undefined && !yaml.includes(`&${alias}`);
  return isGlob || openYaml(pair).errors.length > 0;
}

/** Puts values in double quotes; line numbers stay. */
function quoteValues(
  yaml: string,
  isMeant: (pair: string, value: string, yaml: string) => boolean,
  warn: (line: number) => void,
): string {
  return yaml.replace(KEY_VALUE, (pair: string, indent: string, key: string, value: string, at: number) => {
    if (!isMeant(pair, value, yaml)) return pair;
    warn(yaml.slice(0, at).split("\n").length - 1);
    const text = /^(["'])(.*)\1$/s.exec(value.trim())?.[2] ?? value.trim();
    const lines = text.split("\n").map((line) => line.trim());
    return `${indent}${key}: ${JSON.stringify(lines.join(" "))}${"\n".repeat(lines.length - 1)}`;
  });
}
