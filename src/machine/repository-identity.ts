import { basename, dirname, join, resolve } from "node:path";
import { asRecord, FieldReader } from "./read-fields.ts";
import { FORMATS, newerAt, readVersioned, writeVersioned } from "./state-file.ts";
import type { Places } from "./places.ts";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type GitDirectory,
  findGitDirectory,
  isUnborn,
  readHead,
  readSmallFile,
  readRemotes,
} from "./git-directory.ts";
import { realPathOf } from "./regular-file.ts";
import { objectIdOf } from "./blobs.ts";
import { sha256Hex } from "./sha256.ts";
import { runGit } from "./run-git.ts";

export interface Repository {
  /** Top of the work tree (real path): what path globs are relative to. */
  root: string;
  gitDir: string;
  branch: string | undefined;
  head: string | undefined;
  /** The name for new scopes: of `upstream`, `origin` or the only remote, an earlier name, `root:COMMIT`, `local:FOLDER-HASH`. */
  name: string;
  /** Everything it answers to, the name included: its remotes, earlier names, its first commit, names of its other clones. */
  aliases: string[];
  /** What it says to be, as another place here was before. */
  claims?: string[];
}

/** A clone of a clone of a clone on one disk: further hops are not followed. */
const MAX_LOCAL_HOPS = 3;

/** The repository that a directory lies in; undefined when it lies in none. Reads a handful of files, starts no process. */
export function readRepository(cwd: string, places: Places): Repository | undefined {
  const directory = findGitDirectory(realPathOf(cwd));
  return directory && describe(directory, readKnownRepositories(places));
}

/** Like readRepository, but asks git for the first commit (seconds in a large history) and remembers. Never rejects. */
export async function learnRepository(cwd: string, places: Places): Promise<Repository | undefined> {
  const directory = findGitDirectory(realPathOf(cwd));
  if (!directory) return undefined;
  const known = readKnownRepositories(places);
  const last = entryOf(directory, known);
  const root = (await findRootCommit(directory)) ?? last?.root;
  // Another history under the same path is another repository, unless it has the old one too, as with a branch of pages.
  const isOther =
    last?.root !== undefined &&
    root !== undefined &&
    last.root !== root &&
    !(await holdsCommit(directory, last.root));
  const entry = isOther ? undefined : last;
  let { names, claims, isAlike } = identify(directory, known, entry, root);
  if (claims.length > 0 && isAlike && (await holdsCommit(directory, root)))
    ({ names, claims } = identify(directory, known, entry, root, true));
  const { seen } = known.get(directory.place) ?? {};
  const next: KnownRepository = { names, root, inode: inodeOf(directory), claims, seen: seen ?? "" };
  const isNew = JSON.stringify(known.get(directory.place)) !== JSON.stringify(next);
  known.set(directory.place, next);
  try {
    if (isNew) rememberRepository(places, directory.place, { ...next, seen: new Date().toISOString() });
  } catch {
    // A home that cannot be written learns it again at the next call.
  }
  return describe(directory, known);
}

/** A name or first commit of another place counts where both are that place's. `isClone`: its commits are here. */
function identify(
  directory: GitDirectory,
  known: ReadonlyMap<string, KnownRepository>,
  entry: KnownRepository | undefined,
  root: string | undefined,
  isClone = false,
): { names: string[]; claims: string[]; isAlike: boolean } {
  const others = [...known].filter(([place, other]) => place !== directory.place && other !== entry);
  const holdersOf = (name: string): (string | undefined)[] =>
    others.flatMap(([place, other]) =>
      other.names.includes(name) || localName({ place }) === name ? [other.root] : [],
    );
  const isTaken = (name: string): boolean =>
    name !== localName(directory) &&
    entry?.names.includes(name) !== true &&
    holdersOf(name).length > 0 &&
    !(isClone && holdersOf(name).includes(root));
  const given = unique([...remoteNames(directory), ...(entry?.names ?? [])]);
  const taken = given.filter(isTaken);
  const isKnown = entry !== undefined && !entry.claims.includes(`root:${root}`);
  const isRootOwn = isClone || isKnown || !others.some(([, other]) => other.root === root);
  return {
    names: given.filter((name) => !taken.includes(name)),
    claims: isRootOwn || root === undefined ? taken : [...taken, `root:${root}`],
    isAlike: root !== undefined && given.some((name) => holdersOf(name).includes(root)),
  };
}

