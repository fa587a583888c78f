import { existsSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { openedStore } from "../../here/opened-stores.ts";
import type { Place } from "../../here/place.ts";
import { conversationIndexDirectory } from "../../machine/places.ts";
import { keepingApprovals } from "../../here/consent/review-store.ts";
import { MemoryWriter } from "../../write/memory-writer.ts";
import { requirePerson } from "../../write/write-consent.ts";
import { runGit } from "../../machine/run-git.ts";
import type { Actor } from "../../memory/memory.ts";
import { withLock } from "../../machine/file-lock.ts";
import { shellWord } from "../../machine/shell-word.ts";
import { realPathOf } from "../../machine/regular-file.ts";
import { stateOfStore } from "../../store/config/store-config.ts";
import {
  type LeakedFile,
  LeakedValue,
  filesBelow,
  findLeaks,
  scrubFile,
} from "../../store/scrub/scrub-file.ts";
import { readStoreRegistry } from "../../store/consent.ts";

interface OwnedRoot {
  root: string;
  /** Files in it are left alone: another tool owns them, and the user did not allow to write there. */
  isReadOnly: boolean;
}

/** What a scrub found, and what it did. */
export interface ScrubReport {
  /** False: nothing was changed, this is what would be. */
  isApplied: boolean;
  /** Files that held the value before, with how often. */
  files: {
    path: string;
    occurrences: number;
    /** The name of the file or of a folder holds it. */
    isInName: boolean;
    /** It belongs to another tool, and heed may not write there: it is left as it is. */
    isReadOnly: boolean;
  }[];
  /** Folders of search indexes: removed whole, since they come back by themselves. */
  indexes: string[];
  /** Files that still hold the value afterwards: read-only ones. Empty in a dry run. */
  left: string[];
  /** Git repositories whose history holds the value, or may. */
  histories: {
    repository: string;
    /** False: the history was too large to search, or git is missing. */
    isCertain: boolean;
    /** What rewrites the history: not run by heed, as it changes every commit for everybody who has a clone. */
    commands: string[];
  }[];
}

/**
 * Takes a leaked value out of every file that heed owns, without undo. Git histories are searched, not rewritten.
 * @throws HeedError `invalid-input` for a short value, `gate-refused` for anybody but a person, `locked`,
 * `io-failed`.
 */
export async function scrubValue(
  place: Place,
  value: string,
  options: { isApplied?: boolean },
  actor: Actor,
): Promise<ScrubReport> {
  const { isApplied = false } = options;
  requirePerson(
    actor,
    "a scrub cannot be undone: only a person runs it, in a terminal",
    "a person runs heed scrub in a terminal",
  );
  const leaked = new LeakedValue(value);
  const roots = ownedRoots(place);
  const find = (): Map<OwnedRoot, LeakedFile[]> =>
    new Map(roots.map((owned) => [owned, findLeaks(filesOf(owned.root, roots), owned.root, leaked)]));
  const before = find();
  const report: ScrubReport = {
    isApplied,
    files: [...before].flatMap(([{ isReadOnly }, leaks]) => leaks.map((leak) => ({ ...leak, isReadOnly }))),
    indexes: indexFolders(place).filter((path) => existsSync(path)),
    left: [],
    histories: isApplied ? [] : await leakyHistories(roots, value),
  };
  if (!isApplied) return report;
  const writer = new MemoryWriter(place, actor);
  const scrub = async (): Promise<void> => {
    for (const path of report.indexes) rmSync(path, { recursive: true, force: true });
    // Changes that are not in the history yet would bring the value back; and settling writes, so what it carried along
    // is looked at again.
    for (let round = 0; round < 2; round++) {
      for (const store of place.stores.filter(({ isReadOnly }) => !isReadOnly))
        await openedStore(place, store).reconcile();
      for (const owned of roots.filter(({ isReadOnly }) => !isReadOnly))
        await scrubRoot(place, owned, roots, leaked);
    }
  };
  await keepingApprovals(place, () => writer.handOver("scrub", scrub));
  // Whoever read the memories meanwhile built the indexes again, from files too that were left alone.
  for (const path of report.indexes) rmSync(path, { recursive: true, force: true });
  report.left = [...find()].flatMap(([, leaks]) => leaks.map(({ path }) => path));
  report.histories = await leakyHistories(roots, value);
  return report;
}

/** One root under the lock of its store's writers: no change of theirs is torn, and none of them writes it back. */
async function scrubRoot(
  { places }: Place,
  { root }: OwnedRoot,
  roots: readonly OwnedRoot[],
  leaked: LeakedValue,
): Promise<void> {
  const state = stateOfStore(places, root);
  // In the order in which a sync takes them.
  await withLock(state.commitLock, { what: "scrub" }, () =>
    withLock(state.writeLock, { what: "scrub" }, () => {
      for (const path of filesOf(root, roots)) scrubFile(path, root, leaked);
    }),
  );
}

function ownedRoots(place: Place): OwnedRoot[] {
  const { places } = place;
  const registry = readStoreRegistry(places);
  const known = [
    ...place.stores.map(({ root, isReadOnly }) => ({ root, isReadOnly })),
    ...Object.values(registry.trusted).flatMap((paths) =>
      Array.isArray(paths) ? paths.map((root) => ({ root, isReadOnly: false })) : [],
    ),
    ...[places.state, places.cache, places.config].map((root) => ({ root, isReadOnly: false })),
  ];
  const seen = new Set<string>();
  return known.filter(({ root }) => {
    const real = realPathOf(root);
    if (seen.has(real) || !existsSync(root)) return false;
    seen.add(real);
    return true;
  });
}

/** The files below a root that are not below another one; git's own are its own, compiled code holds no text. */
function filesOf(root: string, roots: readonly OwnedRoot[]): string[] {
  const others = new Set(roots.map((other) => other.root).filter((other) => other !== root));
  return filesBelow(
    root,
    (path) => others.has(path) || basename(path) === ".git" || path === join(root, "code"),
  );
}

function indexFolders({ places }: Place): string[] {
  return [join(places.cache, "index"), conversationIndexDirectory(places)];
}

async function leakyHistories(roots: readonly OwnedRoot[], value: string): Promise<ScrubReport["histories"]> {
  const histories: ScrubReport["histories"] = [];
  for (const { root } of roots) {
    const repository = [root, dirname(root)].find((folder) => existsSync(join(folder, ".git")));
    if (repository === undefined || histories.some((known) => known.repository === repository)) continue;
    const holds = await historyHolds(repository, value);
    if (holds !== "no")
      histories.push({ repository, isCertain: holds === "yes", commands: commandsFor(repository) });
  }
  return histories;
}

/** The value is read from the terminal: it must not stand in the history of the shell as well. */
function commandsFor(repository: string): string[] {
  const git = `git -C ${shellWord(repository)}`;
  return [
    `read -rs VALUE && ${git} filter-repo --force --replace-text <(printf '%s==>(scrubbed)\\n' "$VALUE") --replace-message <(printf '%s==>(scrubbed)\\n' "$VALUE")`,
    `${git} reflog expire --expire=now --expire-unreachable=now --all`,
    `${git} gc --prune=now`,
    `${git} push --force --all   # where it has a remote: every other clone has to be made again`,
  ];
}

/** A larger history is not read whole: the answer is then that it may hold the value. */
const MAX_BYTES = 256 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** Whether any git object holds a value. Compared here: an argument of git would show in the list of processes. */
async function historyHolds(repository: string, value: string): Promise<"yes" | "no" | "unknown"> {
  try {
    const { bytes } = await runGit(["cat-file", "--batch-all-objects", "--batch", "--unordered"], {
      cwd: repository,
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
    });
    const forms = [value.trim(), JSON.stringify(value.trim()).slice(1, -1)];
    return forms.some((form) => bytes.includes(form)) ? "yes" : "no";
  } catch {
    return "unknown";
  }
}
