import { isMap, isScalar, parseDocument } from "yaml";
import { BrokenYaml } from "./broken-yaml.ts";
import type { FrontMatterSplit } from "./front-matter.ts";
import { splitFrontMatter } from "./front-matter.ts";
import { readPlainYaml } from "./plain-yaml.ts";
import type { Problem } from "../../errors/problem.ts";
import { asRecord, FieldReader } from "./read-fields.ts";
import type { YamlRepair } from "./repair-yaml.ts";
import { keepHashes, MAX_YAML_ALIASES, repairYaml } from "./repair-yaml.ts";
import { isTooNested } from "./yaml-nesting.ts";

/** What front matter says, as plain data; undefined when nothing can be made of it. */
export interface ReadFrontMatter {
  values: Record<string, unknown> | undefined;
  problems: Omit<Problem, "file">[];
}

/** YAML as the library reads it in the end. */
export interface ReadYaml {
  values: Record<string, unknown>;
  /** It is keys with values; else it is a text, a list, or nothing. */
  isMap: boolean;
  /** The text that was read: the source, or the source repaired. */
  yaml: string;
  repairs: YamlRepair[];
  duplicates: { line: number; key: string }[];
}

/** Front matter that is not plain is read up to this many lines: the library's time grows faster than its text. */
const MAX_LINES = 1000;

/** A text with more errors is no memory that somebody mistyped; each round of repair would find them all again. */
const MAX_REPAIRED_ERRORS = 100;

/** Of one kind of fault in one file, this many are reported. */
const MAX_REPORTED = 10;

const REPAIRS: Readonly<Record<YamlRepair["what"], { code: string; message: string; remedy: string }>> = {
  tab: { code: "tab", message: "a tab indents this line, which YAML refuses", remedy: "use blanks" },
  unquoted: {
    code: "unquoted-value",
    message: "the value is no valid YAML and is read as plain text",
    remedy: "put it in double quotes",
  },
  hash: {
    code: "hash-in-value",
    message: "YAML takes the text from ` #` on for a comment; it is read as text",
    remedy: "put the value in double quotes, or a blank after `#` where a comment is meant",
  },
};

/**
 * Reads front matter as far as it can be read. What people write and YAML refuses or cuts (an unquoted colon, `#12` in a
 * text, tabs, a key given twice) is read as meant and reported as a warning. Never throws.
 */
export function readFrontMatter(split: FrontMatterSplit): ReadFrontMatter {
  const source = split.yaml ?? "";
  const plain = readPlainYaml(source);
  if (plain) return { values: plain, problems: [] };
  try {
    const { values, repairs, duplicates } = readYaml(source);
    const warn = (
      line: number,
      warning: { code: string; message: string; remedy: string },
    ): Omit<Problem, "file"> => ({
      line: split.yamlLine + line,
      severity: "warning",
      ...warning,
    });
    const repaired = repairs.slice(0, MAX_REPORTED).map(({ line, what }) => warn(line, REPAIRS[what]));
    const doubled = duplicates.map(({ line, key }) =>
      warn(line, {
        code: "duplicate-key",
        message: `"${key.slice(0, 80)}" is given again here, and the last one holds`,
        remedy: "remove one of them",
      }),
    );
    return { values, problems: [...repaired, ...doubled] };
  } catch (error) {
    const { line, message } = error instanceof BrokenYaml ? error : { line: 0, message: String(error) };
    const problem = {
      line: split.yamlLine + line,
      severity: "error" as const,
      code: "yaml",
      message: `the front matter is no valid YAML: ${message.slice(0, 200)}`,
      remedy: "mend the YAML at this line; put texts with colons or quotes in double quotes",
    };
    return { values: undefined, problems: [problem] };
  }
}

/** The fields of a file's front matter, none where it cannot be read. Never throws. */
export function fieldsOf(text: string): FieldReader {
  return new FieldReader(readFrontMatter(splitFrontMatter(text)).values ?? {});
}

/**
 * Reads YAML by the library, repaired where it needs that.
 *
 * @throws BrokenYaml when it cannot be read.
 */
export function readYaml(source: string): ReadYaml {
  const lineCount = source.split("\n").length;
  if (lineCount > MAX_LINES) throw new BrokenYaml(MAX_LINES, `${lineCount} lines, ${MAX_LINES} at most`);
  if (isTooNested(source)) throw new BrokenYaml(0, "nested too deep");
  const kept = keepHashes(source);
  let yaml = kept?.yaml ?? source;
  let repairs = kept?.repairs ?? [];
  let read = tryRead(yaml);
  if (read.error) {
    const repaired = read.document.errors.length > MAX_REPAIRED_ERRORS ? undefined : repairYaml(yaml);
    if (!repaired) throw read.error;
    yaml = repaired.yaml;
    repairs = [...repairs, ...repaired.repairs];
    read = tryRead(yaml);
    if (read.error) throw read.error;
  }
  const root = read.document.contents;
  const metadata = isMap(root) ? root.get("metadata", true) : undefined;
  const duplicates = [root, metadata].flatMap((map) => duplicatesOf(map, yaml));
  return { values: asRecord(read.value) ?? {}, isMap: isMap(root), yaml, repairs, duplicates };
}

function tryRead(yaml: string): {
  document: ReturnType<typeof parseDocument>;
  value?: unknown;
  error?: BrokenYaml;
} {
  const document = parseDocument(yaml, { logLevel: "silent", uniqueKeys: false, prettyErrors: false });
  const [error] = document.errors;
  if (error) return { document, error: new BrokenYaml(lineAt(yaml, error.pos[0]), error.message) };
  try {
    return { document, value: document.toJS({ maxAliasCount: MAX_YAML_ALIASES }) };
  } catch (cause) {
    return { document, error: new BrokenYaml(0, String(cause)) };
  }
}

function duplicatesOf(map: unknown, yaml: string): { line: number; key: string }[] {
  if (!isMap(map)) return [];
  const seen = new Set<string>();
  const found: { line: number; key: string }[] = [];
  for (const { key } of map.items) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    if (seen.has(name) && found.length < MAX_REPORTED)
      found.push({ line: lineAt(yaml, key.range?.[0] ?? 0), key: name });
    seen.add(name);
  }
  return found;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length - 1;
}
