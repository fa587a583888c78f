import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Actor, type ActorKind, ACTOR_KINDS } from "../../memory/memory.ts";
import type { ChangeJournal } from "./change-journal.ts";
import { TRAILERS } from "./change-record.ts";
import { blobIdOf, commitOf, readBlobs } from "../../machine/blobs.ts";
import { blobsOfMoves, type FileSides, type FileStep, stepsOf } from "./find-moves.ts";
import { timeOfId } from "../../memory/handle.ts";
import { findGitDirectory, isUnborn } from "../../machine/git-directory.ts";
import { type GitOptions, isGitMissing, runGit } from "../../machine/run-git.ts";

/** A history longer than this is cut at its old end: the log of a store is read by people. */
const MAX_COMMITS = 10_000;

/** The history of one store: the journal, and the commits of the user store or of the repository around the store. */
export class StoreHistory {
  readonly #root: string;
  readonly #isOwn: boolean;
  readonly #journal: ChangeJournal;
  readonly #env: GitOptions["env"];
  /** Texts of the journal by blob id; those of commits are read when asked for. */
  readonly #texts = new Map<string, string>();

  /** @param isOwn the store is a repository of heed's own; else commits are those of the repository around it. */
  constructor(root: string, isOwn: boolean, journal: ChangeJournal, env: GitOptions["env"]) {
    this.#root = root;
    this.#isOwn = isOwn;
    this.#journal = journal;
    this.#env = env;
  }

