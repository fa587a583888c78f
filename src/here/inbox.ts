import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Actor, type ActorKind, ACTOR_KINDS, type Memory } from "../memory/memory.ts";
import { setYamlValue } from "../memory/codec/edit-yaml.ts";
import { encodeMemory } from "../memory/codec/encode-memory.ts";
import { splitSource } from "../memory/codec/front-matter.ts";
import type { TypeTable } from "../memory/memory-type.ts";
import { parseMemory } from "../memory/codec/parse-memory.ts";
import { asRecord, FieldReader } from "../machine/read-fields.ts";
import { isShortFor } from "../memory/handle.ts";
import { redactSecrets } from "../memory/screening/find-secrets.ts";
import {
  createFileAtomic,
  moveFile,
  readText,
  removeFile,
  writeFileAtomic,
  newestFiles,
  pruneFiles,
} from "../machine/atomic-file.ts";
import { type InboxItem, type Proposal, filesIn, fromFile, metadataOf, waitingIn } from "./proposal-code.ts";
import { fileNameOf } from "../store/files/memory-path.ts";
import type { Places } from "../machine/places.ts";

/** Under which name the wish to remove a memory waits. */
export function nameOfRemoval(name: string): string {
  return `forget-${name}`;
}

interface RejectedItem {
  memory: Memory;
  /** Who dropped it; of files that do not say so, a person. */
  by: ActorKind;
  reason: string;
  /** ISO time. */
  date: string;
  /** Id of the memory that it would have changed. */
  target?: string;
}

const REJECTED = ".rejected";
const KEPT = ".kept";
/** So many that became memories are kept, the newest: their confirmation may be taken back. */
const MAX_KEPT = 100;
/** Only the user may read what is said about them. */
const PRIVATE = { mode: 0o600 };

/** Proposals that need approval: one private file each in the state directory; rejected ones are kept. */
export class Inbox {
  readonly #folder: string;
  readonly #types: TypeTable;

  constructor(places: Places, types: TypeTable) {
    this.#folder = join(places.state, "inbox");
    this.#types = types;
  }

