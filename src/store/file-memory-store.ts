import type { Actor, Memory, StoreRef } from "../memory/memory.ts";
import { type MemoryAmendment, amendMemory, encodeMemory } from "../memory/codec/encode-memory.ts";
import { isoSeconds } from "../machine/read-fields.ts";
import { HeedError, invalidInput, type Problem } from "../machine/heed-error.ts";
import { readOnlyWords, slugOf } from "../memory/handle.ts";
import { cutText } from "../memory/shown-text.ts";
import { LIMITS } from "../memory/limits.ts";
import { redactSecrets } from "../memory/screening/find-secrets.ts";
import { approveOwnChange } from "./consent.ts";
import { readText } from "../machine/atomic-file.ts";
import { ChangeJournal } from "./history/change-journal.ts";
import {
  type ChangeNote,
  type ChangeRecord,
  type FileChange,
  type StoreWrite,
  refuseLostBytes,
} from "./history/change-record.ts";
import { renameLinks, freeTombstone, moveOf } from "./history/file-edits.ts";
import { fileNameOf, listMemoryFiles, parseMemoryFile, scanStore } from "./files/scan-store.ts";
import { type Tombstone, asLiving, asTombstone, livingFileOf } from "./files/tombstone.ts";
import type { Places } from "../machine/places.ts";
import type { StoredMemory, StoreScan } from "./files/scan-store.ts";
import { type HeldLock, withLock } from "../machine/file-lock.ts";
import type { ReconcileOptions } from "./history/commit-changes.ts";
import { StoreHistory } from "./history/store-history.ts";
import type { TeamLog } from "./team/team-log.ts";
import { type StoreState, stateOfStore } from "./config/store-config.ts";
import { StoredFiles } from "./stored-files.ts";

export interface FileStoreOptions extends ReconcileOptions {
  places: Places;
  /** The log of the server whose copy the directory is. Default: none, the directory decides. */
  shared?: (() => Promise<TeamLog>) | undefined;
}

/** What follows from changes is done this long after the first of a burst. */
const RECONCILE_MS = 500;

/**
 * A store as a directory of markdown files, one memory a file. What writes waits for the store's lock (HeedError
 * `locked`), is refused with `read-only` where heed may not write, leaves nothing torn (`io-failed`), and never writes
 * over what somebody else wrote since it was read (`changed-outside`).
 */
export class FileMemoryStore {
  readonly ref: StoreRef;
  readonly state: StoreState;
  readonly journal: ChangeJournal;
  readonly #files: StoredFiles;
  readonly #options: FileStoreOptions;
  #reconciled: Promise<Problem[]> = Promise.resolve([]);
  #timer: NodeJS.Timeout | undefined;

  constructor(ref: StoreRef, options: FileStoreOptions) {
    this.ref = ref;
    this.#options = options;
    this.state = stateOfStore(options.places, ref.root);
    this.#files = new StoredFiles(ref, options.types);
    this.journal = new ChangeJournal(this.state, (file) => this.#files.locate(file));
  }

  async create(memory: Memory, note: ChangeNote): Promise<StoreWrite> {
    return (await this.createAll([memory], note))[0]!;
  }

  async createAll(memories: readonly Memory[], note: ChangeNote): Promise<StoreWrite[]> {
    return this.#locked("write", async (lock) => {
      const names = this.#files.names();
      const planned = memories.map((memory) => {
        const file = names.take(memory);
        const after = encodeMemory(memory, this.#options.types);
        return { file, before: null, after, memory: this.#files.parse(file, after) };
      });
      const [first] = planned;
      if (!first) return [];
      const what = planned.length === 1 ? titleOf(first.memory) : `${planned.length} memories`;
      const files = planned.map(({ file, before, after }) => ({ file, before, after }));
      const summary = summaryOf(`write ${what}`, note);
      const change = await this.#apply(lock, { actor: note.actor, summary, files });
      return planned.map((one) => ({
        ...one,
        change,
        memory: this.#files.readBack(one.file) ?? one.memory,
      }));
    });
  }

  /**
   * Changes a memory: to a whole new text, or by fields. With its type it moves to that type's folder.
   *
   * @param expectedHash the content hash that the caller read.
   */
  async amend(
    file: string,
    edit: string | MemoryAmendment,
    expectedHash: string,
    note: ChangeNote,
  ): Promise<StoreWrite> {
    return this.#write("amend", note, () => {
      const before = this.#files.expect(file, expectedHash, edit);
      const after = typeof edit === "string" ? edit : amendMemory(before, edit);
      const old = parseMemoryFile(this.ref, file, before, this.#options.types);
      const current = old.memory;
      const target = this.#files.parse(file, after, old.problems);
      if (current && current.metadata.name !== target.metadata.name) {
        const message = `an amendment keeps the name "${current.metadata.name}": rename it instead`;
        throw invalidInput("name", target.metadata.name, message);
      }
      const moved = this.#files.fileAfterTypeChange(file, current, target);
      return { file: moved, before, after, files: moveOf(file, moved, before, after) };
    });
  }

