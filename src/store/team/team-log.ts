import { existsSync, mkdirSync, utimesSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HeedError, type HeedErrorCode } from "../../machine/heed-error.ts";
import type { StoreRef } from "../../memory/memory.ts";
import { FORMATS, readVersioned, writeVersioned } from "../../machine/state-file.ts";
import { asIoFailure, statIfThere, systemCode } from "../../machine/regular-file.ts";
import { readText, syncFoldersOf } from "../../machine/atomic-file.ts";
import type { StoreState } from "../config/store-config.ts";
import { listMemoryFiles, pathInStore } from "../files/scan-store.ts";
import { TOMBSTONE_FOLDER } from "../files/tombstone.ts";
import type { ChangeJournal } from "../history/change-journal.ts";
import type { ChangeRecord, FileChange } from "../history/change-record.ts";
import type { LoggedFile, TeamServer } from "./team-server.ts";

/** A machine that is further behind takes the state instead of each change. */
const MAX_REPLAYED = 500;
/** Files of one change of a copy: between two, whatever else this process does has its turn. */
const BATCH = 50;
/** Files that are asked for at once. */
const PAGE = 1_000;

interface TeamLogOptions {
  ref: StoreRef & Required<Pick<StoreRef, "server">>;
  state: StoreState;
  connect: () => Promise<TeamServer>;
  now: () => Date;
}

/**
 * An audience on a PostgreSQL server, as the log that a store's directory follows. Both methods need the store's write lock.
 * @throws HeedError `unreachable`; `no-store` when the server shows it to this person no more.
 */
export class TeamLog {
  readonly #options: TeamLogOptions;

  constructor(options: TeamLogOptions) {
    this.#options = options;
  }

