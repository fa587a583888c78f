import { basename, dirname, join } from "node:path";
import { asRecord, FieldReader } from "./read-fields.ts";
import { FORMATS, newerAt, readVersioned, writeVersioned } from "./state-file.ts";
import type { Places } from "./places.ts";

/** What this machine remembers of a repository, so that it keeps its name when the remote goes or the folder moves. */
export interface KnownRepository {
  /** The names it has answered to, the newest first. */
  names: string[];
  /** Its first commit; undefined until it was asked for, or when the clone is too shallow to tell. */
  root: string | undefined;
  /** Inode and time of birth of its common directory: the same directory under another path. */
  inode: string;
  /** Names, and first commit as `root:…`, that it gives itself and another place has: they do not count here. */
  claims: string[];
  /** What a person said of these claims, when heed still asked. */
  answer: "same" | "other" | undefined;
  seen: string;
}

const MAX_REPOSITORIES = 500;

export const knownRepositoriesFile = (places: Places): string => join(places.state, "repositories.json");

/** Reads what is known, by git common directory. A missing or damaged file counts as nothing known. */
export function readKnownRepositories(places: Places): Map<string, KnownRepository> {
  const value = readVersioned(knownRepositoriesFile(places), FORMATS.repositories);
  const known = new Map<string, KnownRepository>();
  for (const [commonDir, raw] of Object.entries(asRecord(value?.["repositories"]) ?? {})) {
    const fields = new FieldReader(asRecord(raw) ?? {});
    known.set(commonDir, {
      names: fields.list("names"),
      root: fields.text("root"),
      inode: fields.text("inode") ?? "",
      claims: fields.list("claims"),
      answer: fields.word(["same", "other"], "answer"),
      seen: fields.text("seen") ?? "",
    });
  }
  return known;
}

/** Remembers one repository, in one step; what a newer heed remembers stays as it is. Two writers at once may lose one entry, which is learnt again. */
export function rememberRepository(places: Places, commonDir: string, entry: KnownRepository): void {
  const known = readKnownRepositories(places);
  known.set(commonDir, entry);
  const kept = [...known].sort(([, a], [, b]) => b.seen.localeCompare(a.seen)).slice(0, MAX_REPOSITORIES);
  if (newerAt(knownRepositoriesFile(places))) return;
  const content = { repositories: Object.fromEntries(kept) };
  writeVersioned(knownRepositoriesFile(places), FORMATS.repositories, content, {
    indent: 2,
    isDurable: false,
  });
}

const SHOWN_COMMIT_CHARS = 8;

/** A repository as shown: the name of its remote, else its folder here (of several that of `gitDir`, else the latest). Never to compare. */
export function repositoryLabel(name: string, places: Places, gitDir = ""): string {
  const [, kind, rest = ""] = /^(root|local):(.*)$/s.exec(name) ?? [];
  if (kind === undefined) return name;
  if (kind === "local") return rest.replace(/-[0-9a-f]{12}$/, "");
  const [latest] = [...readKnownRepositories(places)]
    .filter(([, known]) => known.root === rest && !known.claims.includes(name))
    .sort(([, a], [, b]) => b.seen.localeCompare(a.seen))
    .sort(([a], [b]) => Number(gitDir.startsWith(b)) - Number(gitDir.startsWith(a)));
  return latest === undefined ? `root:${rest.slice(0, SHOWN_COMMIT_CHARS)}` : folderOf(latest[0]);
}

export function folderOf(gitDirectory: string): string {
  const folder = basename(gitDirectory) === ".git" ? dirname(gitDirectory) : gitDirectory;
  return basename(folder).replace(/\.git$/, "");
}
