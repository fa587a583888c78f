import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHash } from "node:crypto";

/** One found case a file, as JSON text, so that no editor and no git changes a byte of it. */
export function readCorpus(folder: string, target: string): { file: string; input: string }[] {
  let names: string[];
  try {
    names = readdirSync(join(folder, target)).sort();
  } catch {
    return [];
  }
  return names.map((file) => ({
    file,
    input: JSON.parse(readFileSync(join(folder, target, file), "utf8")) as string,
  }));
}

/** Keeps a found case; its name is made from it. Returns the path. */
export function keepCase(folder: string, target: string, input: string): string {
  const name = `${createHash("sha256").update(input).digest("hex").slice(0, 12)}.json`;
  mkdirSync(join(folder, target), { recursive: true });
  const file = join(folder, target, name);
  writeFileSync(file, `${JSON.stringify(input)}\n`);
  return file;
}
