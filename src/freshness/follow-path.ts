import type { Tree } from "./verdict.ts";
import type { CommitName, RepositoryHistory } from "./repository-history.ts";
import type { Definition } from "./source/mask-source.ts";
import { findDefinitions, findSymbol } from "./source/find-definitions.ts";

/** Where a path went. */
export interface PathMove {
  /** Where it is now; undefined: removed, and nothing took its place. */
  to: string | undefined;
  /** The commit that moved or removed it first; undefined: not committed. */
  since: CommitName | undefined;
  isCertain: boolean;
  /** A commit outside of HEAD's history that has it, where HEAD's never had it and nothing there is like it. */
  elsewhere?: string;
}

const MAX_HOPS = 20;
const MAX_COMPARED = 40;
/** A file of the same name that shares this much is the same file, moved and edited in one commit. */
const LIKE_ENOUGH = 0.3;
/** A kept name weighs as much as this share of the content. */
const KEPT_NAME = 0.2;

/**
 * Where a file or folder that is not in the tree any more went: by what is staged, by the commit that removed it, hop by
 * hop, and where the branch at hand never had it (a squash, a switch of branches) by the commit at which the memory was
 * written or by any commit that still has it.
 *
 * @param origin the commit at which the memory was written, if it says.
 */
export async function followPath(
  path: string,
  tree: Tree,
  history: RepositoryHistory,
  origin: string | undefined,
): Promise<PathMove> {
  if ((await history.textAt("HEAD", path)) !== undefined) return followUncommitted(path, tree, history);
  const from = origin !== undefined && (await history.hasCommit(origin)) ? origin : undefined;
  let at = path;
  let since: CommitName | undefined;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const removal = await history.removalOf(at, from);
    if (!removal) break;
    since ??= removal;
    const to = await targetIn(removal.id, at, history);
    if (to === undefined) return { ...(await byName(path, at, `${removal.id}^1`, tree, history)), since };
    if (tree.look(to.path).kind !== "missing") return { to: to.path, since, isCertain: to.isCertain };
    at = to.path;
  }
  if (since) return { to: undefined, since, isCertain: true };
  return followElsewhere(path, tree, history, from);
}

/** HEAD has it, the work tree does not. */
async function followUncommitted(path: string, tree: Tree, history: RepositoryHistory): Promise<PathMove> {
  const staged = await history.stagedRename(path);
  if (staged !== undefined && tree.look(staged).kind === "file")
    return { to: staged, since: undefined, isCertain: true };
  const text = (await history.textAt("HEAD", path)) ?? "";
  const untracked = await history.untracked();
  const name = baseName(path);
  const likely = untracked
    .filter((other) => baseName(other) === name || extension(other) === extension(path))
    .sort((a, b) => Number(baseName(b) === name) - Number(baseName(a) === name))
    .slice(0, MAX_COMPARED);
  const best = mostLike(text, likely, tree, 0.5);
  return { to: best, since: undefined, isCertain: best !== undefined };
}

async function targetIn(
  commit: string,
  path: string,
  history: RepositoryHistory,
): Promise<{ path: string; isCertain: boolean } | undefined> {
  const renamed = await history.renameBetween(`${commit}^1`, commit, path);
  if (renamed !== undefined && baseName(renamed) === baseName(path))
    return { path: renamed, isCertain: true };
  const text = await history.textAt(`${commit}^1`, path);
  if (text === undefined) return undefined;
  const added = (await history.addedIn(commit))
    .filter((other) => baseName(other) === baseName(path))
    .slice(0, MAX_COMPARED);
  const texts = await history.textsAt(commit, [...added, renamed ?? ""]);
  const similarityOf = (other: string): number => textSimilarity(text, texts.get(other) ?? "");
  // Git pairs by content alone: of a file that was split, the part that kept the name is the file.
  const least =
    renamed === undefined ? LIKE_ENOUGH : Math.max(LIKE_ENOUGH, similarityOf(renamed) - KEPT_NAME);
  let best: { path: string; similarity: number } | undefined;
  for (const other of added) {
    const similarity = similarityOf(other);
    if (similarity >= least && similarity > (best?.similarity ?? 0)) best = { path: other, similarity };
  }
  const to = best?.path ?? renamed;
  return to === undefined ? undefined : { path: to, isCertain: true };
}

