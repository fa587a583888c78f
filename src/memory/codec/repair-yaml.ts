import { parseDocument } from "yaml";

/** A line of front matter that had to be read otherwise than it is written. */
export interface YamlRepair {
  /** 0-based line of the YAML. */
  line: number;
  what: "unquoted" | "tab" | "hash";
}

/** Aliases in YAML (`*x`) are resolved at most this often: a real memory has none, a bomb has thousands. */
export const MAX_YAML_ALIASES: number = 16;

/** Each round mends one line; a file with more broken lines than this is broken. */
const MAX_ROUNDS = 6;
const KEY_LINE = /^( *)([A-Za-z_][\w-]*):[ \t]+(\S.*)$/;

/** A text of the reader's choosing with a `#` that YAML takes for a comment and nobody means as one: `PR #153`. */
const HASH_LINE = /^ *(?:name|title|description|summary):[ \t]+[^"'|>[{&*!%@`#\s].* #[^\s#]/;

/**
 * Quotes names and descriptions that YAML would cut at a `#` inside them; a `# comment` with a blank after its sign stays
 * one. Undefined when there are none.
 */
export function keepHashes(yaml: string): { yaml: string; repairs: YamlRepair[] } | undefined {
  if (!yaml.includes(" #")) return undefined;
  const lines = yaml.split("\n");
  const repairs: YamlRepair[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (!HASH_LINE.test(lines[i] ?? "")) continue;
    quoteLine(lines, i);
    repairs.push({ line: i, what: "hash" });
  }
  return repairs.length === 0 ? undefined : { yaml: lines.join("\n"), repairs };
}

/**
 * Makes YAML that people write by hand readable: a value with an unquoted colon, a stray quote or a sign that YAML gives
 * a meaning is taken as plain text, and tabs that indent become blanks. Undefined when that does not help.
 */
export function repairYaml(yaml: string): { yaml: string; repairs: YamlRepair[] } | undefined {
  const lines = yaml.split("\n");
  const repairs: YamlRepair[] = [];
  for (const [i, line] of lines.entries()) {
    const lead = /^[ \t]*/.exec(line)?.[0] ?? "";
    if (!lead.includes("\t")) continue;
    lines[i] = lead.replaceAll("\t", "  ") + line.slice(lead.length);
    repairs.push({ line: i, what: "tab" });
  }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const text = lines.join("\n");
    const at = firstErrorLine(text);
    if (at === undefined) return repairs.length > 0 ? { yaml: text, repairs } : undefined;
    const quoted = quoteValue(lines, at, repairs);
    if (quoted === undefined) return undefined;
    repairs.push({ line: quoted, what: "unquoted" });
  }
  return undefined;
}

function firstErrorLine(yaml: string): number | undefined {
  const document = parseDocument(yaml, { uniqueKeys: false, logLevel: "silent", prettyErrors: false });
  if (document.errors.length > 0) {
    const offset = Math.min(...document.errors.map((error) => error.pos[0]));
    return yaml.slice(0, offset).split("\n").length - 1;
  }
  try {
    document.toJS({ maxAliasCount: MAX_YAML_ALIASES });
    return undefined;
  } catch {
    // `*starred*` is read as an alias, and is found to be none only now.
    return yaml.split("\n").findIndex((line) => KEY_LINE.exec(line)?.[3]?.startsWith("*"));
  }
}

/** Quotes the value on the nearest key line at or above the error; undefined when there is none left to try. */
function quoteValue(lines: string[], errorLine: number, repairs: readonly YamlRepair[]): number | undefined {
  // A quote that is never closed swallows the lines below it: the error is reported far from its cause.
  const open = lines.findIndex((line) => isLeftOpen(KEY_LINE.exec(line)?.[3] ?? ""));
  const from = open >= 0 && open < errorLine ? open : errorLine;
  for (let i = from; i >= 0; i--) {
    const value = KEY_LINE.exec(lines[i] ?? "")?.[3];
    if (value === undefined) continue;
    // A list or map that is never closed is broken, not a text.
    if ((value.startsWith("[") && !value.includes("]")) || (value.startsWith("{") && !value.includes("}")))
      return undefined;
    if (repairs.some((repair) => repair.what !== "tab" && repair.line === i)) return undefined;
    quoteLine(lines, i);
    return i;
  }
  return undefined;
}

/** Puts the value of a key line in double quotes, the deeper lines below it with it. */
function quoteLine(lines: string[], at: number): void {
  const [, indent = "", key = "", value = ""] = KEY_LINE.exec(lines[at] ?? "") ?? [];
  const deeper: string[] = [];
  for (let i = at + 1; i < lines.length; i++) {
    const line = lines[i] ?? "";
    if (line.trim() === "" || line.length - line.trimStart().length <= indent.length) break;
    deeper.push(line.trim());
    lines[i] = "";
  }
  lines[at] = `${indent}${key}: ${JSON.stringify([unquote(value.trim()), ...deeper].join(" "))}`;
}

/** Whether a value opens a quote and its line does not close it. */
function isLeftOpen(value: string): boolean {
  if (value.startsWith('"')) return !/^"(?:[^"\\]|\\.)*"/.test(value);
  return value.startsWith("'") && !/^'(?:[^']|'')*'/.test(value);
}

/** The text between quotes that open and close the whole value; anything else as it stands. */
function unquote(value: string): string {
  const match = /^(["'])(.*)\1$/.exec(value);
  return match?.[2] ?? value;
}
