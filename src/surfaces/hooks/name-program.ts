import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";

/** A command of heed's, as notices name it: `heed trust`. */
const COMMAND = /(?<![\w/])heed [a-z]/;
const NAMES: readonly string[] = process.platform === "win32" ? ["heed.cmd", "heed.exe"] : ["heed"];

/**
 * A notice for the user that names a command says how to run it where no `heed` is on the search path, as after an
 * install of the plugin alone. `program` is what runs here: heed's own program lies beside it.
 */
export function nameProgram(
  notice: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
  program: string | undefined = process.argv[1],
): string {
  if (!COMMAND.test(notice) || program === undefined) return notice;
  const beside = join(dirname(program), "heed.cjs");
  if (isOnPath(env["PATH"] ?? "") || !existsSync(beside)) return notice;
  return `${notice} (there is no heed on the PATH: type node "${beside}" in its place)`;
}

function isOnPath(path: string): boolean {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.some((folder) => NAMES.some((name) => existsSync(join(folder, name))));
}