/** Whether a folder has a commit in itself: git would read one of another place through links and alternates. */
async function holdsCommit(directory: GitDirectory, commit = ""): Promise<boolean> {
  const { place, commonDir, root, gitDir } = directory;
  const objects = join(commonDir, "objects");
  if (place !== commonDir || existsSync(join(objects, "info", "alternates"))) return false;
  try {
    const inside = readdirSync(objects, { recursive: true, withFileTypes: true });
    const all = [lstatSync(commonDir), lstatSync(objects), ...inside];
    if (all.some((one) => one.isSymbolicLink())) return false;
    const { bytes } = await runGit(["cat-file", "commit", commit], { cwd: root, gitDir });
    // Git itself does not compare an old commit with its name.
    return objectIdOf("commit", bytes, commit.length) === commit;
  } catch {
    return false;
  }
}

/** Whether it was learnt in this folder, or before it was moved here; or there is none to learn. */
export function isRepositoryMet(cwd: string, places: Places): boolean {
  const directory = findGitDirectory(realPathOf(cwd));
  return !directory || isUnborn(directory) || entryOf(directory, readKnownRepositories(places)) !== undefined;
}

export function isRepositoryLearnt(cwd: string, places: Places): boolean {
  const directory = findGitDirectory(realPathOf(cwd));
  if (!directory) return true;
  const known = readKnownRepositories(places);
  const entry = known.get(directory.place);
  if (!entry || entry.inode !== inodeOf(directory)) return false;
  const hasRoot = entry.root !== undefined || readHead(directory).commit === undefined;
  // A name may be found its own by now; the first commit alone, which a fork claims, is not: git is not asked again.
  const isFork = (): boolean =>
    entry.claims.join() === `root:${entry.root}` && !identify(directory, known, entry, entry.root).isAlike;
  const isNamed = remoteNames(directory).every((name) => entry.names.includes(name));
  return hasRoot && isNamed && (entry.claims.length === 0 || isFork());
}

/** Whether a memory's `scope.repo` (a name, also with `*` at its end, a remote URL or `root:<commit>`) means this repository. */
export function isSameRepository(scopeRepo: string, repository: Pick<Repository, "aliases">): boolean {
  const wanted = [scopeRepo.trim(), remoteName(scopeRepo) ?? ""];
  return repository.aliases.some((alias) => wanted.some((name) => matchesName(name, alias)));
}

/** Whether a name is the one that is meant, or begins as one with `*` at its end does. Case does not count. */
function matchesName(meant: string, name: string): boolean {
  const [pattern, text] = [meant.toLowerCase(), name.toLowerCase()];
  return pattern.endsWith("*") ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
}

function describe(directory: GitDirectory, known: Map<string, KnownRepository>): Repository {
  const entry = entryOf(directory, known);
  const { branch, commit } = readHead(directory);
  const { names, claims } = identify(directory, known, entry, entry?.root);
  // What is only claimed in part is not taken for the rest: a fork carries its own name and somebody's first commit.
  const root = claims.includes(`root:${entry?.root}`) ? undefined : entry?.root;
  const clones = [...known.values()].filter(
    (other) => root !== undefined && other.root === root && !other.claims.includes(`root:${root}`),
  );
  const given = [...names, ...clones.flatMap((clone) => clone.names)];
  const isLocal = (name: string): boolean => name.startsWith("local:");
  const aliases = unique([
    ...given.filter((name) => !isLocal(name)),
    ...(root === undefined ? [] : [`root:${root}`]),
    ...given.filter(isLocal),
    localName(directory),
  ]);
  return {
    root: directory.root,
    gitDir: directory.gitDir,
    branch,
    head: commit,
    name: aliases[0] ?? localName(directory),
    aliases,
    ...(claims.length > 0 && { claims }),
  };
}