  async remove(file: string, why: string, actor: Actor): Promise<StoreWrite> {
    return this.#write("remove", { why: reasonOf(why), actor }, () =>
      this.#entombed(file, this.#files.require(file), why),
    );
  }

  /** Removes a duplicate and gives what it was found by to the other one, in one change; resolves to the one that stays. */
  async merge(
    duplicate: StoredMemory,
    into: StoredMemory,
    edit: MemoryAmendment,
    { why, actor }: ChangeNote,
  ): Promise<StoreWrite> {
    const { file } = into.metadata;
    return this.#write("merge", { why: reasonOf(why), actor }, () => {
      const { file: at, contentHash } = duplicate.metadata;
      const gone = this.#entombed(at, this.#files.expect(at, contentHash), why);
      const before = this.#files.expect(file, into.metadata.contentHash, edit);
      const after = amendMemory(before, edit);
      const files = [...gone.files, { file, before, after }];
      return { file, before, after, files, subject: duplicate };
    });
  }

  /** Brings a removed memory back, by its name or id; of several of that name the one removed last. */
  async restore(nameOrId: string, note: ChangeNote): Promise<StoreWrite> {
    return this.#write("restore", note, () => {
      const found = this.#files.requireTombstone(nameOrId);
      const before = this.#files.require(found.file);
      const after = asLiving(before);
      const { metadata } = found.memory;
      const file = this.#files.names().take(metadata, livingFileOf(found.file, metadata.name));
      return { file, before, after, files: moveOf(found.file, file, before, after) };
    });
  }

  /** Gives a memory another name; its file moves, and links by name in the same store follow. */
  async rename(file: string, newName: string, note: ChangeNote): Promise<StoreWrite> {
    const name = slugOf(newName);
    if (name === "") {
      throw invalidInput("newName", newName, `"${newName}" is not a name: use letters, digits and dashes`);
    }
    return this.#write("rename", note, () => {
      const before = this.#files.require(file);
      const current = this.#files.parse(file, before);
      const after = amendMemory(before, { name });
      if (current.metadata.name === name) return { file, before, after: before, files: [] };
      const wanted = `${file.slice(0, file.lastIndexOf("/") + 1)}${fileNameOf(name)}.md`;
      const isSameFile = wanted.toLowerCase() === file.toLowerCase();
      const taken = this.#files.names().take({ ...current.metadata, name }, wanted, file);
      const target = isSameFile ? file : taken;
      const others = listMemoryFiles(this.ref.root).filter((other) => other !== file);
      const read = (other: string): string | null => readText(this.#files.locate(other));
      const links = renameLinks(others, read, current.metadata.name, name);
      return { file: target, before, after, files: [...moveOf(file, target, before, after), ...links] };
    });
  }

  async change(
    files: FileChange[],
    note: ChangeNote & Pick<ChangeRecord, "undoes" | "merges">,
  ): Promise<ChangeRecord> {
    const { actor, ...trace } = note;
    const why = redactSecrets(note.why);
    return this.#locked(why, (lock) => this.#apply(lock, { actor, summary: why, files, ...trace }));
  }

  read(file: string): { memory: StoredMemory | undefined; text: string | undefined; problems: Problem[] } {
    return this.#files.read(file);
  }

  list(): StoreScan {
    return scanStore(this.ref, this.#options.types);
  }

  listTombstones(): Tombstone[] {
    return this.#files.listTombstones();
  }

  /** The changes of the store and the texts that they were made of; reconcile first. */
  history(): StoreHistory {
    const isOwn = this.ref.kind === "user" || this.ref.server !== undefined;
    return new StoreHistory(this.ref.root, isOwn, this.journal, this.#options.env);
  }

  /** Finishes what a writer that died had begun, as the next write would. */
  async recover(): Promise<void> {
    if (this.journal.underWay()) await this.#locked("finish", () => undefined);
  }

  /**
   * Brings in a team store's changes from its server; nothing for others. `untilMs`: as for TeamLog's `pull`.
   * @throws HeedError `unreachable`; `no-store` when the server has it no more for this person.
   */
  async refresh(untilMs?: number): Promise<void> {
    const { shared } = this.#options;
    if (!shared) return;
    await withLock(this.state.writeLock, { what: "read what others changed" }, async () => {
      this.journal.recover();
      await (await shared()).pull(this.journal, untilMs);
    });
  }

  /** Brings overview and git history up to date. Started by each change; await it before reading history. */
  reconcile(): Promise<Problem[]> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const run = async (): Promise<Problem[]> => {
      // Loaded here: readers of a store need no git.
      const { reconcileStore } = await import("./history/commit-changes.ts");
      return reconcileStore(this, this.#options);
    };
    return (this.#reconciled = this.#reconciled.then(run, run));
  }

  /** Waits for what is planned or under way; runs nothing else. */
  finish(): Promise<Problem[]> {
    return this.#timer === undefined ? this.#reconciled : this.reconcile();
  }

  /** Runs a task as the only writer, after what a dead writer left has been finished. */
  async #locked<T>(what: string, task: (lock: HeldLock) => T | Promise<T>): Promise<T> {
    const { id, isReadOnly } = this.ref;
    if (isReadOnly) throw new HeedError("read-only", readOnlyWords(this.ref), { store: id });
    const { shared } = this.#options;
    const result = await withLock(this.state.writeLock, { what }, async (lock) => {
      this.journal.recover();
      await (await shared?.())?.pull(this.journal);
      return task(lock);
    });
    // Without making the writer wait; trouble is told to whoever awaits one of the two.
    this.#timer ??= setTimeout(() => void this.reconcile().catch(() => undefined), RECONCILE_MS);
    return result;
  }

  async #apply(lock: HeldLock, change: Omit<ChangeRecord, "id" | "time">): Promise<ChangeRecord> {
    lock.assertHeld();
    refuseLostBytes(change.files);
    const record = this.journal.draft(change, this.#options.now());
    // What the server has not taken is made nowhere; what it took and a crash left unmade here comes by the next pull.
    await (await this.#options.shared?.())?.push(record, this.journal);
    this.journal.make(record);
    approveOwnChange({ ref: this.ref, state: this.state, types: this.#options.types }, record);
    return record;
  }

  #write(
    verb: string,
    note: ChangeNote,
    plan: () => PlannedWrite & { subject?: StoredMemory },
  ): Promise<StoreWrite> {
    return this.#locked(verb, async (lock) => {
      const { file, before, after, files, subject } = plan();
      const memory = this.#files.parse(file, after);
      const isSame = files.every((change) => change.before === change.after);
      const summary = summaryOf(`${verb} ${titleOf(subject ?? memory)}`, note);
      const change = isSame ? undefined : await this.#apply(lock, { actor: note.actor, summary, files });
      return { change, file, memory: this.#files.readBack(file) ?? memory, before, after };
    });
  }

  #entombed(file: string, before: string, why: string): PlannedWrite & { before: string; after: string } {
    const after = asTombstone(before, isoSeconds(this.#options.now()), reasonOf(why));
    const tombstone = freeTombstone(file, (path) => readText(this.#files.locate(path)) !== null);
    return { file: tombstone, before, after, files: moveOf(file, tombstone, before, after) };
  }
}

type PlannedWrite = Pick<StoreWrite, "file" | "before" | "after"> & { files: FileChange[] };

const reasonOf = (why: string): string => cutText(redactSecrets(why), LIMITS.reasonChars);

const titleOf = ({ metadata: { type, name } }: StoredMemory): string => `${type}/${name}`;

function summaryOf(what: string, note: ChangeNote): string {
  const why = redactSecrets(note.why).replace(/\s+/g, " ").trim().slice(0, 500);
  return why === "" ? what : `${what}: ${why}`;
}
