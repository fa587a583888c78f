import { join } from "node:path";
import type { Actor } from "../../memory/memory.ts";
import { HeedError, invalidInput } from "../../machine/heed-error.ts";
import type { FileChange } from "../history/change-record.ts";
import { commitChanges, isStoreFile } from "../history/commit-changes.ts";
import type { FileMemoryStore } from "../file-memory-store.ts";
import { fold } from "../stored-files.ts";
import { type QueuedVersion, type SyncPlan, type SyncSide, planSync } from "./plan-sync.ts";
import { wholeAddress } from "./remote-address.ts";
import { memoryIdIn } from "../files/scan-store.ts";
import { TOMBSTONE_FOLDER } from "../files/tombstone.ts";
import { withLock } from "../../machine/file-lock.ts";
import type { TreeEntry } from "../../machine/blobs.ts";
import { UserRepository } from "../history/user-repository.ts";
import type { Environment } from "../../machine/places.ts";

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
