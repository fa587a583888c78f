import { rmSync } from "node:fs";
import { join } from "node:path";
import { readText, writeFileAtomic } from "../../machine/atomic-file.ts";
import type { ChangeJournal } from "./change-journal.ts";
import { type ChangeRecord, commitMessage, TRAILERS } from "./change-record.ts";
import { type ImportedCommit, fastImportStream, blobIdOf, identityOf } from "../../machine/blobs.ts";
import { type StoreState, CONFIG_FILE } from "../config/store-config.ts";
import { overviewUpTo, OVERVIEW_FILE, writeOverview } from "../files/generated-files.ts";
import { UserRepository } from "./user-repository.ts";
import { type Problem, HeedError } from "../../machine/heed-error.ts";
import { isGitMissing } from "../../machine/run-git.ts";
import { withLock } from "../../machine/file-lock.ts";
import { TOMBSTONE_FOLDER } from "../files/tombstone.ts";
import type { TypeTable } from "../../memory/memory-type.ts";
import type { MemoryMetadata, StoreRef } from "../../memory/memory.ts";

/**
 * Carries changes into the store's git history, one commit each; edits by hand are one commit before them.
 * Needs the commit lock: writers go on meanwhile. @throws HeedError `git-failed`; the journal stays.
 */
export async function commitChanges(
  repository: UserRepository,
  journal: ChangeJournal,
  state: StoreState,
  now: Date,
): Promise<void> {
  await repository.make();
  repository.removeStaleLocks();
  const branch = repository.branch();
  if (branch === undefined) return;
  await forgetCommitted(repository, journal, state);
  const ids = journal.ids();
  const records = ids.flatMap((id) => journal.read(id) ?? []);
  const configuration = await repository.configuration();
  const { parent, files } = await statusOf(repository, configuration);
  const tip = await tipOf(repository, records.length + files.length > 0 ? parent : undefined);
  const outside = editsOutside(repository, journal, tip, records, files);
  const commits = commitsOf(records, tip, outside, now);
  if (commits.length > 0) {
    writeFileAtomic(committingFile(state), ids.join("\n"), { draftId: "committing", mode: 0o600 });
    const input = fastImportStream(branch, parent, identityOf(configuration), commits);
    const args = ["fast-import", "--quiet", "--done", "--date-format=raw"];
    await repository.git(args, { input, timeoutMs: 120_000 });
    await repository.resetIndex(configuration);
  }
  journal.forget(ids);
  rmSync(committingFile(state), { force: true });
  if (commits.length > 0) await repository.packWhenMany();
}

const committingFile = ({ folder }: StoreState): string => join(folder, "committing");

type Tip = Map<string, string>;

async function tipOf(repository: UserRepository, parent: string | undefined): Promise<Tip> {
  const tree = parent === undefined ? [] : (await repository.tree(parent)).values();
  return new Map([...tree].map(({ file, blob }) => [file, blob]));
}

/** A crash after the commit and before the journal forgot: what is in the history already is not committed again. */
async function forgetCommitted(
  repository: UserRepository,
  journal: ChangeJournal,
  state: StoreState,
): Promise<void> {
  const begun = readText(committingFile(state))?.split("\n");
  if (!begun || (await repository.commitOf("HEAD")) === undefined) return;
  const log = ["log", `--max-count=${2 * begun.length + 10}`];
  const { stdout } = await repository.git([...log, `--format=%(trailers:key=${TRAILERS.change},valueonly)`]);
  const done = new Set(stdout.split("\n").map((line) => line.trim()));
  journal.forget(begun.filter((id) => done.has(id)));
}

async function statusOf(
  repository: UserRepository,
  configuration: string,
): Promise<{ parent: string | undefined; files: string[] }> {
  // Counting against an upstream fails where its commits are incomplete, and nobody reads the count.
  const branch = ["--branch", "--no-ahead-behind"];
  const args = ["--porcelain=v2", ...branch, "-z", "--untracked-files=all", "--no-renames"];
  const { stdout } = await repository.git(["status", ...args, "--ignore-submodules=all"], { configuration });
  return {
    parent: /^# branch\.oid ([0-9a-f]+)\0/.exec(stdout)?.[1],
    // Changed and unmerged files have eight and ten fields before their path, new ones have one.
    files: stdout
      .split("\0")
      .flatMap((line) => /^(?:1(?: \S+){7}|u(?: \S+){9}|\?) ([^]+)$/.exec(line)?.[1] ?? []),
  };
}

/** Files that differ from the tip without a change of heed's. A second look at the journal tells a busy writer's apart. */
function editsOutside(
  repository: UserRepository,
  journal: ChangeJournal,
  tip: Tip,
  records: readonly ChangeRecord[],
  files: readonly string[],
): Map<string, string | null> {
  const planned = new Map(records.flatMap((record) => record.files.map(({ file, after }) => [file, after])));
  const found = new Map<string, string | null>();
  for (const file of new Set([...files, ...planned.keys()])) {
    if (!isStoreFile(file)) continue;
    const text = readText(join(repository.root, file));
    const after = planned.get(file);
    if (idOf(text) !== (after === undefined ? tip.get(file) : idOf(after))) found.set(file, text);
  }
  const known = new Set(records.map(({ id }) => id));
  // In this order: a change that is no longer under way by the second look is among those that are kept.
  const underWay = journal.underWay();
  const newer = journal.ids().flatMap((id) => (known.has(id) ? [] : (journal.read(id) ?? [])));
  for (const { files: changed } of underWay ? [underWay, ...newer] : newer)
    for (const { file } of changed) found.delete(file);
  return found;
}

