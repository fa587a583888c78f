import { HeedError } from "../errors/heed-error.ts";

/** Content filters: switched off one by one, since git knows no switch for all. */
const FILTER = /^filter\.(.+)\.(?:clean|smudge|process|required)$/s;

/**
 * Keys by which a repository names a program for talking to another one, or for the packing of its objects. The user's
 * own configuration may have them as well (a key for ssh, a store of passwords): an empty value on the command line
 * would switch that off too, so the command is refused instead.
 */
const REACHING: Readonly<Record<string, RegExp>> = {
  fetch:
    /^(?:core\.(?:sshcommand|gitproxy|askpass|alternaterefscommand)|credential\.(?:.+\.)?helper|remote\..+\.(?:uploadpack|receivepack|vcs))$/s,
  push: /^(?:core\.(?:sshcommand|gitproxy|askpass|alternaterefscommand)|credential\.(?:.+\.)?helper|remote\..+\.(?:uploadpack|receivepack|vcs))$/s,
  gc: /^gc\.recentobjectshook$/,
};

/**
 * The settings that keep the programs which a repository's own configuration names from running, as `key=value`.
 *
 * @param listing what `git config --list --show-scope -z` prints: scope and `key\nvalue`, each ended by NUL.
 * @param command the git command that is to run.
 * @throws HeedError `git-failed` naming the key, where a program cannot be switched off.
 */
export function refuseNamedPrograms(listing: string, command: string): string[] {
  const filters = new Set<string>();
  const fields = listing.split("\0");
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const scope = fields[at];
    const key = (fields[at + 1] ?? "").split("\n", 1)[0] ?? "";
    if (scope !== "local" && scope !== "worktree") continue;
    if (REACHING[command]?.test(key)) throw refusal(command, key);
    const filter = FILTER.exec(key)?.[1];
    if (filter === undefined) continue;
    // `-c` ends the key at its first "=".
    if (/[=\n]/.test(filter)) throw refusal(command, key);
    filters.add(filter);
  }
  return [...filters].flatMap((name) => [
    `filter.${name}.clean=`,
    `filter.${name}.smudge=`,
    `filter.${name}.process=`,
    `filter.${name}.required=false`,
  ]);
}

function refusal(command: string, key: string): HeedError {
  return new HeedError(
    "git-failed",
    `git ${command} was not run: the repository's own configuration names a program in ${key}. Take it out there; if it is yours, put it into your own configuration by \`git config --global\``,
    { args: [command], exitCode: null, stderr: "", isMissing: false, key },
  );
}
