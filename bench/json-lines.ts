import { existsSync, readFileSync } from "node:fs";

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
