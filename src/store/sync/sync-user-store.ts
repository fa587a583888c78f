import { setYamlValue } from "../../memory/codec/encode-memory.ts";
import { parseYaml } from "../../memory/codec/front-matter.ts";
import { memoryIdIn, MAX_FILE_BYTES } from "../files/scan-store.ts";
import { mergeLines } from "../history/unified-diff.ts";
import { fold } from "../stored-files.ts";
import { CONFIG_FILE } from "../config/store-config.ts";
import { TOMBSTONE_FOLDER } from "../files/tombstone.ts";
import { join } from "node:path";
import type { Actor } from "../../memory/memory.ts";
import { HeedError, invalidInput } from "../../machine/heed-error.ts";
import type { FileChange } from "../history/change-record.ts";
import { commitChanges, isStoreFile } from "../history/commit-changes.ts";
import type { FileMemoryStore } from "../file-memory-store.ts";
import { wholeAddress } from "./team-repository.ts";
import { withLock } from "../../machine/file-lock.ts";
import type { TreeEntry } from "../../machine/blobs.ts";
import { UserRepository } from "../history/user-repository.ts";
import type { Environment } from "../../machine/places.ts";

export type SyncSide = ReadonlyMap<string, string>;

interface Version {
  file: string;
  text: string;
}

/** A version, and where it stood, that waits for the user's word: of a memory changed on two sides, or whose place is taken. */
export interface QueuedVersion extends Version {
  /** What stays in the store under the same id or name. */
  kept: Version;
  reason: string;
}

export interface SyncPlan {
  files: Map<string, string | null>;
  queued: QueuedVersion[];
  pulled: number;
  pushed: number;
  /** Files that are no memory or no configuration over there any more: they stay as they were. */
  refused: string[];
}

/**
 * Merges two sides memory by memory, matched by id, else by path. Edited on both: ours stays, theirs is queued; an edit
 * outlives a removal and is queued. Without a base the two were made apart.
 */
export function planSync(base: SyncSide, ours: SyncSide, remote: SyncSide): SyncPlan {
  const refused = [...remote].flatMap(([file, text]) => (isBroken(file, text, base.get(file)) ? [file] : []));
  const theirs = new Map([...remote].filter(([file]) => !refused.includes(file) || base.has(file)));
  for (const file of refused) if (base.has(file)) theirs.set(file, base.get(file) ?? "");
  const [inBase, inOurs, inTheirs] = [versionsByKey(base), versionsByKey(ours), versionsByKey(theirs)];
  const queued: QueuedVersion[] = [];
  const result = new Map<string, string>();
  const incoming: { version: Version; own: Version | undefined }[] = [];
  for (const key of new Set([...inOurs.keys(), ...inTheirs.keys(), ...inBase.keys()])) {
    const [own, other] = [inOurs.get(key), inTheirs.get(key)];
    const version = isSame(own, other) ? own : mergeVersions(inBase.get(key), own, other, queued);
    // What is here already keeps its place; what comes in takes one that is free.
    if (version && isSame(version, own)) result.set(version.file, version.text);
    else if (version) incoming.push({ version, own });
  }
  const taken = new Map([...result.keys()].map((file) => [fold(file), file]));
  for (const { version, own } of incoming) {
    const occupant = taken.get(fold(version.file));
    const isOwnFree = own !== undefined && !taken.has(fold(own.file));
    if (occupant === undefined || isOwnFree) {
      const file = occupant === undefined || !own ? version.file : own.file;
      result.set(file, version.text);
      taken.set(fold(file), file);
      continue;
    }
    const kept = { file: occupant, text: result.get(occupant) ?? "" };
    if (!isLikelyDuplicate(kept.text, version.text))
      queued.push({ ...version, kept, reason: "made on two sides under one name" });
  }
  const merged = versionsByKey(result);
  const changesOf = (side: ReadonlyMap<string, Version>): number =>
    [...new Set([...side.keys(), ...merged.keys()])].filter((key) => !isSame(side.get(key), merged.get(key)))
      .length;
  addOtherFiles(base, ours, theirs, result);
  const files = new Map<string, string | null>();
  for (const [file, text] of result) if (ours.get(file) !== text) files.set(file, text);
  for (const file of ours.keys()) if (!result.has(file)) files.set(file, null);
  return { files, queued, pulled: changesOf(inOurs), pushed: refused.length + changesOf(inTheirs), refused };
}

