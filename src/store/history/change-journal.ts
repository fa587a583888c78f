import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { HeedError } from "../../machine/heed-error.ts";
import { newId, timeOfId } from "../../memory/handle.ts";
import {
  type AtomicWriteOptions,
  readText,
  removeDraft,
  removeFile,
  syncFoldersOf,
  writeFileAtomic,
} from "../../machine/atomic-file.ts";
import { type ChangeRecord, type FileChange, parseChangeRecord } from "./change-record.ts";
import { FORMATS, newerAt, newerFile, writeVersioned } from "../../machine/state-file.ts";
import { systemCode, withIoErrors, MAX_OWN_FILE_BYTES, readRegularFile } from "../../machine/regular-file.ts";
import type { StoreState } from "../config/store-config.ts";

type LocateFile = (file: string) => string;

/** Changes of one store: an intent, then the files, then kept under an id. The next writer finishes after a crash. */
export class ChangeJournal {
  readonly #state: StoreState;
  readonly #locate: LocateFile;

  constructor(state: StoreState, locate: LocateFile) {
    this.#state = state;
    this.#locate = locate;
  }

  /** Gives a change its id and time. @throws HeedError `changed-outside` when a file is not as `before` says. */
  draft(change: Omit<ChangeRecord, "id" | "time">, now: Date): ChangeRecord {
    const record: ChangeRecord = { id: this.#nextId(now), time: now.toISOString(), ...change };
    for (const file of record.files) assertUnchanged(this.#locate(file.file), file);
    return record;
  }

  /**
   * Makes a drafted change, all of it or nothing; `isDurable` false: the caller waits for the disk.
   * @throws HeedError `changed-outside`; `io-failed`, with everything put back.
   */
  make(record: ChangeRecord, isDurable = true): ChangeRecord {
    const { id } = record;
    this.#writeIntent(record, isDurable);
    try {
      // Until all of it is durable the intent tells what is to be there: folders need no sync for each file.
      for (const file of record.files) this.#put(file, id, { isFolderSyncedLater: true, isDurable });
      if (isDurable) syncFoldersOf(record.files.map(({ file }) => this.#locate(file)));
    } catch (error) {
      this.#putBack(record);
      throw error;
    }
    this.#keep(record);
    return record;
  }

  /**
   * Finishes what a dead writer began; a file that somebody edited since keeps the edit.
   * @throws HeedError `io-failed` when a newer heed began it.
   */
  recover(): void {
    const text = readText(this.#state.intent);
    if (text === null) return;
    const record = parseChangeRecord(text, this.#state.intent);
    const newer = newerAt(this.#state.intent);
    // What it begun can be finished by a heed alone that knows what it is.
    if (newer) throw newerFile(newer);
    // An intent that is torn was never acted upon: it is durable before the first file is touched.
    if (!record) return rmSync(this.#state.intent, { force: true });
    const done: FileChange[] = [];
    try {
      for (const file of record.files) {
        const path = this.#locate(file.file);
        removeDraft(path, record.id, this.#root);
        const current = readText(path);
        if (current === file.before && current !== file.after) this.#put(file, record.id);
        if (current === file.before || current === file.after) done.push(file);
      }
    } catch (error) {
      this.#putBack(record);
      throw error;
    }
    if (done.length === 0) return rmSync(this.#state.intent, { force: true });
    if (done.length < record.files.length) this.#writeIntent({ ...record, files: done });
    this.#keep(record);
  }

  /** Ids of the changes that are kept, oldest first, without those that were found to be a newer heed's. */
  ids(): string[] {
    try {
      return readdirSync(this.#state.changes)
        .filter((name) => /^[0-9A-Z]{26}\.json$/.test(name))
        .map((name) => name.slice(0, 26))
        .filter((id) => !newerAt(this.#fileOf(id)))
        .sort();
    } catch (error) {
      if (systemCode(error) === "ENOENT") return [];
      throw error;
    }
  }

  read(id: string): ChangeRecord | undefined {
    return this.#parse(this.#fileOf(id));
  }

  /** The change under way, if any: made by a writer that is busy, or dead. */
  underWay(): ChangeRecord | undefined {
    return this.#parse(this.#state.intent);
  }

  /** Forgets changes that another history (git) has taken over; those of a newer heed stay. */
  forget(ids: readonly string[]): void {
    for (const id of ids) if (!newerAt(this.#fileOf(id))) rmSync(this.#fileOf(id), { force: true });
  }

  #fileOf(id: string): string {
    return join(this.#state.changes, `${id}.json`);
  }

  #parse(path: string): ChangeRecord | undefined {
    try {
      return parseChangeRecord(readRegularFile(path, { maxBytes: MAX_OWN_FILE_BYTES }), path);
    } catch (error) {
      if (systemCode(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  #writeIntent(record: ChangeRecord, isDurable = true): void {
    mkdirSync(this.#state.folder, { recursive: true, mode: 0o700 });
    writeVersioned(this.#state.intent, FORMATS.change, record, { draftId: "intent", isDurable });
  }

  #keep(record: ChangeRecord): void {
    withIoErrors("write", this.#state.changes, () => {
      mkdirSync(this.#state.changes, { recursive: true, mode: 0o700 });
      // No fsync: should this rename be lost in a crash, the intent is found again and recovering it changes nothing.
      renameSync(this.#state.intent, this.#fileOf(record.id));
    });
    writeFileAtomic(this.#state.lastChange, record.id, { mode: 0o600, draftId: "last", isDurable: false });
  }

  #put(
    file: FileChange,
    id: string,
    options: Pick<AtomicWriteOptions, "isFolderSyncedLater" | "isDurable"> = {},
  ): void {
    const path = this.#locate(file.file);
    if (file.after === null) {
      assertUnchanged(path, file);
      removeFile(path, { below: this.#root });
    } else {
      writeFileAtomic(path, file.after, {
        ...options,
        below: this.#root,
        draftId: id,
        beforeRename: () => assertUnchanged(this.#locate(file.file), file),
      });
    }
  }

  /** The store's own folder. Drafts lie there: a folder below it may have become a link by the time that one is written. */
  get #root(): string {
    return dirname(this.#locate("draft"));
  }

  /** Undoes the part of a change that was done. Should that fail too, the intent stays for the next writer. */
  #putBack(record: ChangeRecord): void {
    try {
      for (const { file, before, after } of record.files.toReversed()) {
        if (before !== after && readText(this.#locate(file)) === after)
          this.#put({ file, before: after, after: before }, record.id);
      }
    } catch {
      return;
    }
    rmSync(this.#state.intent, { force: true });
  }

  #nextId(now: Date): string {
    const last = readText(this.#state.lastChange) ?? this.ids().at(-1) ?? "";
    return newId(new Date(Math.max(now.getTime(), (timeOfId(last) ?? 0) + 1)));
  }
}

function assertUnchanged(path: string, { file, before, after }: FileChange): void {
  const current = readText(path);
  if (current === before) return;
  throw new HeedError(
    "changed-outside",
    `${file} was ${current === null ? "removed" : before === null ? "made" : "edited"} outside heed since it was read: read it again and repeat the change`,
    { file, expected: before, found: current, wanted: after },
  );
}
