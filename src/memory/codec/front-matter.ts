import { isMap } from "yaml";
import { BrokenYaml, openYaml, valueOf, readPlainYaml } from "./read-yaml.ts";
import type { Problem } from "../../machine/heed-error.ts";
import { asRecord, FieldReader } from "../../machine/read-fields.ts";

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