  /** The items, the oldest first. A file that cannot be read is left out. */
  list(): InboxItem[] {
    return waitingIn(this.#folder, this.#types);
  }

  /** The item of that name or id. */
  get(handle: string): InboxItem | undefined {
    return (
      this.list().find(({ memory }) => [memory.name, memory.id].includes(handle)) ??
      this.list().find(({ memory }) => isShortFor(handle, memory.name))
    );
  }

  /**
   * Adds an item and returns its name, numbered where another item has it. It replaces an earlier proposal for
   * the same target or of the same memory.
   */
  put(memory: Memory, proposal: Proposal): string {
    const items = this.list();
    const isGuard = (one: Proposal): boolean => one.flags.includes("isGuard");
    const earlier = items.find(
      (item) =>
        // A rule's guard is a question of its own.
        isGuard(item.proposal) === isGuard(proposal) &&
        (item.memory.id === memory.id ||
          (proposal.target !== undefined && item.proposal.target?.id === proposal.target.id) ||
          (item.memory.name === memory.name && item.memory.description === memory.description)),
    );
    const salt = `s${randomBytes(8).toString("hex")}`;
    const textUnder = (name: string): string =>
      withMetadata(
        redactSecrets(encodeMemory({ ...memory, name }, this.#types)),
        "proposal",
        toFile({ ...proposal, salt }),
      );
    const isRemoval = (one: Proposal): boolean => one.flags.includes("isRemoval");
    // Whoever says yes to a name means what waited under it: a wish to remove is no change.
    if (earlier && isRemoval(earlier.proposal) !== isRemoval(proposal))
      removeFile(this.#path(earlier.memory.name));
    else if (earlier) {
      const { name } = earlier.memory;
      writeFileAtomic(this.#path(name), textUnder(name), PRIVATE);
      return name;
    }
    const taken = new Set(items.map((item) => item.memory.name));
    for (;;) {
      const name = freeName(memory.name, taken);
      // Another process may take it now, and a file that cannot be read may be somebody's proposal.
      if (createFileAtomic(this.#path(name), textUnder(name), PRIVATE)) return name;
      taken.add(name);
    }
  }

  /** The absolute path of an item's file. */
  fileOf(name: string): string {
    return this.#path(name);
  }

  /** Takes out an item that has become a memory; it is kept under the content hash of what it became. */
  take(name: string, contentHash: string): void {
    const path = this.#path(name);
    const text = readText(path);
    if (text !== null) writeFileAtomic(this.#keptPath(contentHash), text, PRIVATE);
    removeFile(path);
    pruneFiles(newestFiles(join(this.#folder, KEPT), ".md"), 0, MAX_KEPT);
  }

  /** Puts the item that became a text back to what waits, as that was taken back; whether there was one. */
  giveBack(contentHash: string): boolean {
    const path = this.#keptPath(contentHash);
    const text = readText(path);
    const memory = text === null ? undefined : this.#parse(path, text);
    if (text === null || !memory || !createFileAtomic(this.#path(memory.name), text, PRIVATE)) return false;
    removeFile(path);
    return true;
  }

  /** Notes when the user was first shown an item. */
  noteShown(name: string, at: Date): void {
    const path = this.#path(name);
    const text = readText(path);
    const proposal = text === null ? undefined : asRecord(metadataOf(text)["proposal"]);
    if (text === null || !proposal || proposal["shown"] !== undefined) return;
    writeFileAtomic(path, withMetadata(text, "proposal", { ...proposal, shown: at.toISOString() }), PRIVATE);
  }

  /** Drops an item for good, with the reason. */
  reject(name: string, { reason, actor, at }: { reason: string; actor: Actor; at: Date }): void {
    const path = this.#path(name);
    const text = readText(path);
    if (text === null) return;
    const rejection = {
      at: at.toISOString(),
      by: actor.kind,
      reason: redactSecrets(reason).replace(/\s+/g, " ").trim(),
    };
    writeFileAtomic(path, withMetadata(text, "rejected", rejection), PRIVATE);
    const taken = new Set(this.#files(REJECTED).map((file) => file.replace(/\.md$/, "")));
    moveFile(path, join(this.#folder, REJECTED, `${freeName(fileNameOf(name), taken)}.md`));
  }

  /** Puts the proposal of a name that was dropped last back to what waits; whether there was one. */
  bringBack(name: string): boolean {
    const dropped = this.#files(REJECTED)
      .map((file) => ({ path: join(this.#folder, REJECTED, file), file }))
      .flatMap(({ path, file }) => {
        const text = readText(path);
        const memory = text === null ? undefined : this.#parse(file, text);
        if (text === null || memory?.name !== name) return [];
        const at = new FieldReader(asRecord(metadataOf(text)["rejected"]) ?? {}).text("at") ?? "";
        return [{ path, text, at }];
      })
      .sort((a, b) => b.at.localeCompare(a.at))[0];
    if (!dropped) return false;
    if (!createFileAtomic(this.#path(name), withMetadata(dropped.text, "rejected", undefined), PRIVATE))
      return false;
    removeFile(dropped.path);
    return true;
  }

  /** What the user dropped, the last one first. */
  listRejected(): RejectedItem[] {
    return this.#files(REJECTED)
      .flatMap((file): RejectedItem[] => {
        const text = readText(join(this.#folder, REJECTED, file));
        const memory = text === null ? undefined : this.#parse(file, text);
        if (text === null || !memory) return [];
        const fields = new FieldReader(asRecord(metadataOf(text)["rejected"]) ?? {});
        const target = fromFile(asRecord(metadataOf(text)["proposal"]) ?? {}).target?.id;
        const [reason, date] = [fields.text("reason") ?? "", fields.text("at") ?? ""];
        const by = fields.word(ACTOR_KINDS, "by") ?? "person";
        return [{ memory, reason, date, by, ...(target !== undefined && { target }) }];
      })
      .sort((a, b) => b.date.localeCompare(a.date));
  }

  #keptPath(contentHash: string): string {
    return join(this.#folder, KEPT, `${fileNameOf(contentHash)}.md`);
  }

  #path(name: string): string {
    return join(this.#folder, `${fileNameOf(name)}.md`);
  }

  #files(folder: string): string[] {
    return filesIn(join(this.#folder, folder));
  }

  #parse(file: string, text: string): Memory | undefined {
    return parseMemory(text, { file, storeId: "inbox" }, this.#types).memory;
  }
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}

function withMetadata(text: string, key: string, value: unknown): string {
  const split = splitSource(text);
  return split.opening + setYamlValue(split.yaml, ["metadata", key], value) + split.closing + split.body;
}

function toFile({ by, flags, ...rest }: Proposal): Record<string, unknown> {
  return { ...rest, by: { ...by }, ...(flags.length > 0 && { flags: [...flags] }) };
}
