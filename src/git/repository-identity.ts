import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readRemotes } from "./git-config.ts";
import type { GitDirectory } from "./git-directory.ts";
import { findGitDirectory, readHead, readSmallFile } from "./git-directory.ts";
import type { KnownRepository } from "./known-repositories.ts";
import { readKnownRepositories, rememberRepository } from "./known-repositories.ts";
import type { Places } from "../platform/places.ts";
import { realPathOf } from "../platform/real-path.ts";
import { remoteName } from "./remote-name.ts";
import { findRootCommit } from "./root-commit.ts";

/** The repository at hand, as scopes name it. */
export interface Repository {
  /** Top of the work tree (real path): what path globs are relative to. */
  root: string;
  gitDir: string;
  /** Undefined on a detached HEAD. */
  branch: string | undefined;
  /** The commit of HEAD; undefined before the first commit. */
  head: string | undefined;
  /**
   * The name for new scopes: of the `upstream` remote, else of `origin`, else of the only remote, else the name it had
   * before its remote went, else `root:<first commit>`, else `local:<folder>-<hash of its place>`.
   */
  name: string;
  /** Everything it answers to, the name included: its remotes, earlier names, its first commit, names of its twins. */
  aliases: string[];
}

/** A clone of a clone of a clone on one disk: further hops are not followed. */
const MAX_LOCAL_HOPS = 3;

/** The repository that a directory lies in; undefined when it lies in none. Reads a handful of files, starts no process. */
export function readRepository(cwd: string, places: Places): Repository | undefined {
  const directory = findGitDirectory(realPathOf(cwd));
  return directory && describe(directory, readKnownRepositories(places));
}

/**
 * Like readRepository, but asks git for the first commit and remembers on this machine what the repository is called.
 * For use outside the prompt path: it may take seconds on a large history. Never rejects for a repository that git
 * cannot read; then nothing is learnt.
 */
export async function learnRepository(cwd: string, places: Places): Promise<Repository | undefined> {
  const directory = findGitDirectory(realPathOf(cwd));
  if (!directory) return undefined;
  const known = readKnownRepositories(places);
  const entry = entryOf(directory, known);
  const root = (await findRootCommit(directory)) ?? entry?.root;
  // Another history under the same path is another repository: what was known of the old one is not true of it.
  const earlier =
    entry?.root !== undefined && root !== undefined && entry.root !== root ? [] : (entry?.names ?? []);
  const names = unique([...remoteNames(directory, MAX_LOCAL_HOPS), ...earlier]);
  const next: KnownRepository = { names, root, inode: inodeOf(directory), seen: new Date().toISOString() };
  if (!entry || !isSameEntry(entry, next) || !known.has(directory.commonDir)) {
    rememberRepository(places, directory.commonDir, next);
    known.set(directory.commonDir, next);
  }
  return describe(directory, known);
}

/**
 * Whether learnRepository has nothing to add: outside of a repository, and where its first commit and the names of its
 * remotes are remembered. Reads a handful of files.
 */
export function isRepositoryLearnt(cwd: string, places: Places): boolean {
  const directory = findGitDirectory(realPathOf(cwd));
  if (!directory) return true;
  const entry = readKnownRepositories(places).get(directory.commonDir);
  if (!entry || entry.inode !== inodeOf(directory)) return false;
  const hasRoot = entry.root !== undefined || readHead(directory).commit === undefined;
  return hasRoot && remoteNames(directory, MAX_LOCAL_HOPS).every((name) => entry.names.includes(name));
}

/** Whether a memory's `scope.repo` (a name, a remote URL or `root:<commit>`) means this repository. */
export function isSameRepository(scopeRepo: string, repository: Repository): boolean {
  const wanted = [scopeRepo.trim(), remoteName(scopeRepo)].map((name) => name?.toLowerCase());
  return repository.aliases.some((alias) => wanted.includes(alias.toLowerCase()));
}

