import { existsSync, mkdirSync, utimesSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HeedError, invalidInput } from "../../errors/heed-error.ts";
import type { StoreRef } from "../../memory/memory.ts";
import { FORMATS, readVersioned, writeVersioned } from "../../platform/versioned-file.ts";
import { asIoFailure, statIfThere, systemCode } from "../../platform/regular-file.ts";
import { readText, syncFoldersOf } from "../../platform/atomic-file.ts";
import type { StoreState } from "../config/store-config.ts";
import { listMemoryFiles } from "../files/scan-store.ts";
import { pathInStore } from "../files/memory-path.ts";
import { TOMBSTONE_FOLDER } from "../files/tombstone.ts";
import type { ChangeJournal } from "../history/change-journal.ts";
import type { ChangeRecord, FileChange } from "../history/change-record.ts";
import type { SharedLog } from "../shared-log.ts";
import type { FileTerms, LoggedFile, TeamServer } from "./team-server.ts";

/** Of an audience with more files, rules and what was used here are copied; the rest is searched on the server. */
export const MAX_COPIED_FILES = 20_000;
/** A machine that is further behind takes the state instead of each change. */
const MAX_REPLAYED = 500;
/** Files of one change of a copy: between two, whatever else this process does has its turn. */
const BATCH = 50;

interface TeamLogOptions {
  ref: StoreRef & Required<Pick<StoreRef, "server">>;
  state: StoreState;
  connect: () => Promise<TeamServer>;
  now: () => Date;
  /** The types whose memories are in force without being asked for. */
  ruleTypes: readonly string[];
  /** By what the server finds a file. */
  termsOf: (file: string, text: string) => FileTerms;
  maxCopiedFiles?: number;
}

/** How far a copy is: the last change of the log that it has, and whether it is of all files. */
interface CopyState {
  seq: number;
  isPartial: boolean;
}

/** An audience on a PostgreSQL server, as the log that a store's directory follows. */
export class TeamLog implements SharedLog {
  readonly #options: TeamLogOptions;

  constructor(options: TeamLogOptions) {
    this.#options = options;
  }

