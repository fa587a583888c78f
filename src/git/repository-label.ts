import { basename, dirname } from "node:path";
import type { Places } from "../platform/places.ts";
import { readKnownRepositories } from "./known-repositories.ts";

/** Of a first commit so much is shown, where no folder of it is known here. */
const SHOWN_COMMIT_CHARS = 8;

/**
 * What a person calls a repository: a name that a remote gave stays; one that is only a first commit (`root:…`) or a
 * place (`local:…`) is told by its folder on this machine, where that is known. To show, never to compare.
 */
export function repositoryLabel(name: string, places: Places): string {
  const [, kind, rest = ""] = /^(root|local):(.*)$/s.exec(name) ?? [];
  if (kind === undefined) return name;
  if (kind === "local") return rest.replace(/-[0-9a-f]{12}$/, "");
  const [latest] = [...readKnownRepositories(places)]
    .filter(([, known]) => known.root === rest)
    .sort(([, a], [, b]) => b.seen.localeCompare(a.seen));
  return latest === undefined ? `root:${rest.slice(0, SHOWN_COMMIT_CHARS)}` : folderOf(latest[0]);
}

/** The folder that a person sees, of a git directory. */
export function folderOf(gitDirectory: string): string {
  const folder = basename(gitDirectory) === ".git" ? dirname(gitDirectory) : gitDirectory;
  return basename(folder).replace(/\.git$/, "");
}