  /** Brings the directory up to the server. `untilMs`: ends then, with one change at least; default never. */
  async pull(journal: ChangeJournal, untilMs: number = Infinity): Promise<void> {
    const { ref, state } = this.#options;
    return this.#asking(async (server) => {
      const head = (await server.audiences()).find(({ id }) => id === ref.id)?.head;
      if (head === undefined)
        throw new HeedError(
          "no-store",
          `${ref.server.url} shows ${ref.server.audience} to you no longer: ask its administrator`,
          { store: ref.id },
        );
      const upTo = copyOf(state, ref.root);
      if (upTo === head) return this.#keep(head);
      const logged = upTo === undefined ? undefined : await server.changes(ref.id, upTo, MAX_REPLAYED + 1);
      if (!logged || logged.length > MAX_REPLAYED) {
        await this.#takeState(server, journal, head);
        this.#keep(head);
        // What was changed while its pages were read.
        return this.pull(journal, untilMs);
      }
      for (const { seq, time, ...change } of changesOf(logged)) {
        await this.#make(journal, change);
        this.#keep(seq, new Date(time));
        if (performance.now() > untilMs) return;
      }
      this.#keep(Math.max(head, logged.at(-1)?.seq ?? 0));
    });
  }

  /** Makes a change durable on the server. @throws HeedError `changed-outside` for a stale file; `read-only`. */
  async push(record: ChangeRecord, journal: ChangeJournal): Promise<void> {
    await this.#asking(async (server) => {
      try {
        await server.push(this.#options.ref.id, record);
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
    await this.#make(journal, { summary: "as the server has it", actor: { kind: "hook" }, files: now });
  }

  async #takeState(server: TeamServer, journal: ChangeJournal, head: number): Promise<void> {
    const { ref } = this.#options;
    const summary = `as ${ref.server.audience} was at change ${head}`;
    const make = async (all: [string, string | null][]): Promise<void> => {
      for (let at = 0; at < all.length; at += BATCH) {
        const files = new Map(all.slice(at, at + BATCH));
        await this.#make(journal, { summary, actor: { kind: "hook" }, files });
      }
    };
    const gone = new Set(this.#files());
    for (let last: string | undefined = ""; last !== undefined;) {
      const page = await server.files(ref.id, last, PAGE);
      await make([...page]);
      for (const file of page.keys()) gone.delete(file);
      last = [...page.keys()].at(-1);
    }
    await make([...gone].map((file) => [file, null]));
  }

  /** Makes a change of the server's here. The disk takes fifty files together in a sixth of the time of one after another. */
  async #make(
    journal: ChangeJournal,
    { summary, actor, files }: Omit<RemoteChange, "seq" | "time">,
  ): Promise<void> {
    // What a server says is input: no file of another kind, and none elsewhere.
    const shared = [...files].filter(([file]) => isShared(file));
    const changed = shared.flatMap(([file, after]): FileChange[] => {
      const before = this.#textOf(file);
      return before === after ? [] : [{ file, before, after }];
    });
    if (changed.length > 0)
      journal.make(journal.draft({ actor, summary, files: changed }, this.#options.now()), false);
    // Unchanged ones too: a process that was killed may have written them and not waited for the disk.
    const paths = shared.flatMap(([file, after]) => (after === null ? [] : [this.#pathOf(file)]));
    const synced = paths.map((path) => appendFile(path, "", { flag: "r+", flush: true }));
    await Promise.all(synced).catch((error: unknown) => {
      throw asIoFailure(error, "write", this.#options.ref.root);
    });
    syncFoldersOf([...paths, ...paths.map((path) => dirname(path))]);
  }

  #files(): string[] {
    const { root } = this.#options.ref;
    const removed = listMemoryFiles(join(root, TOMBSTONE_FOLDER));
    return [...listMemoryFiles(root), ...removed.map((file) => `${TOMBSTONE_FOLDER}/${file}`)];
  }

  #textOf(file: string): string | null {
    return readText(this.#pathOf(file));
  }

  #pathOf(file: string): string {
    return pathInStore(this.#options.ref.root, file);
  }

  #keep(upTo: number, asOf: Date = this.#options.now()): void {
    const { state, ref } = this.#options;
    mkdirSync(ref.root, { recursive: true, mode: 0o700 });
    if (copyOf(state, ref.root) !== upTo)
      writeVersioned(copyFile(state), FORMATS.team, { upTo }, { draftId: "team", isDurable: false });
    noteAnswer(state, asOf);
  }

  async #asking<T>(ask: (server: TeamServer) => Promise<T>): Promise<T> {
    try {
      return await ask(await this.#options.connect());
    } catch (error) {
      throw asTeamError(error, this.#options.ref);
    }
  }
}

const copyFile = ({ folder }: Pick<StoreState, "folder">): string => join(folder, "team.json");

/** The last change of the log that the copy of a team's store has; undefined where there is none, or a part of the first. */
export function copyOf(state: Pick<StoreState, "folder">, root: string): number | undefined {
  const { upTo } = readVersioned(copyFile(state), FORMATS.team) ?? {};
  return typeof upTo === "number" && existsSync(root) ? upTo : undefined;
}

/** Notes of which time the copy is, the server's answer or the last change that came: the time of the file says it. */
export function noteAnswer(state: Pick<StoreState, "folder">, time: Date): void {
  utimesSync(copyFile(state), time, time);
}

export function lastAnswered(state: Pick<StoreState, "folder">): Date | undefined {
  return statIfThere(copyFile(state))?.mtime;
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
  const refusal = (kind: HeedErrorCode, words: string, data: Record<string, unknown>): HeedError =>
    new HeedError(kind, words, data, { cause: error });
  if (code === "42501")
    return refusal("read-only", `${url} does not let you do this in ${audience}: ${message}`, { store: id });
  if (/^(?:22|23)/.test(code))
    return refusal("invalid-input", `${url} refuses this: ${message}`, { argument: "content", value: code });
  const why =
    code === "3F000" || code === "42P01" || code === "42883"
      ? "its schema is not the one that this heed needs: an administrator runs `heed init --team URL`"
      : code.startsWith("28")
        ? `it refuses the login (${message}): give the password in the URL of heed init --team, in PGPASSWORD or ~/.pgpass`
        : `${message || code}: the last copy is used until then, and nothing can be written`;
  const words = `the team's server ${url} cannot be used: ${why}`;
  return refusal("unreachable", words, { server: url, cause: code || message });
}
