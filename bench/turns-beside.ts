import { existsSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";

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