  async pull(
    journal: ChangeJournal,
    untilMs: number = Infinity,
    found?: ReadonlyMap<string, string>,
  ): Promise<void> {
    if (found) return this.#take(journal, "found by a search", found);
    const { ref, ruleTypes, maxCopiedFiles = MAX_COPIED_FILES } = this.#options;
    return this.#asking(async (server) => {
      const audience = (await server.audiences()).find(({ id }) => id === ref.id);
      if (!audience)
        throw new HeedError(
          "no-store",
          `${ref.server.url} shows ${ref.server.audience} to you no more: ask whoever administers it`,
          { store: ref.id },
        );
      let copy = this.#copyState();
      const isPartial = audience.fileCount > maxCopiedFiles;
      if (copy?.seq === audience.head && copy.isPartial === isPartial) return void this.#keep(copy, copy);
      const only = isPartial ? { types: ruleTypes, files: this.#files() } : undefined;
      const logged =
        copy?.isPartial === isPartial
          ? await server.changes(ref.id, copy.seq, MAX_REPLAYED + 1, only)
          : undefined;
      if (!logged || logged.length > MAX_REPLAYED) {
        const head = await this.#takeState(server, journal, only);
        return void this.#keep(copy, { seq: head, isPartial });
      }
      for (const { seq, time, ...change } of changesOf(logged)) {
        this.#make(journal, change);
        copy = this.#keep(copy, { seq, isPartial }, new Date(time));
        if (performance.now() > untilMs) return undefined;
      }
      return void this.#keep(copy, { seq: logged.at(-1)?.seq ?? audience.head, isPartial });
    });
  }

  async push(record: ChangeRecord, journal: ChangeJournal): Promise<void> {
    const { ref, termsOf } = this.#options;
    const other = record.files.find(({ file }) => !isShared(file));
    if (other)
      throw invalidInput("file", other.file, `a team store holds memories alone: ${other.file} is none`);
    await this.#asking(async (server) => {
      try {
        await server.push(ref.id, record, termsOf);
      } catch (error) {
        if (!isConflict(error)) throw error;
        await this.#heal(server, record, journal);
        throw conflictOf(error, record, (file) => this.#textOf(file));
      }
    });
  }

  /** Where a file of the copy is not as the server has it, somebody edited the copy. */
  async #heal(server: TeamServer, { files }: ChangeRecord, journal: ChangeJournal): Promise<void> {
    const paths = files.map(({ file }) => file);
    const texts = await server.texts(this.#options.ref.id, paths);
    const now = new Map(paths.map((path) => [path, texts.get(path) ?? null]));
    this.#make(journal, { summary: "as the server has it", actor: { kind: "hook" }, files: now });
  }

  async #takeState(
    server: TeamServer,
    journal: ChangeJournal,
    only: { types: readonly string[]; files: readonly string[] } | undefined,
  ): Promise<number> {
    const { head, files } = await server.files(this.#options.ref.id, only?.types);
    if (only)
      for (const [path, text] of await server.texts(this.#options.ref.id, only.files)) files.set(path, text);
    const all: [string, string | null][] = [...files];
    for (const file of this.#files()) if (!files.has(file)) all.push([file, null]);
    const summary = `as ${this.#options.ref.server.audience} was at change ${head}`;
    for (let at = 0; at < all.length; at += BATCH)
      await this.#take(journal, summary, new Map(all.slice(at, at + BATCH)));
    return head;
  }

  /** Brings in a part of the server's state: durable all at once, as one file after another takes eight times as long. */
  async #take(journal: ChangeJournal, summary: string, files: RemoteChange["files"]): Promise<void> {
    this.#make(journal, { summary, actor: { kind: "hook" }, files }, false);
    // Those too that were the same already: one that was killed may have made them, and waited for no disk.
    const there = [...files].filter(([file, text]) => text !== null && isShared(file));
    const paths = there.map(([file]) => pathInStore(this.#options.ref.root, file));
    await Promise.all(paths.map(syncFile));
    syncFoldersOf([...paths, ...paths.map((path) => dirname(path))]);
  }

  #make(
    journal: ChangeJournal,
    { summary, actor, files }: Omit<RemoteChange, "seq" | "time">,
    isDurable = true,
  ): void {
    const changed = [...files].flatMap(([file, after]): FileChange[] => {
      // What a server says is input: no file of another kind, and none elsewhere.
      if (!isShared(file)) return [];
      const before = this.#textOf(file);
      return before === after ? [] : [{ file, before, after }];
    });
    if (changed.length > 0)
      journal.apply({ actor, summary, files: changed }, this.#options.now(), isDurable);
  }

  #files(): string[] {
    const { root } = this.#options.ref;
    const removed = listMemoryFiles(join(root, TOMBSTONE_FOLDER));
    return [...listMemoryFiles(root), ...removed.map((file) => `${TOMBSTONE_FOLDER}/${file}`)];
  }

  #textOf(file: string): string | null {
    return readText(pathInStore(this.#options.ref.root, file));
  }

  #copyState(): CopyState | undefined {
    const { state, ref } = this.#options;
    const seq = copiedUpTo(state, ref.root);
    return seq === undefined ? undefined : { seq, isPartial: isPartialCopy(state) };
  }

  #keep(before: CopyState | undefined, after: CopyState, upTo: Date = this.#options.now()): CopyState {
    const { state, ref } = this.#options;
    mkdirSync(ref.root, { recursive: true, mode: 0o700 });
    if (before?.seq !== after.seq || before.isPartial !== after.isPartial)
      writeVersioned(copyFile(state), FORMATS.team, after, { draftId: "team", isDurable: false });
    noteAnswer(state, upTo);
    return after;
  }

  async #asking<T>(ask: (server: TeamServer) => Promise<T>): Promise<T> {
    try {
      return await ask(await this.#options.connect());
    } catch (error) {
      throw asTeamError(error, this.#options.ref);
    }
  }
}

async function syncFile(path: string): Promise<void> {
  try {
    // Windows syncs what may be written alone.
    const handle = await open(path, "r+");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw asIoFailure(error, "write", path);
  }
}

/** The file that says how far the copy of a team's store is. */
const copyFile = ({ folder }: Pick<StoreState, "folder">): string => join(folder, "team.json");

/** The last change of the log that a copy has; undefined where there is no copy. */
export function copiedUpTo(state: Pick<StoreState, "folder">, root: string): number | undefined {
  const seq = readVersioned(copyFile(state), FORMATS.team)?.["seq"];
  return typeof seq === "number" && existsSync(root) ? seq : undefined;
}

/** Notes of which time the copy is, the server's answer or the last change that came: the time of the file says it. */
export function noteAnswer(state: Pick<StoreState, "folder">, time: Date): void {
  utimesSync(copyFile(state), time, time);
}

/** When a server last answered for a store; undefined where it never did. */
export function lastAnswered(state: Pick<StoreState, "folder">): Date | undefined {
  return statIfThere(copyFile(state))?.mtime;
}

/** Whether the copy holds rules and what was used alone. */
export function isPartialCopy(state: Pick<StoreState, "folder">): boolean {
  return readVersioned(copyFile(state), FORMATS.team)?.["isPartial"] === true;
}

interface RemoteChange {
  seq: number;
  time: string;
  summary: string;
  actor: ChangeRecord["actor"];
  files: ReadonlyMap<string, string | null>;
}

/** The changes that lines of the log are of, in their order, each made by the person who was logged in. */
function changesOf(logged: readonly LoggedFile[]): RemoteChange[] {
  const changes = new Map<string, RemoteChange & { files: Map<string, string | null> }>();
  for (const { change, seq, time, person, actor, why, path, after } of logged) {
    if (after === undefined) continue;
    // A change by SQL has no id.
    const key = change === "" ? String(seq) : change;
    const client = [person, actor?.client].filter(Boolean).join(" with ");
    const known = changes.get(key) ?? {
      time,
      summary: why,
      actor: { kind: actor?.kind ?? ("import" as const), client },
      files: new Map(),
    };
    known.files.set(path, after);
    changes.set(key, { ...known, seq });
  }
  return [...changes.values()];
}

/** Memories and their tombstones alone: a copy is a repository, and a file of git's in it would be run. */
function isShared(file: string): boolean {
  const path = file.startsWith(`${TOMBSTONE_FOLDER}/`) ? file.slice(TOMBSTONE_FOLDER.length + 1) : file;
  const isPlain = path.split("/").every((part) => /^[^.\\:\p{Cc}][^\\:\p{Cc}]*$/u.test(part));
  return (
    isPlain && file.length <= 500 && /\.(?:md|markdown)$/.test(path) && !/(?:^|\/)memory\.md$/i.test(path)
  );
}

/** Another made the same file at the same time: PostgreSQL's own code, beside heed's. */
const isConflict = (error: unknown): boolean => ["HE409", "23505"].includes(systemCode(error) ?? "");

function conflictOf(
  error: unknown,
  { files }: ChangeRecord,
  textOf: (file: string) => string | null,
): HeedError {
  const { detail: named = "" } = error as { detail?: string };
  const change = files.find(({ file }) => file === named) ?? files[0];
  const file = change?.file ?? named;
  const found = textOf(file);
  const what = found === null ? "removed" : change?.before === null ? "made" : "edited";
  return new HeedError(
    "changed-outside",
    `${file} was ${what} on the server since it was read: read it again and repeat the change`,
    { file, expected: change?.before, found, wanted: change?.after },
    { cause: error },
  );
}

/** What a server or the way to it refuses, with the remedy. */
export function asTeamError(error: unknown, { id, server }: Pick<StoreRef, "id" | "server">): unknown {
  if (error instanceof HeedError) return error;
  const { url = "", audience = "" } = server ?? {};
  const code = systemCode(error) ?? "";
  const { message } = error as Error;
  const options = { cause: error };
  if (code === "42501")
    return new HeedError(
      "read-only",
      `${url} does not let you do this in ${audience}: ${message}`,
      { store: id },
      options,
    );
  if (/^(?:22|23)/.test(code))
    return new HeedError(
      "invalid-input",
      `${url} does not take this: ${message}`,
      { argument: "content", value: code },
      options,
    );
  const why =
    code === "3F000" || code === "42P01" || code === "42883"
      ? "it has not the schema that this heed speaks: an administrator runs `heed init --team URL`"
      : code.startsWith("28")
        ? `it refuses the login (${message}): give the password in the URL of heed init --team, in PGPASSWORD or ~/.pgpass`
        : `${message || code}: what was read last is used meanwhile, and nothing can be written`;
  return new HeedError(
    "unreachable",
    `the team's server ${url} cannot be used: ${why}`,
    { server: url, cause: code || message },
    options,
  );
}
