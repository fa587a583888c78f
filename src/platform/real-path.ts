import { realpathSync } from "node:fs";
import { resolve } from "node:path";

/** The absolute path with all symbolic links resolved; made absolute alone where it does not exist or cannot be read. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
