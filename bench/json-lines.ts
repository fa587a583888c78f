import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

/** The records of a file with one JSON object a line; none of a file that is not there. Throws with the line that is no JSON. */
export function readJsonLines<T>(file: string): T[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .replace(/^\uFEFF/, "")
    .split("\n")
    .flatMap((line, i) => {
      if (line.trim() === "") return [];
      try {
        return [JSON.parse(line) as T];
      } catch {
        throw new Error(`${file}:${i + 1} is not JSON: ${line.slice(0, 60)}`);
      }
    });
}

const FILE = "all_turns_unlabelled.jsonl";

/**
 * The file of unlabelled turns that belongs to a folder of labelled data: given, a file or a folder that holds it; else
 * of `prompts-X` beside `NAME-X`, else of `prompts-dev`, else of the only `prompts*` there is. It need not exist.
 */
export function turnsBeside(folder: string, given?: string): string {
  if (given !== undefined) return existsSync(join(given, FILE)) ? join(given, FILE) : given;
  const beside = resolve(folder, "..");
  const suffix = /-[^-]+$/.exec(basename(resolve(folder)))?.[0] ?? "";
  const others = existsSync(beside) ? readdirSync(beside).filter((name) => /^prompts(?:-|$)/.test(name)) : [];
  const names = [`prompts${suffix}`, "prompts-dev", ...(others.length === 1 ? others : [])];
  const files = names.map((name) => join(beside, name, FILE));
  return files.find((file) => existsSync(file)) ?? join(beside, "prompts-dev", FILE);
}