/** Whether a text of the other side cannot follow what was there: torn, in conflict, emptied, or too large to be read. */
function isBroken(file: string, text: string, before: string | undefined): boolean {
  if (text.length > MAX_FILE_BYTES) return true;
  if (isMemoryFile(file)) return memoryIdIn(before ?? "") !== undefined && memoryIdIn(text) === undefined;
  try {
    if (file === CONFIG_FILE) parseYaml(text);
    return false;
  } catch {
    return true;
  }
}

function mergeVersions(
  base: Version | undefined,
  ours: Version | undefined,
  theirs: Version | undefined,
  queued: QueuedVersion[],
): Version | undefined {
  if (isSame(ours, base)) return theirs;
  if (isSame(theirs, base)) return ours;
  if (isRemoved(ours) !== isRemoved(theirs)) {
    const [living, removed] = isRemoved(ours) ? [theirs, ours] : [ours, theirs];
    if (removed && living?.text === base?.text) return removed;
    if (living) queued.push({ ...living, kept: living, reason: removedReason(removed === ours) });
    return living;
  }
  // Two removals differ in time and reason alone: there is nothing to ask.
  if (!ours || !theirs || isRemoved(ours)) return ours ?? theirs;
  const file = base && ours.file === base.file ? theirs.file : ours.file;
  if (base && ours.text === base.text) return { file, text: theirs.text };
  if (theirs.text !== base?.text && !isLikelyDuplicate(ours.text, theirs.text))
    queued.push({ ...theirs, kept: { file, text: ours.text }, reason: "edited on two sides" });
  return { file, text: ours.text };
}

function removedReason(isRemovedHere: boolean): string {
  const [removed, edited] = isRemovedHere ? ["here", "there"] : ["there", "here"];
  return `removed ${removed} and edited ${edited}: the edit is kept; remove the memory again if it is no longer wanted`;
}

/** Memories of a side by id; by path where a memory has none, or where two files give the same one. */
function versionsByKey(side: SyncSide): Map<string, Version> {
  const counts = new Map<string, number>();
  const memories = [...side].filter(([file]) => isMemoryFile(file));
  const ids = new Map(memories.map(([file, text]) => [file, memoryIdIn(text)]));
  for (const id of ids.values()) if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  return new Map(
    memories.map(([file, text]) => {
      const id = ids.get(file);
      return [id !== undefined && counts.get(id) === 1 ? `id ${id}` : `file ${file}`, { file, text }];
    }),
  );
}

/** The configuration is merged by lines, ours stays where that fails; of what is ignored nothing is dropped: it would be pushed. */
function addOtherFiles(base: SyncSide, ours: SyncSide, theirs: SyncSide, result: Map<string, string>): void {
  for (const file of new Set([...ours.keys(), ...theirs.keys()])) {
    if (isMemoryFile(file)) continue;
    const [b, o, t] = [base.get(file), ours.get(file), theirs.get(file)];
    const text =
      o === b ? t : t === b ? o : o === undefined || t === undefined ? (o ?? t) : mergeMemory(file, b, o, t);
    if (text !== undefined) result.set(file, text);
  }
}

function mergeMemory(file: string, base: string | undefined, ours: string, theirs: string): string {
  const more = theirs.split("\n").filter((line) => !ours.split("\n").includes(line));
  if (file !== CONFIG_FILE) return [ours.replace(/\n$/, ""), ...more, ""].join("\n");
  if (base !== undefined) return mergeLines(base, ours, theirs) ?? ours;
  // Two stores that were made apart become one: the remote's identity, so that any number of machines agree.
  const id = /^store:[ \t]*(\S+)/m.exec(theirs)?.[1];
  return id === undefined ? ours : setYamlValue(ours, ["store"], id);
}

/** Whether two versions differ in nothing that anybody said: ids and times apart. */
function isLikelyDuplicate(one: string, other: string): boolean {
  const said = (text: string): string =>
    text.replace(/^[ \t]*(?:id|created|updated|verified):.*\n/gm, "").trim();
  return said(one) === said(other);
}

function isMemoryFile(file: string): boolean {
  return /\.(md|markdown)$/i.test(file);
}

function isRemoved(version: Version | undefined): boolean {
  return version?.file.startsWith(`${TOMBSTONE_FOLDER}/`) ?? true;
}

function isSame(a: Version | undefined, b: Version | undefined): boolean {
  return a?.file === b?.file && a?.text === b?.text;
}

interface SyncRequest {
  store: FileMemoryStore;
  env: Environment;
  remote: string | undefined;
  isReadOnly: boolean;
  cwd: string;
  actor: Actor;
  now: () => Date;
  /** Takes a version that waits for the user's word; gives the name under which it waits. */
  queue: (version: QueuedVersion) => string;
}