const idOf = (text: string | null): string | undefined => (text === null ? undefined : blobIdOf(text));

function commitsOf(
  records: readonly ChangeRecord[],
  tip: Tip,
  outside: ReadonlyMap<string, string | null>,
  now: Date,
): ImportedCommit[] {
  const commits: ImportedCommit[] = [];
  const touched = new Set(records.flatMap((record) => record.files.map(({ file }) => file)));
  const add = (message: string, time: string, files: Map<string, string | null>, merges?: string): void => {
    for (const [file, text] of files) {
      if (text === null) tip.delete(file);
      else tip.set(file, blobIdOf(text));
    }
    commits.push({ message, time, files, merges });
  };
  const addOutside = (files: Map<string, string | null>, time: string): void => {
    if (files.size === 0) return;
    const names = [...files.keys()];
    const rest = names.length > 3 ? ` and ${names.length - 3} more` : "";
    const summary = `edited outside heed: ${names.slice(0, 3).join(", ")}${rest}`;
    add(commitMessage({ summary, actor: { kind: "person" } }), time, files);
  };
  const editedBefore = (changes: readonly ChangeRecord[]): [string, string | null][] =>
    // What a merge brings in stood nowhere on this side before.
    changes
      .flatMap(({ files, merges }) => (merges === undefined ? files : []))
      .flatMap(({ file, before }) => (tip.get(file) === idOf(before) ? [] : [[file, before]]));
  // A file that was moved by hand and then changed by heed is in one commit with where it was.
  const first = new Set<string>();
  const firsts = records.map((record) => ({
    ...record,
    files: record.files.filter(({ file }) => !first.has(file) && first.add(file)),
  }));
  addOutside(
    new Map([...[...outside].filter(([file]) => !touched.has(file)), ...editedBefore(firsts)]),
    records[0]?.time ?? now.toISOString(),
  );
  for (const record of records) {
    addOutside(new Map(editedBefore([record])), record.time);
    const files = new Map(record.files.map(({ file, after }) => [file, after]));
    add(commitMessage(record), record.time, files, record.merges);
  }
  addOutside(new Map([...outside].filter(([file]) => touched.has(file))), now.toISOString());
  return commits;
}

/** Memories, tombstones, configuration and `.gitignore`: nothing else that comes from a remote is written to disk. */
export function isStoreFile(file: string): boolean {
  if (file === CONFIG_FILE || file === ".gitignore") return true;
  if (!/\.(md|markdown)$/i.test(file) || file.toLowerCase() === "memory.md") return false;
  const parts = file.split("/");
  const folders = parts[0] === TOMBSTONE_FOLDER ? parts.slice(1) : parts;
  return (
    folders.length <= 9 &&
    folders.every((part) => part !== "" && !part.startsWith(".") && !/[\\\0:]/.test(part))
  );
}

/** Writes the overview and commits, apart from the changes so that no writer waits. Never throws. */
export async function reconcileStore(
  { ref, state, journal }: { ref: StoreRef; state: StoreState; journal: ChangeJournal },
  { types, now, env, indexed }: ReconcileOptions,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const attempt = async (file: string, work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      problems.push(asProblem(file, error));
    }
  };
  await attempt(OVERVIEW_FILE, () =>
    withLock(state.commitLock, { what: "generate and commit" }, async () => {
      if (!ref.isReadOnly) {
        await attempt(OVERVIEW_FILE, async () => {
          const last = readText(state.lastChange) ?? "";
          if (overviewUpTo(ref.root) !== last) await writeOverview(ref, types, last, indexed);
        });
      }
      // The copy of a team store is a repository too, to be read and cloned.
      if (ref.kind === "user" || ref.server) {
        const repository = new UserRepository(ref.root, env);
        await attempt(".git", () => commitChanges(repository, journal, state, now()));
      }
    }),
  );
  return problems;
}

export interface ReconcileOptions {
  types: TypeTable;
  now: () => Date;
  /** The environment in which git runs. Default: `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /** What an index has of the files, each as it was then. Default: there is none. */
  indexed?: () => readonly MemoryMetadata[];
}

function asProblem(file: string, error: unknown): Problem {
  const [code, message, remedy] = isGitMissing(error)
    ? [
        "no-git",
        "git is not installed: the history is kept in heed's own journal, and sync is off",
        "install git: the journal is then carried into its history",
      ]
    : [
        error instanceof HeedError ? error.code : "settle-failed",
        error instanceof Error ? error.message : String(error),
        "nothing is lost: the next write tries again",
      ];
  return { file, severity: "warning", code, message, remedy };
}
