import { isMap, isScalar } from "yaml";
import { type FrontMatterSplit, splitFrontMatter } from "./front-matter.ts";
import { BrokenYaml, lineAt, openYaml, valueOf } from "./parse-yaml.ts";
import { readPlainYaml } from "./plain-yaml.ts";
import type { Problem } from "../../errors/problem.ts";
import { asRecord, FieldReader } from "./read-fields.ts";

type Fault = Omit<Problem, "file">;

/** Front matter as it is read in the end. */
export interface ReadYaml {
  values: Record<string, unknown>;
  /** It is keys with values; otherwise a text, a list, or nothing. */
  isMap: boolean;
  /** The text that was read: the source, or the source repaired. */
  yaml: string;
  /** Lines (0-based) that were read otherwise than they are written, and keys that are given again. */
  warnings: { line: number; code: keyof typeof WARNINGS; key?: string }[];
}

/** Front matter for the library has at most this many lines: its time grows faster than its text. */
const MAX_LINES = 1000;

/** A text with more errors is not repaired: it is no memory that somebody mistyped. */
const MAX_REPAIRED_ERRORS = 100;

/** At most this many faults of one kind are reported for one file. */
const MAX_REPORTED = 10;

const WARNINGS = {
  "hash-in-value": {
    message: "YAML takes the text from ` #` on for a comment; it is read as text",
    remedy: "put the value in double quotes, or a blank after `#` where a comment is meant",
  },
  tab: { message: "a tab indents this line, which YAML refuses", remedy: "use blanks" },
  "unquoted-value": {
    message: "the value is not valid YAML and is read as plain text",
    remedy: "put it in double quotes",
  },
  "duplicate-key": { message: "is given again here, and the last one holds", remedy: "remove one of them" },
} as const;

/**
 * Reads front matter as far as it can be read. What people write and YAML refuses or cuts (an unquoted colon, `#12` in a
 * text, tabs, a key given twice) is read as meant and reported as a warning; `values` are undefined when nothing can be
 * made of it. Never throws.
 */
