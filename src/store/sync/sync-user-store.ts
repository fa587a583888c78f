import { join } from "node:path";
import type { Actor } from "../../memory/memory.ts";
import { HeedError, invalidInput } from "../../machine/heed-error.ts";
import { readText } from "../../machine/atomic-file.ts";
import type { ChangeJournal } from "../history/change-journal.ts";
import type { FileChange } from "../history/change-record.ts";
import { commitChanges, isStoreFile } from "../history/commit-changes.ts";
import type { FileMemoryStore } from "../file-memory-store.ts";
import { type QueuedVersion, type SyncPlan, type SyncSide, fold, planSync } from "./plan-sync.ts";
import { wholeAddress } from "./remote-address.ts";
import { memoryIdIn } from "../files/scan-store.ts";
import { TOMBSTONE_FOLDER } from "../files/tombstone.ts";
import { withLock } from "../../machine/file-lock.ts";
import type { StoreState } from "../config/store-config.ts";
import type { TreeEntry } from "../../machine/blobs.ts";
import type { UserRepository } from "../history/user-repository.ts";

interface SyncRequest {
  store: FileMemoryStore;
  journal: ChangeJournal;
  state: StoreState;
  repository: UserRepository;
  /** Address of the remote; default: the one used last. */
  remote: string | undefined;
  isReadOnly: boolean;
  cwd: string;
  actor: Actor;
  now: () => Date;
  /** Takes a version that waits for the user's word; gives the name under which it waits. */
  queue: (version: QueuedVersion) => string;
  progress: (done: number, total: number, what: string) => void;
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
  const { state, repository, progress } = request;
  return withLock(join(state.folder, "sync-lock"), { what: "sync", waitMs: 60_000 }, async () => {
    await repository.make();
    const remote = await SyncRemote.open(repository, request.remote, request.cwd);
    const outcome: SyncOutcome = { remote: remote.address, pulled: 0, pushed: 0, queued: [], details: [] };
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const branch = repository.branch();
      if (branch === undefined) {
        throw new HeedError(
          "git-failed",
          `${repository.root} is in the middle of a git operation: finish it, then sync again`,
          { args: [], exitCode: null, stderr: "" },
        );
      }
      progress(1, 3, "fetch");
      const there = await remote.fetch(branch);
      progress(2, 3, "merge");
      const merged = await merge(request, branch, there.commit);
      if (!merged) continue;
      outcome.pulled += merged.plan.pulled;
      outcome.queued.push(...merged.queued);
      outcome.details.push(...merged.details);
      if (request.isReadOnly) return outcome;
      outcome.pushed = merged.plan.pushed;
      progress(3, 3, "push");
      if (merged.commit === there.commit || merged.commit === undefined) return outcome;
      if (await remote.push(merged.commit, there.branch, there.commit)) return outcome;
    }
    throw new HeedError("locked", `others write to ${remote.address} all the time: try again later`, {
      lock: remote.address,
      waitedMs: 0,
    });
  });
}

/** Brings theirs in; undefined when somebody wrote to the store meanwhile, so that it must be looked at again. */
async function merge(
  request: SyncRequest,
  branch: string,
  theirs: string | undefined,
): Promise<
  (Pick<SyncOutcome, "queued" | "details"> & { plan: SyncPlan; commit?: string | undefined }) | undefined
