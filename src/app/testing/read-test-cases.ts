import { readdirSync } from "node:fs";
import { join } from "node:path";
import { HeedError } from "../../errors/heed-error.ts";
import type { Problem } from "../../errors/problem.ts";
import { plainHandle } from "../../memory/handle.ts";
import { isTooNested, MAX_YAML_ALIASES } from "../../memory/codec/parse-yaml.ts";
import { isMap, isSeq, LineCounter, parseDocument } from "yaml";
import type { TestCase } from "../api/maintenance-reports.ts";
import { readRegularFile } from "../../platform/regular-file.ts";

/** The folder of a store in which its test cases are. */
export const TESTS_FOLDER = "tests";
const MAX_FILES = 200;
const MAX_FILE_BYTES = 512 * 1024;
const MAX_CASES = 2000;
const KEYS = ["name", "prompt", "injected", "whole", "not", "nothing", "max_chars"];

/** The cases of one file, and what cannot be read of it. */
interface TestFile {
  /** Relative to the store's root. */
  file: string;
  cases: TestCase[];
  problems: Problem[];
}

/** Reads the test cases of a store: each `tests/*.yaml` is a list of cases. */
export function readTestFiles(root: string): TestFile[] {
  return listTestFiles(root).map((file) => readTestFile(root, file));
}

function listTestFiles(root: string): string[] {
  try {
    return readdirSync(join(root, TESTS_FOLDER))
      .filter((name) => /\.ya?ml$/i.test(name))
      .sort()
      .slice(0, MAX_FILES)
      .map((name) => `${TESTS_FOLDER}/${name}`);
  } catch {
    return [];
  }
}

function readTestFile(root: string, file: string): TestFile {
  const path = join(root, file);
  try {
    return casesIn(file, readRegularFile(path, { maxBytes: MAX_FILE_BYTES }));
  } catch (error) {
    if (error instanceof HeedError && error.data["systemCode"] === "EFBIG")
      return broken(file, `it is over ${MAX_FILE_BYTES / 1024} kB`, "split it into several files");
    return broken(file, error instanceof Error ? error.message : String(error), "make it readable YAML");
  }
}

function casesIn(file: string, text: string): TestFile {
  if (isTooNested(text)) return broken(file, "it nests too deep", "write a plain list of cases");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: "error" });
  const [error] = document.errors;
  if (error !== undefined)
    return broken(file, error.message.split("\n")[0] ?? "", "make it readable YAML", error.linePos?.[0].line);
  const { contents } = document;
  if (contents === null) return { file, cases: [], problems: [] };
  if (!isSeq(contents))
    return broken(file, "it is no list of cases", "begin each case with `- prompt: …`", 1);
  const result: TestFile = { file, cases: [], problems: [] };
  for (const item of contents.items.slice(0, MAX_CASES)) {
    const line = lines.linePos(item.range[0]).line;
    const raw: unknown = isMap(item) ? item.toJS(document, { maxAliasCount: MAX_YAML_ALIASES }) : undefined;
    const read = readCase(raw, line);
    if (typeof read === "string") result.problems.push(problemOf(file, read, REMEDY, line));
    else result.cases.push(read);
  }
  if (contents.items.length > MAX_CASES)
    result.problems.push(
      problemOf(file, `it has more than ${MAX_CASES} cases`, "split it into several files"),
    );
  return result;
}

const REMEDY = `a case has a prompt and at least one of ${KEYS.slice(2).join(", ")}`;

/** A case, or in words what is wrong with it. */
function readCase(raw: unknown, line: number): TestCase | string {
  if (typeof raw !== "object" || raw === null) return "a case is no mapping";
  // `told` is the former name of `injected`.
  const fields = new Map(
    Object.entries(raw).map(([key, value]) => [key === "told" ? "injected" : key, value] as const),
  );
  for (const key of fields.keys()) if (!KEYS.includes(key)) return `a case has no key "${key}"`;
  const prompt = fields.get("prompt");
  if (typeof prompt !== "string" || prompt.trim() === "") return "a case has no prompt";
  const lists: Record<"injected" | "whole" | "not", string[]> = { injected: [], whole: [], not: [] };
  for (const key of ["injected", "whole", "not"] as const) {
    const names = namesIn(fields.get(key));
    if (names === undefined) return `"${key}" is no name of a memory and no list of names`;
    lists[key] = names;
  }
  const nothing = fields.get("nothing") ?? false;
  if (typeof nothing !== "boolean") return `"nothing" is neither true nor false`;
  const maxChars = fields.get("max_chars");
  if (maxChars !== undefined && (typeof maxChars !== "number" || !(maxChars >= 0)))
    return `"max_chars" is no number`;
  if (!nothing && maxChars === undefined && Object.values(lists).every((names) => names.length === 0))
    return "a case expects nothing";
  const name = fields.get("name");
  return {
    name: typeof name === "string" && name.trim() !== "" ? name : prompt,
    prompt,
    ...lists,
    isNothing: nothing,
    ...(typeof maxChars === "number" && { maxChars }),
    line,
  };
}

/** Names with or without `heed:` before them; undefined when they are no names. */
function namesIn(value: unknown): string[] | undefined {
  const values: unknown[] =
    value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  if (!values.every((name): name is string => typeof name === "string")) return undefined;
  return values.map((name) => plainHandle(name));
}

function broken(file: string, message: string, remedy: string, line?: number): TestFile {
  return { file, cases: [], problems: [problemOf(file, message, remedy, line)] };
}

function problemOf(file: string, message: string, remedy: string, line?: number): Problem {
  return { file, ...(line !== undefined && { line }), severity: "error", code: "bad-test", message, remedy };
}