/** The history at hand never had the path; `origin` is a commit that is there. */
async function followElsewhere(
  path: string,
  tree: Tree,
  history: RepositoryHistory,
  origin: string | undefined,
): Promise<PathMove> {
  const touch = await history.lastTouchAnywhere(path);
  const candidates = [
    ...(origin === undefined ? [] : [origin]),
    ...(touch ? [touch.id, `${touch.id}^1`] : []),
  ];
  for (const commit of candidates) {
    if ((await history.textAt(commit, path)) === undefined) continue;
    const renamed = await history.renameBetween(commit, "HEAD", path);
    if (renamed !== undefined && tree.look(renamed).kind !== "missing")
      return { to: renamed, since: await history.additionOf(renamed), isCertain: true };
    const found = await byName(path, path, commit, tree, history);
    if (found.to !== undefined) return { ...found, since: await history.additionOf(found.to) };
    const isElsewhere =
      !commit.endsWith("^1") && (await history.git(["rev-list", "-n1", `HEAD..${commit}`])) !== "";
    return { ...found, since: undefined, ...(isElsewhere && { elsewhere: commit }) };
  }
  return { to: undefined, since: undefined, isCertain: false };
}

/** A file of the same name elsewhere whose content is like what the path held in a revision. */
async function byName(
  path: string,
  last: string,
  revision: string,
  tree: Tree,
  history: RepositoryHistory,
): Promise<Omit<PathMove, "since">> {
  const text = await history.textAt(revision, last);
  const name = baseName(path);
  if (text === undefined) return { to: undefined, isCertain: false };
  const likely = [...(await history.filesOf("HEAD")).keys()]
    .filter((other) => baseName(other) === name)
    .slice(0, MAX_COMPARED);
  const best = mostLike(text, likely, tree, LIKE_ENOUGH);
  return { to: best, isCertain: false };
}