interface SyncOutcome {
  remote: string;
  pulled: number;
  pushed: number;
  queued: string[];
  /** What came, a line each, as `removed feedback/no-verify`: what was removed and rules first. */
  details: string[];
}

/** How often a sync begins again when others write to the store or the remote meanwhile. */
const MAX_ROUNDS = 8;

/**
 * Carries a user store to a remote and back. Writes nothing to a memory but what one side wrote.
 * @throws HeedError `git-failed` (no git, access or network), `invalid-input`, `locked`.
 */
export async function syncUserStore(request: SyncRequest): Promise<SyncOutcome> {
  const { ref, state } = request.store;
  const repository = new UserRepository(ref.root, request.env);
  return withLock(join(state.folder, "sync-lock"), { what: "sync", waitMs: 60_000 }, async () => {
    await repository.make();
    const remote = await remoteOf(repository, request.remote, request.cwd);
    const outcome: SyncOutcome = { remote, pulled: 0, pushed: 0, queued: [], details: [] };
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const branch = repository.branch();
      if (branch === undefined) {
        const message = `${ref.root} is in the middle of a git operation: finish it, then sync again`;
        throw new HeedError("git-failed", message, { args: [], exitCode: null, stderr: "" });
      }
      const there = await fetchFrom(repository, remote, branch);
      const merged = await merge(request, repository, branch, there.commit);
      if (!merged) continue;
      outcome.pulled += merged.plan.pulled;
      outcome.queued.push(...merged.queued);
      outcome.details.push(...merged.details);
      if (request.isReadOnly) return outcome;
      outcome.pushed = merged.plan.pushed;
      if (merged.commit === there.commit || merged.commit === undefined) return outcome;
      const pushed = `${merged.commit}:refs/heads/${there.branch}`;
      try {
        await repository.git(["push", "--quiet", "--no-verify", REMOTE, pushed], NETWORK);
        return outcome;
      } catch (error) {
        const { commit } = await fetchFrom(repository, remote, branch);
        // Somebody else was faster: their change is brought in first.
        if (commit === undefined || commit === there.commit) throw error;
      }
    }
    const message = `others write to ${remote} or to this store all the time: try again later`;
    throw new HeedError("locked", message, { lock: remote, waitedMs: 0 });
  });
}

interface Merged extends Pick<SyncOutcome, "queued" | "details"> {
  plan: SyncPlan;
  commit: string | undefined;
}

/** Brings theirs in; undefined when somebody wrote to the store meanwhile, so that it must be looked at again. */
async function merge(
  { store, actor, now, queue }: SyncRequest,
  repository: UserRepository,
  branch: string,
  theirs: string | undefined,
): Promise<Merged | undefined> {
  const { state, journal } = store;
  return withLock(state.commitLock, { what: "sync", waitMs: 30_000 }, async () => {
    await commitChanges(repository, journal, state, now());
    const ours = await repository.commitOf("HEAD");
    const asked =
      ours && theirs ? await repository.git(["merge-base", ours, theirs], { mayAnswerNo: true }) : undefined;
    const base = asked?.stdout.trim() || undefined;
    const sides = await readSides(repository, [base, ours, theirs]);
    const plan = planSync(...sides);
    if (theirs === undefined || base === theirs) return { plan, queued: [], details: [], commit: ours };
    // Queued before anything is written: a crash in between asks the user twice, and loses nothing.
    const queued = plan.queued.map((version) => queue(version));
    const files = [...plan.files].map(([file, after]): FileChange => {
      return { file, before: sides[1].get(file) ?? null, after };
    });
    const why = `sync: ${plan.pulled} ${plan.pulled === 1 ? "memory" : "memories"} from the remote`;
    try {
      const { id } = await store.change(files, { why, actor, merges: theirs });
      if ((ours === undefined || base === ours) && plan.pushed === 0) {
        await repository.git(["update-ref", branch, theirs, ours ?? ""]);
        await repository.resetIndex();
        journal.forget([id]);
      } else await commitChanges(repository, journal, state, now());
    } catch (error) {
      if (error instanceof HeedError && error.code === "changed-outside") return undefined;
      throw error;
    }
    const commit = await repository.commitOf("HEAD");
    return { plan, queued, details: detailsOf(files, plan.refused), commit };
  });
}