  /** All changes, newest first. Commits that the journal tells already are left out; edits by hand count one a memory. */
  async entries(): Promise<HistoryEntry[]> {
    const recorded = this.#recorded();
    const known = new Set(
      recorded.flatMap(({ files }) => files.map(({ file, after }) => `${file}\n${after}`)),
    );
    const ids = new Set(recorded.map(({ record }) => record));
    const commits = (await this.#commits()).filter(
      ({ record, files }) =>
        (record === undefined || !ids.has(record)) &&
        (this.#isOwn || !files.every(({ file, after }) => known.has(`${file}\n${after}`))),
    );
    if (this.#isOwn) return [...recorded, ...(await this.#oneByOne(commits))];
    return [...recorded, ...commits].sort(newestFirst);
  }

  async texts(blobs: readonly string[]): Promise<Map<string, string>> {
    const wanted = [...new Set(blobs)];
    const missing = wanted.filter((blob) => !this.#texts.has(blob));
    if (missing.length > 0) {
      const read = await readBlobs(this.#git.bind(this), missing);
      for (const [blob, text] of read) this.#texts.set(blob, text);
    }
    return new Map(
      wanted.flatMap((blob): [string, string][] => {
        const text = this.#texts.get(blob);
        return text === undefined ? [] : [[blob, text]];
      }),
    );
  }

  #recorded(): HistoryEntry[] {
    const ids = this.#journal.ids().toReversed();
    return ids.flatMap((id): HistoryEntry[] => {
      const record = this.#journal.read(id);
      if (!record) return [];
      const files = record.files.map(({ file, before, after }) => ({
        file,
        before: this.know(before),
        after: this.know(after),
      }));
      const { time, summary, undoes, merges } = record;
      return [
        {
          id: hexIdOf(id),
          record: id,
          time,
          actor: describeActor(record.actor),
          by: record.actor.kind,
          session: record.actor.session,
          summary,
          files,
          undoes,
          isMerge: merges !== undefined,
          isOwn: true,
        },
      ];
    });
  }

  /** Adds a text, also one that stands in no history, so that it can be asked for by its blob id. */
  know(text: string | null): string | null {
    if (text === null) return null;
    const blob = blobIdOf(text);
    this.#texts.set(blob, text);
    return blob;
  }

  async #oneByOne(commits: readonly HistoryEntry[]): Promise<HistoryEntry[]> {
    const isByHand = ({ record, by }: HistoryEntry): boolean => record === undefined && by !== undefined;
    const moved = commits.filter((entry) => isByHand(entry)).flatMap(({ files }) => blobsOfMoves(files));
    const texts = await this.texts(moved);
    return commits.flatMap((entry) => (isByHand(entry) ? editsOf(entry, texts) : [entry]));
  }

  async #commits(): Promise<HistoryEntry[]> {
    const trailers = [TRAILERS.change, TRAILERS.actor, TRAILERS.client, TRAILERS.session, TRAILERS.undoes];
    const values = trailers.map((key) => `%(trailers:key=${key},valueonly,separator=%x20)`);
    const fields = ["%H", "%P", "%aI", "%an", ...values, "%s"];
    const log = "log --topo-order --raw -z --no-abbrev --no-renames --no-ext-diff --relative".split(" ");
    const bounds = [`--max-count=${MAX_COMMITS}`, `--format=${ENDS}${fields.join(NEXT)}${ENDS}`, "--", "."];
    try {
      if ((await this.#commitOf("HEAD")) === undefined) return [];
      return parseLog((await this.#git([...log, ...bounds])).stdout, this.#isOwn);
    } catch (error) {
      if (isGitMissing(error)) return [];
      throw error;
    }
  }

  /** Undefined, without asking git, where no repository is, or nothing was committed yet. */
  async #commitOf(revision: string): Promise<string | undefined> {
    const directory = findGitDirectory(this.#root);
    const hasCommits = directory && existsSync(join(directory.commonDir, "objects")) && !isUnborn(directory);
    return hasCommits ? commitOf(this.#git.bind(this), revision) : undefined;
  }

  #git(args: readonly string[], options: Partial<GitOptions> = {}): ReturnType<typeof runGit> {
    const place = { cwd: this.#root, isOwnRepository: this.#isOwn, env: this.#env };
    return runGit(args, { ...place, ...options });
  }
}

/** Newest first, also across stores: git keeps seconds, the id of heed's record milliseconds. */
export function newestFirst(a: Dated, b: Dated): number {
  const [one, other] = [madeAtMs(a), madeAtMs(b)];
  if (one !== other) return other - one;
  const [first = "", second = ""] = [a.record, b.record];
  return first < second ? 1 : first > second ? -1 : 0;
}

type Dated = Pick<HistoryEntry, "time"> & { record?: string | undefined };

function madeAtMs({ time, record }: Dated): number {
  const made = record === undefined ? undefined : timeOfId(record);
  // A commit that is not of heed's carries what was changed before it within its second.
  return made ?? new Date(time).getTime() + (record === undefined && /:\d\d\.000Z$/.test(time) ? 999 : 0);
}

/** Forty hex digits for a record of the journal: short beginnings of a ULID would all be the same hour. */
function hexIdOf(record: string): string {
  return createHash("sha1").update(record).digest("hex");
}

function describeActor(actor: Actor): string {
  return actor.client === undefined ? actor.kind : `${actor.client} (${actor.kind})`;
}

/** Between commits and between their fields. Neither names of files nor what others write into a commit hold a NUL. */
const [ENDS, NEXT] = ["%x00%x00%x1e", "%x00%x1f"];

/** Reads the output of the log: commits between record separators, each followed by its raw file entries. */
function parseLog(output: string, isOwn: boolean): HistoryEntry[] {
  const parts = output.split("\0\0\x1e");
  const entries: HistoryEntry[] = [];
  for (let at = 1; at + 1 < parts.length; at += 2) {
    const [id = "", parents = "", time = "", author = "", ...rest] = (parts[at] ?? "").split("\0\x1f");
    const [record, kind, client, session, undoes] = rest.map((one) => one.trim() || undefined);
    entries.push({
      id,
      record,
      // Of a commit that was made with a time that is none, git tells nothing.
      time: new Date(Date.parse(time) || 0).toISOString(),
      actor: kind === undefined ? author : client ? `${client} (${kind})` : kind,
      by: ACTOR_KINDS.find((known) => known === kind),
      session,
      summary: rest.slice(5).join(""),
      files: parseRaw(parts[at + 1] ?? ""),
      undoes,
      isMerge: parents.includes(" "),
      isOwn,
    });
  }
  return entries;
}

/** `:<mode> <mode> <blob> <blob> <status>\0<path>\0`, as often as there are files. */
function parseRaw(text: string): FileSides[] {
  const fields = text.replace(/^[\0\n]+/, "").split("\0");
  const files: FileSides[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, , before = "", after = ""] = (fields[at] ?? "").trim().split(" ");
    const idOf = (blob: string): string | null => (/^0*$/.test(blob) ? null : blob);
    files.push({ file: fields[at + 1] ?? "", before: idOf(before), after: idOf(after) });
  }
  return files;
}

export interface HistoryEntry {
  /** Forty hex digits: the commit, or made from the id of the journal's record. */
  id: string;
  /** The id of the journal's record, also where the change is a commit by now; undefined for a change not of heed's. */
  record: string | undefined;
  time: string;
  actor: string;
  /** As what they acted; undefined for a change not of heed's. */
  by: ActorKind | undefined;
  session: string | undefined;
  summary: string;
  files: FileSides[];
  /** The changes that it takes back: ids of records or commits, with a blank between them. */
  undoes: string | undefined;
  isMerge: boolean;
  /** Recorded by heed for this store, so that it can be taken back here. */
  isOwn: boolean;
}

/** The edits by hand that a commit holds, a memory each; one alone keeps the id of the commit. */
function editsOf(entry: HistoryEntry, texts: ReadonlyMap<string, string>): HistoryEntry[] {
  const steps = stepsOf(entry.files, (blob) => texts.get(blob));
  const sides = new Map(entry.files.map((side) => [side.file, side]));
  return steps.map(({ before, after }) => {
    const isMoved = before !== null && after !== null && before.file !== after.file;
    const did = isMoved ? "moved" : before === null ? "made" : after === null ? "removed" : "edited";
    const file = (after ?? before)?.file ?? "";
    return {
      ...entry,
      id: steps.length === 1 ? entry.id : hexIdOf(`${entry.id} ${file}`),
      summary: `${did} outside heed: ${isMoved ? `${before.file} → ` : ""}${file}`,
      files: [...new Set([before?.file, after?.file])].flatMap((name = "") => sides.get(name) ?? []),
    };
  });
}

/** A change as it concerns one memory, wherever its file was at the time. */
export interface MemoryStep extends FileStep {
  entry: HistoryEntry;
}

/**
 * Changes of one memory, newest first, back through renames, changes of type, removal and restoring.
 * `file`: where it is after the newest change.
 */
export async function followMemory(
  entries: readonly HistoryEntry[],
  file: string,
  textsOf: (blobs: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<MemoryStep[]> {
  const steps: MemoryStep[] = [];
  let path = file;
  for (const entry of entries) {
    if (!entry.files.some((side) => side.file === path && side.before !== side.after)) continue;
    const texts = await textsOf(blobsOfMoves(entry.files));
    const all = stepsOf(entry.files, (blob) => texts.get(blob));
    const left = all.find(({ before }) => before?.file === path);
    const gone = left && { ...left, after: null };
    const step = all.find(({ before, after }) => (after ?? before)?.file === path) ?? gone;
    if (!step) continue;
    steps.push({ entry, ...step });
    path = step.before?.file ?? path;
  }
  return steps;
}