function describe(directory: GitDirectory, known: Map<string, KnownRepository>): Repository {
  const entry = entryOf(directory, known);
  const { branch, commit } = readHead(directory);
  const { root } = entry ?? {};
  const twins = root === undefined ? [] : [...known.values()].filter((other) => other.root === root);
  const given = [
    ...remoteNames(directory, MAX_LOCAL_HOPS),
    ...(entry?.names ?? []),
    ...twins.flatMap((twin) => twin.names),
  ];
  const aliases = unique([
    ...given.filter((name) => !isLocalName(name)),
    ...(root === undefined ? [] : [`root:${root}`]),
    ...given.filter(isLocalName),
    localName(directory),
  ]);
  return {
    root: directory.root,
    gitDir: directory.gitDir,
    branch,
    head: commit,
    name: aliases[0] ?? localName(directory),
    aliases,
  };
}

/** The names that the remotes give, the canonical one first. */
function remoteNames(directory: GitDirectory, hops: number): string[] {
  const remotes = readRemotes(readSmallFile(join(directory.commonDir, "config")) ?? "");
  const preferred = ["upstream", "origin"].filter((remote) => remotes.has(remote));
  const others = [...remotes.keys()].filter((remote) => !preferred.includes(remote));
  const leading = preferred.length > 0 ? preferred : others.length === 1 ? others : [];
  const names = leading.flatMap((remote) => namesOf(remotes.get(remote) ?? "", directory, hops));
  // Other remotes count when they carry the same project's name: a colleague's fork does, a vendored library does not.
  const projects = new Set(names.map((name) => basename(name)));
  const rest = others
    .filter((remote) => !leading.includes(remote))
    .flatMap((remote) => namesOf(remotes.get(remote) ?? "", directory, 0))
    .filter((name) => projects.has(basename(name)));
  return unique([...names, ...rest]);
}

/** The name behind a remote's URL; a path on this disk stands for what the repository there is called. */
function namesOf(url: string, directory: GitDirectory, hops: number): string[] {
  const name = remoteName(url);
  if (name !== undefined) return [name];
  if (hops === 0 || url === "" || /[\p{C}]/u.test(url)) return [];
  const path = pathOf(url, directory.root);
  const source = path !== undefined && existsSync(path) ? findGitDirectory(realPathOf(path)) : undefined;
  if (!source || source.commonDir === directory.commonDir) return [];
  return [...remoteNames(source, hops - 1), localName(source)];
}

function pathOf(url: string, root: string): string | undefined {
  try {
    return url.startsWith("file:") ? fileURLToPath(url) : resolve(root, url);
  } catch {
    return undefined;
  }
}

/** A name for a repository of which nothing else is known: unique on this machine, lost when the folder moves. */
function localName({ commonDir }: GitDirectory): string {
  const folder = basename(commonDir) === ".git" ? dirname(commonDir) : commonDir;
  const hash = createHash("sha256").update(commonDir).digest("hex").slice(0, 12);
  return `local:${basename(folder).replace(/\.git$/, "")}-${hash}`;
}

function isLocalName(name: string): boolean {
  return name.startsWith("local:");
}

/** What is known under this path, or under the path that the same directory had before it was moved. */
function entryOf(directory: GitDirectory, known: Map<string, KnownRepository>): KnownRepository | undefined {
  const inode = inodeOf(directory);
  const here = known.get(directory.commonDir);
  // The inode without the time of birth: some file systems keep none.
  if (here && here.inode.split("@")[0] === inode.split("@")[0]) return here;
  return inode === "" ? undefined : [...known.values()].find((entry) => entry.inode === inode);
}

function inodeOf({ commonDir }: GitDirectory): string {
  const stats = statSync(commonDir, { throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}@${Math.floor(stats.birthtimeMs)}` : "";
}

function isSameEntry(a: KnownRepository, b: KnownRepository): boolean {
  return a.root === b.root && a.inode === b.inode && a.names.join("\n") === b.names.join("\n");
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