function detailsOf(files: readonly FileChange[], refused: readonly string[]): string[] {
  const live = files.filter(({ file, after }) => after !== null && !file.startsWith(`${TOMBSTONE_FOLDER}/`));
  const idsOf = (texts: readonly (string | null)[]): Set<string | undefined> =>
    new Set(texts.map((text) => memoryIdIn(text ?? "")));
  const before = idsOf(files.map((change) => change.before));
  const after = idsOf(live.map((change) => change.after));
  const lines = files.flatMap((change): string[] => {
    const name = change.file.replace(/\.(md|markdown)$/i, "");
    const id = memoryIdIn(change.after ?? change.before ?? "");
    if (live.includes(change))
      return [`${change.before === null && !before.has(id) ? "new" : "changed"} ${name}`];
    return change.before === null || (id !== undefined && after.has(id)) ? [] : [`removed ${name}`];
  });
  const kept = refused.map((file) => `kept ours of ${file}: the one there is broken`);
  const isFirst = (line: string): boolean => /^removed | feedback\//.test(line);
  return [...kept, ...lines.filter(isFirst), ...lines.filter((line) => !isFirst(line))];
}

/** The three sides, without what they all have in common; reading a large store whole would take its time. */
async function readSides(
  repository: UserRepository,
  commits: readonly (string | undefined)[],
): Promise<[base: SyncSide, ours: SyncSide, theirs: SyncSide]> {
  const trees = await Promise.all(
    commits.map(async (commit) => {
      const tree = commit === undefined ? new Map<string, TreeEntry>() : await repository.tree(commit);
      // A tree from elsewhere may hold links, submodules and paths that lead out of the store: none of it is taken.
      return new Map([...tree].filter(([file, entry]) => isStoreFile(file) && entry.mode.startsWith("100")));
    }),
  );
  const compared = trees.slice(commits[0] === undefined ? 1 : 0);
  const paths = new Set(trees.flatMap((tree) => [...tree.keys()]));
  const isCommon = (file: string): boolean =>
    new Set(compared.map((tree) => tree.get(file)?.blob)).size === 1;
  // What is one file with another where cases do not count is looked at with it.
  const wanted = new Set([...paths].filter((file) => !isCommon(file)).map(fold));
  const read = trees.map((tree) => [...tree.values()].filter(({ file }) => wanted.has(fold(file))));
  const texts = await repository.texts([...new Set(read.flat().map(({ blob }) => blob))]);
  const sideAt = (at: number): SyncSide =>
    new Map(
      read[at]?.flatMap(({ file, blob }): [string, string][] => {
        const text = texts.get(blob);
        return text === undefined ? [] : [[file, text]];
      }),
    );
  return [sideAt(0), sideAt(1), sideAt(2)];
}

const REMOTE = "origin";
const HEADS = `+refs/heads/*:refs/remotes/${REMOTE}/*`;
const NETWORK = { withUserConfig: true, timeoutMs: 120_000 };

/** The address of the remote, which is recorded; default: the recorded one. @throws HeedError `invalid-input`. */
async function remoteOf(
  repository: UserRepository,
  address: string | undefined,
  cwd: string,
): Promise<string> {
  const asked = await repository.git(["config", "--get", `remote.${REMOTE}.url`], { mayAnswerNo: true });
  const known = asked.stdout.trim();
  if (address === undefined && known !== "") return known;
  if (address === undefined) {
    const message = "no remote is known yet: give its address or path once, heed remembers it";
    throw invalidInput("remote", undefined, message);
  }
  const wanted = wholeAddress(address.trim(), cwd);
  if (wanted !== known) {
    await repository.git(["config", `remote.${REMOTE}.url`, wanted]);
    await repository.git(["config", `remote.${REMOTE}.fetch`, HEADS]);
  }
  return wanted;
}

/** Fetches; gives the remote's branch of that name, or its only one, and its commit: undefined for an empty remote. */
async function fetchFrom(
  repository: UserRepository,
  address: string,
  branch: string,
): Promise<{ commit: string | undefined; branch: string }> {
  await repository.git(["fetch", "--quiet", "--no-tags", "--prune", REMOTE, HEADS], NETWORK);
  const format = "--format=%(objectname) %(refname)";
  const { stdout } = await repository.git(["for-each-ref", format, `refs/remotes/${REMOTE}`]);
  const heads = [...stdout.matchAll(/^(\S+) refs\/remotes\/origin\/(?!HEAD$)(.+)$/gm)].map(
    ([, commit = "", name = ""]) => ({ commit, branch: name }),
  );
  const own = branch.replace("refs/heads/", "");
  const found = heads.find((head) => head.branch === own) ?? (heads.length === 1 ? heads[0] : undefined);
  if (found || heads.length === 0) return found ?? { commit: undefined, branch: own };
  const others = `${address} has no branch "${own}" but ${heads.length} others: give heed a repository of its own`;
  throw invalidInput("remote", address, others);
}