export function readFrontMatter({ yaml, yamlLine }: Pick<FrontMatterSplit, "yaml" | "yamlLine">): {
  values: Record<string, unknown> | undefined;
  problems: Fault[];
} {
  try {
    const { values, warnings } = readYaml(yaml ?? "");
    const problems = Object.entries(WARNINGS).flatMap(([code, { message, remedy }]): Fault[] =>
      warnings
        .filter((warning) => warning.code === code)
        .slice(0, MAX_REPORTED)
        .map(({ line, key }) => ({
          line: yamlLine + line,
          severity: "warning",
          code,
          message: key === undefined ? message : `"${key.slice(0, 80)}" ${message}`,
          remedy,
        })),
    );
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

/** The fields of a file's front matter, none where it cannot be read. Never throws. */
export function fieldsOf(text: string): FieldReader {
  return new FieldReader(readFrontMatter(splitFrontMatter(text)).values ?? {});
}

/**
 * The line of a key in the file, for people: under `metadata` rather than at the top level, the last where it is given
 * twice, also with dashes for underscores; 1 when it is not there.
 */
export function lineOfKey(split: Pick<FrontMatterSplit, "yaml" | "yamlLine">, key: string): number {
  const lines = (split.yaml ?? "").split("\n");
  const names = [key, key.replaceAll("_", "-")];
  const isKey = (line: string): boolean =>
    names.includes(/^\s*["']?([\w-]{1,40})["']?\s*:/.exec(line)?.[1] ?? "");
  const nested = lines.findLastIndex((line) => /^\s/.test(line) && isKey(line));
  const index = nested >= 0 ? nested : lines.findLastIndex(isKey);
  return index < 0 ? 1 : split.yamlLine + index;
}

/**
 * Reads YAML that people write by hand, repaired where it needs that.
 *
 * @throws BrokenYaml when it cannot be read.
 */
export function readYaml(source: string): ReadYaml {
  const plain = readPlainYaml(source);
  if (plain) return { values: plain, isMap: true, yaml: source, warnings: [] };
  const lines = source.split("\n");
  if (lines.length > MAX_LINES)
    throw new BrokenYaml(MAX_LINES, `it has ${lines.length} lines, at most ${MAX_LINES} are read`);
  const warnings: ReadYaml["warnings"] = [];
  keepHashes(lines, warnings);
  let yaml = lines.join("\n");
  let document = openYaml(yaml);
  let value: unknown;
  try {
    value = valueOf(document, yaml);
  } catch (error) {
    if (document.errors.length > MAX_REPAIRED_ERRORS) throw error;
    repair(lines, warnings);
    yaml = lines.join("\n");
    document = openYaml(yaml);
    if (document.errors.length > 0) throw error;
    value = valueOf(document, yaml);
  }
  const root = document.contents;
  for (const map of [root, isMap(root) ? root.get("metadata", true) : undefined]) {
    const seen = new Set<string>();
    for (const { key } of isMap(map) ? map.items : []) {
      if (!isScalar(key)) continue;
      const name = String(key.value);
      if (seen.has(name))
        warnings.push({ line: lineAt(yaml, key.range?.[0] ?? 0), code: "duplicate-key", key: name });
      seen.add(name);
    }
  }
  return { values: asRecord(value) ?? {}, isMap: isMap(root), yaml, warnings };
}

const KEY_LINE = /^( *)([A-Za-z_][\w-]*):[ \t]+(\S.*)$/;

/** A text of the writer's own with a `#` that YAML takes for a comment and nobody means as one: `PR #153`. */
const HASH_LINE = /^ *(?:name|title|description|summary):[ \t]+[^"'|>[{&*!%@`#\s].* #[^\s#]/;

/** Quotes names and descriptions that YAML would cut at a `#` inside them; a `# comment` with a blank stays one. */
function keepHashes(lines: string[], warnings: ReadYaml["warnings"]): void {
  for (const [i, line] of lines.entries()) {
    if (!HASH_LINE.test(line)) continue;
    quoteValue(lines, i);
    warnings.push({ line: i, code: "hash-in-value" });
  }
}

/**
 * Makes YAML that people write by hand readable: a value with an unquoted colon, a stray quote or a sign to which YAML
 * gives a meaning becomes a quoted text, and tabs that indent become blanks.
 */
function repair(lines: string[], warnings: ReadYaml["warnings"]): void {
  const source = lines.join("\n");
  for (const [i, line] of lines.entries()) {
    const lead = /^[ \t]*/.exec(line)?.[0] ?? "";
    if (!lead.includes("\t")) continue;
    lines[i] = lead.replaceAll("\t", "  ") + line.slice(lead.length);
    warnings.push({ line: i, code: "tab" });
  }
  for (let i = 0; i < lines.length; i++) {
    const value = KEY_LINE.exec(lines[i] ?? "")?.[3];
    if (value === undefined) continue;
    const end = endOfValue(lines, i);
    const alias = /^\*([^\s,\]}]+)/.exec(value)?.[1];
    const isUnknownAlias = alias !== undefined && !source.includes(`&${alias}`);
    if (isUnknownAlias || isBroken(lines.slice(i, end).join("\n"), value)) {
      quoteValue(lines, i);
      warnings.push({ line: i, code: "unquoted-value" });
    }
    i = end - 1;
  }
}

/** Whether a key line is an error by itself. A list or map that is never closed is broken, not a text. */
function isBroken(pair: string, value: string): boolean {
  const isOpen = (value.startsWith("[") && !value.includes("]")) || /^\{[^}]*$/.test(value);
  return !isOpen && openYaml(pair).errors.length > 0;
}

/** The line after a value: the lines below it that are indented deeper belong to it. */
function endOfValue(lines: readonly string[], at: number): number {
  const indentOf = (line = ""): number => line.length - line.trimStart().length;
  let end = at + 1;
  while (end < lines.length && lines[end]?.trim() !== "" && indentOf(lines[end]) > indentOf(lines[at])) end++;
  return end;
}

/** Puts the value of a key line in double quotes, the deeper lines below it with it; line numbers stay. */
function quoteValue(lines: string[], at: number): void {
  const [, indent = "", key = "", value = ""] = KEY_LINE.exec(lines[at] ?? "") ?? [];
  const end = endOfValue(lines, at);
  const text = /^(["'])(.*)\1$/.exec(value.trim())?.[2] ?? value.trim();
  const deeper = lines.slice(at + 1, end).map((line) => line.trim());
  lines[at] = `${indent}${key}: ${JSON.stringify([text, ...deeper].join(" "))}`;
  lines.fill("", at + 1, end);
}