function mostLike(text: string, paths: readonly string[], tree: Tree, least: number): string | undefined {
  let best: { path: string; similarity: number } | undefined;
  for (const path of paths) {
    const read = tree.text(path);
    const similarity = "text" in read ? textSimilarity(text, read.text) : 0;
    if (similarity >= least && similarity > (best?.similarity ?? 0)) best = { path, similarity };
  }
  return best?.path;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function extension(path: string): string {
  const name = baseName(path);
  return name.includes(".") ? name.slice(name.lastIndexOf(".")) : "";
}

const MAX_FOLLOWED = 30;

/** Where a folder that is not in the tree any more went: to where most of its files went. */
export async function followFolder(path: string, tree: Tree, history: RepositoryHistory): Promise<PathMove> {
  const removal = await history.removalOf(path);
  if (!removal) return { to: undefined, since: undefined, isCertain: false };
  const files = [...(await history.filesOf(`${removal.id}^1`)).keys()]
    .filter((file) => file.startsWith(`${path}/`))
    .slice(0, MAX_FOLLOWED);
  const votes = new Map<string, number>();
  for (const file of files) {
    const to = await history.renameBetween(`${removal.id}^1`, removal.id, file);
    const rest = file.slice(path.length);
    const folder = to?.endsWith(rest) ? to.slice(0, -rest.length) : undefined;
    if (folder !== undefined) votes.set(folder, (votes.get(folder) ?? 0) + 1);
  }
  const [best] = [...votes].sort((a, b) => b[1] - a[1]);
  const isThere = best !== undefined && tree.look(best[0]).kind === "folder";
  return {
    to: isThere ? best[0] : undefined,
    since: removal,
    isCertain: isThere && best[1] * 2 > files.length,
  };
}

const MAX_COMPARED_CHARS = 200_000;

/** How much two texts share, 0 to 1: lines in common over the lines of the longer one, blank ones aside. */
function textSimilarity(one: string, other: string): number {
  const a = linesOf(one);
  const b = linesOf(other);
  if (a.length === 0 || b.length === 0) return 0;
  const left = new Map<string, number>();
  for (const line of a) left.set(line, (left.get(line) ?? 0) + 1);
  let shared = 0;
  for (const line of b) {
    const count = left.get(line) ?? 0;
    if (count === 0) continue;
    shared += 1;
    left.set(line, count - 1);
  }
  return shared / Math.max(a.length, b.length);
}

function linesOf(text: string): string[] {
  return text
    .slice(0, MAX_COMPARED_CHARS)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

interface SymbolMove {
  path: string;
  symbol: string;
  isCertain: boolean;
}

const MAX_FILES = 60;
/** A body that shares this much under another name is the same thing renamed. */
const SAME_BODY = 0.6;

/**
 * Where a symbol went that a file defined before a commit and does not define after it.
 *
 * @param before the file's text before that commit.
 * @param commit undefined when the change is not committed.
 */
export async function followSymbol(
  subject: { path: string; symbol: string },
  before: string,
  commit: string | undefined,
  tree: Tree,
  history: RepositoryHistory,
): Promise<SymbolMove | undefined> {
  const { path, symbol } = subject;
  const moved = await movedTo(subject, commit, tree, history);
  if (moved) return moved;
  const now = tree.text(path);
  if (!("text" in now)) return undefined;
  const old = findDefinitions(path, before) ?? [];
  const gone = findSymbol(old, symbol);
  const current = findDefinitions(path, now.text) ?? [];
  if (!gone) return undefined;
  const renamed = renamedTo(gone, before, old, current, now.text);
  if (!renamed) return undefined;
  const outer = symbol.slice(0, symbol.length - gone.name.length);
  return { path, symbol: outer + renamed.name, isCertain: true };
}

async function movedTo(
  { path, symbol }: { path: string; symbol: string },
  commit: string | undefined,
  tree: Tree,
  history: RepositoryHistory,
): Promise<SymbolMove | undefined> {
  const name = symbol.split(/\.|::|#/).at(-1) ?? symbol;
  const defines = (file: string): boolean => {
    if (file === path) return false;
    const read = tree.text(file);
    const definitions = "text" in read ? findDefinitions(file, read.text) : undefined;
    return definitions !== undefined && findSymbol(definitions, symbol) !== undefined;
  };
  const touched = commit === undefined ? await history.untracked() : await history.touchedIn(commit);
  const near = touched.slice(0, MAX_FILES).filter(defines);
  if (near[0] !== undefined && near.length === 1) return { path: near[0], symbol, isCertain: true };
  const others = (await history.filesWithWord(name)).slice(0, MAX_FILES).filter(defines);
  const all = [...new Set([...near, ...others])];
  const [first] = all;
  if (first === undefined) return undefined;
  // One that was there before as well is a namesake, not the place to which it went.
  const earlier =
    commit === undefined ? new Map<string, string>() : await history.textsAt(`${commit}^1`, all);
  const fresh = all.filter((file) => {
    const text = earlier.get(file);
    return text === undefined || !findSymbol(findDefinitions(file, text) ?? [], symbol);
  });
  const [best] = fresh;
  return best === undefined ? undefined : { path: best, symbol, isCertain: fresh.length === 1 };
}

function renamedTo(
  gone: Definition,
  before: string,
  old: readonly Definition[],
  current: readonly Definition[],
  now: string,
): Definition | undefined {
  const known = new Set(old.map(keyOf));
  const word = new RegExp(`(?<![\\w$])${gone.name.replace(/[$.*+?^{}()|[\]\\]/g, "\\$&")}(?![\\w$])`, "g");
  const body = before.slice(gone.start, gone.end);
  let best: { definition: Definition; similarity: number } | undefined;
  for (const definition of current) {
    if (definition.kind !== gone.kind || known.has(keyOf(definition))) continue;
    const similarity = textSimilarity(
      body.replace(word, () => definition.name),
      now.slice(definition.start, definition.end),
    );
    if (similarity >= SAME_BODY && similarity > (best?.similarity ?? 0)) best = { definition, similarity };
  }
  return best?.definition;
}

function keyOf(definition: Definition): string {
  return `${definition.container.join(".")}.${definition.name}`;
}