function remoteNames(directory: GitDirectory, hops = MAX_LOCAL_HOPS): string[] {
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
  if (!source || source.place === directory.place) return [];
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
function localName({ place }: Pick<GitDirectory, "place">): string {
  const hash = sha256Hex(place).slice(0, 12);
  return `local:${folderOf(place)}-${hash}`;
}

/** What is known under this path, or under the path that the same directory had before it was moved. */
function entryOf(directory: GitDirectory, known: Map<string, KnownRepository>): KnownRepository | undefined {
  const inode = inodeOf(directory);
  const here = known.get(directory.place);
  // The inode without the time of birth: some file systems keep none.
  if (here && here.inode.split("@")[0] === inode.split("@")[0]) return here;
  return inode === "" ? undefined : [...known.values()].find((entry) => entry.inode === inode);
}

function inodeOf({ place }: GitDirectory): string {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}@${Math.floor(stats.birthtimeMs)}` : "";
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

/** A history that takes longer to walk than this, in milliseconds, has no known root. */
const TIMEOUT_MS = 5000;
/** There are as many roots as histories were joined. */
const MAX_BYTES = 64 * 1024;

/** First commit of the main line, without merged histories. Undefined for none, a shallow clone, or a slow walk. */
async function findRootCommit(directory: GitDirectory): Promise<string | undefined> {
  if (existsSync(join(directory.commonDir, "shallow")) || isUnborn(directory)) return undefined;
  try {
    const { stdout } = await runGit(["rev-list", "--max-parents=0", "--first-parent", "HEAD"], {
      cwd: directory.root,
      gitDir: directory.gitDir,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    const root = stdout.trim().split("\n").at(-1) ?? "";
    return /^[0-9a-f]{40,64}$/.test(root) ? root : undefined;
  } catch {
    return undefined;
  }
}

const MAX_URL_CHARS = 2048;

/** Hosts that serve the same repositories under another name (ssh over port 443, Azure's ssh host). */
const HOST_ALIASES: Readonly<Record<string, string>> = {
  "ssh.github.com": "github.com",
  "altssh.gitlab.com": "gitlab.com",
  "altssh.bitbucket.org": "bitbucket.org",
  "ssh.dev.azure.com": "dev.azure.com",
};

const CASELESS_HOSTS = new Set([
  "github.com",
  "gitlab.com",
  "bitbucket.org",
  "dev.azure.com",
  "codeberg.org",
]);

/** Host and path of a remote URL: `github.com/acme/api` for `git@github.com:acme/api.git`. Undefined for local paths. */
export function remoteName(url: string): string | undefined {
  const text = url.trim();
  if (text.length > MAX_URL_CHARS || /[\s\p{C}]/u.test(text)) return undefined;
  const match =
    /^(?:[a-z][a-z0-9+.-]*):\/\/(?:[^/@]*@)?(\[[^\]/]+\]|[^/:@]+)(?::\d*)?\/(.*)$/i.exec(text) ??
    // scp-like: one letter before the colon is a Windows drive, `//` after it another protocol.
    /^(?:[^/@:]+@)?(\[[^\]/]+\]|[^/:@]{2,}):(?!\/\/)(.+)$/.exec(text) ??
    // As a person writes it in a scope: host with a dot, then the path.
    /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)\/(.+)$/i.exec(text);
  if (!match || /^file:/i.test(text)) return undefined;
  const lower = (match[1] ?? "").toLowerCase();
  const host = HOST_ALIASES[lower] ?? lower;
  const path = cleanPath(match[2] ?? "", host);
  if (path === "") return undefined;
  return `${host}/${CASELESS_HOSTS.has(host) ? path.toLowerCase() : path}`;
}

function cleanPath(path: string, host: string): string {
  const parts = path
    .replace(/[?#].*$/, "")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  const named =
    host === "dev.azure.com"
      ? parts.filter((part, i) => part !== "_git" && !(i === 0 && part === "v3"))
      : parts;
  return named.join("/").replace(/\.git$/i, "");
}

/** Stands for the repository where there is none: what is scoped to it holds in that folder alone. */
export const folderScope = (cwd: string): string => `folder:${cwd}`;

/** What this machine remembers of a repository, so that it keeps its name when the remote goes or the folder moves. */
export interface KnownRepository {
  names: string[];
  /** Its first commit; undefined until it was asked for, or when the clone is too shallow to tell. */
  root: string | undefined;
  /** Inode and time of birth of its common directory: the same directory under another path. */
  inode: string;
  /** Names, and first commit as `root:…`, that it gives itself and another place has: they do not count here. */
  claims: string[];
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
      seen: fields.text("seen") ?? "",
    });
  }
  return known;
}

/** Leaves a newer heed's file alone. Two writers at once may lose one entry, which is learnt again. */
export function rememberRepository(places: Places, commonDir: string, entry: KnownRepository): void {
  const file = knownRepositoriesFile(places);
  const known = readKnownRepositories(places).set(commonDir, entry);
  if (newerAt(file)) return;
  const kept = [...known].sort(([, a], [, b]) => b.seen.localeCompare(a.seen)).slice(0, MAX_REPOSITORIES);
  const content = { repositories: Object.fromEntries(kept) };
  writeVersioned(file, FORMATS.repositories, content, { indent: 2, isDurable: false });
}

const SHOWN_COMMIT_CHARS = 8;

/** Name to show, never to compare: that of the remote, else of its folder here (of `gitDir`, else the latest). */
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

function folderOf(gitDirectory: string): string {
  const folder = basename(gitDirectory) === ".git" ? dirname(gitDirectory) : gitDirectory;
  return basename(folder).replace(/\.git$/, "");
}