> {
  const { state, journal, repository } = request;
  return withLock(state.commitLock, { what: "sync", waitMs: 30_000 }, async () => {
    await commitChanges(repository, journal, state, request.now());
    const ours = await repository.commitOf("HEAD");
    const base =
      ours && theirs
        ? (await repository.git(["merge-base", ours, theirs], { mayAnswerNo: true })).stdout.trim() ||
          undefined
        : undefined;
    const sides = await readSides(repository, [base, ours, theirs]);
    const plan = planSync(sides[0], sides[1], sides[2]);
    if (theirs === undefined || base === theirs) return { plan, queued: [], details: [], commit: ours };
    // Queued before anything is written: a crash in between asks the user twice, and loses nothing.
    const queued = plan.queued.map((version) => request.queue(version));
    const files = [...plan.files].map(([file, after]): FileChange => {
      return { file, before: sides[1].get(file) ?? null, after };
    });
    try {
      await apply(request, { branch, base, ours, theirs, files, plan });
    } catch (error) {
      if (error instanceof HeedError && error.code === "changed-outside" && isFresh(error, repository))
        return undefined;
      throw error;
    }
    return {
      plan,
      queued,
      details: detailsOf(files, plan.refused),
      commit: await repository.commitOf("HEAD"),
    };
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

async function apply(
  { journal, repository, store, state, actor, now }: SyncRequest,
  step: {
    branch: string;
    base: string | undefined;
    ours: string | undefined;
    theirs: string;
    files: FileChange[];
    plan: SyncPlan;
  },
): Promise<void> {
  const { pulled } = step.plan;
  const why = `sync: ${pulled} ${pulled === 1 ? "memory" : "memories"} from the remote`;
  const record = await store.change(step.files, { why, actor, merges: step.theirs });
  const isFastForward = step.ours === undefined || step.base === step.ours;
  if (isFastForward && step.plan.pushed === 0) {
    await repository.git(["update-ref", step.branch, step.theirs, step.ours ?? ""]);
    await repository.resetIndex();
    journal.forget([record.id]);
  } else {
    await commitChanges(repository, journal, state, now());
  }
}

/** A file that differs from what its history says was edited just now; it is looked at again, unless it cannot be read. */
function isFresh(error: HeedError, repository: UserRepository): boolean {
  const file = error.data["file"];
  return typeof file === "string" && readText(join(repository.root, file)) !== error.data["expected"];
}

/** The three sides, without what they all have in common; reading a large store whole would take its time. */
async function readSides(
  repository: UserRepository,
  commits: readonly (string | undefined)[],
): Promise<[SyncSide, SyncSide, SyncSide]> {
  const trees = await Promise.all(
    commits.map(async (commit) => {
      const tree = commit === undefined ? new Map<string, TreeEntry>() : await repository.tree(commit);
      // A tree from elsewhere may hold links, submodules and paths that lead out of the store: none of it is taken.
      return new Map([...tree].filter(([file, entry]) => isStoreFile(file) && entry.mode.startsWith("100")));
    }),
  );
  const [, ours = new Map<string, TreeEntry>(), theirs = new Map<string, TreeEntry>()] = trees;
  // Two paths that are one file where cases do not count are looked at, whatever they hold.
  const paths = new Set(trees.flatMap((tree) => [...tree.keys()]));
  const counts = new Map<string, number>();
  for (const file of paths) counts.set(fold(file), (counts.get(fold(file)) ?? 0) + 1);
  const isCommon = (file: string): boolean =>
    counts.get(fold(file)) === 1 &&
    ours.has(file) &&
    trees.every((tree) => tree.get(file)?.blob === ours.get(file)?.blob || tree.size === 0) &&
    theirs.has(file);
  const wanted = trees.map((tree) => [...tree.values()].filter(({ file }) => !isCommon(file)));
  const texts = await repository.texts([...new Set(wanted.flat().map(({ blob }) => blob))]);
  const [base, mine, other] = wanted.map(
    (entries) =>
      new Map(
        entries.flatMap(({ file, blob }): [string, string][] => {
          const text = texts.get(blob);
          return text === undefined ? [] : [[file, text]];
        }),
      ),
  );
  return [base ?? new Map(), mine ?? new Map(), other ?? new Map()];
}

const REMOTE = "origin";
const NETWORK_TIMEOUT_MS = 120_000;

class SyncRemote {
  readonly address: string;
  readonly #repository: UserRepository;

  private constructor(repository: UserRepository, address: string) {
    this.#repository = repository;
    this.address = address;
  }

  /** The remote of that address, which is recorded; default: the recorded one. @throws HeedError `invalid-input`. */
  static async open(
    repository: UserRepository,
    address: string | undefined,
    cwd: string,
  ): Promise<SyncRemote> {
    const { stdout } = await repository.git(["config", "--get", `remote.${REMOTE}.url`], {
      mayAnswerNo: true,
    });
    const known = stdout.trim();
    if (address === undefined) {
      if (known !== "") return new SyncRemote(repository, known);
      throw invalidInput(
        "remote",
        undefined,
        "no remote is known yet: give its address or path once, heed remembers it",
      );
    }
    const wanted = wholeAddress(address.trim(), cwd);
    if (wanted !== known) {
      await repository.git(["config", `remote.${REMOTE}.url`, wanted]);
      await repository.git(["config", `remote.${REMOTE}.fetch`, `+refs/heads/*:refs/remotes/${REMOTE}/*`]);
    }
    return new SyncRemote(repository, wanted);
  }

  /** Fetches, and gives the commit of the remote's branch; undefined for an empty remote. */
  async fetch(branch: string): Promise<{ commit: string | undefined; branch: string }> {
    await this.#repository.git(
      ["fetch", "--quiet", "--no-tags", "--prune", REMOTE, `+refs/heads/*:refs/remotes/${REMOTE}/*`],
      { withUserConfig: true, timeoutMs: NETWORK_TIMEOUT_MS },
    );
    const { stdout } = await this.#repository.git([
      "for-each-ref",
      "--format=%(objectname) %(refname)",
      `refs/remotes/${REMOTE}`,
    ]);
    const heads = stdout.split("\n").flatMap((line) => {
      const match = /^(\S+) refs\/remotes\/origin\/(.+)$/.exec(line);
      return match && match[2] !== "HEAD" ? [{ commit: match[1] ?? "", branch: match[2] ?? "" }] : [];
    });
    const own = branch.replace("refs/heads/", "");
    const found = heads.find((head) => head.branch === own) ?? (heads.length === 1 ? heads[0] : undefined);
    if (found) return found;
    if (heads.length > 0) {
      throw invalidInput(
        "remote",
        this.address,
        `${this.address} has no branch "${own}" but ${heads.length} others: give heed a repository of its own`,
      );
    }
    return { commit: undefined, branch: own };
  }

  /** Pushes a commit; false when somebody else was faster, so that their change must be brought in first. */
  async push(commit: string, branch: string, seen: string | undefined): Promise<boolean> {
    try {
      await this.#repository.git(
        ["push", "--quiet", "--no-verify", REMOTE, `${commit}:refs/heads/${branch}`],
        {
          withUserConfig: true,
          timeoutMs: NETWORK_TIMEOUT_MS,
        },
      );
      return true;
    } catch (error) {
      const there = await this.fetch(`refs/heads/${branch}`);
      if (there.commit !== undefined && there.commit !== seen) return false;
      throw error;
    }
  }
}
