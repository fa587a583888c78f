import { existsSync, statSync } from "node:fs";

/** Whether other users of the machine may look into a folder. Windows has other means, which are not looked at. */
export function liesOpen(folder: string): boolean {
  return process.platform !== "win32" && existsSync(folder) && (statSync(folder).mode & 0o077) !== 0;
}
