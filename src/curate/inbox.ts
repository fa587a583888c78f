import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Actor, ActorKind } from "../memory/actor.ts";
import { ACTOR_KINDS } from "../memory/actor.ts";
import { setYamlValue } from "../memory/codec/edit-yaml.ts";
import { encodeMemory } from "../memory/codec/encode-memory.ts";
import { splitSource } from "../memory/codec/front-matter.ts";
import type { Memory } from "../memory/memory.ts";
import type { TypeTable } from "../memory/memory-type.ts";
import { parseMemory } from "../memory/codec/parse-memory.ts";
import { asRecord, FieldReader } from "../memory/codec/read-fields.ts";
import { fieldsOf } from "../memory/codec/read-front-matter.ts";
import { redactSecrets } from "../screening/find-secrets.ts";
import {
  createFileAtomic,
  moveFile,
  readText,
  removeFile,
  writeFileAtomic,
} from "../platform/atomic-file.ts";
import { fileNameOf } from "../store/files/memory-path.ts";
import type { Places } from "../platform/places.ts";
import { newestFiles, pruneFiles } from "../platform/prune-files.ts";

/** Why a memory waits, who proposed it, and where it would go. */
export interface Proposal {
  /** ISO time, with milliseconds. */
  at: string;
  reason: string;
  by: Actor;
  /** Id of the store that it would enter. */
  store: string;
  /** The memory that it would change: its id, and its content hash when the change was proposed. */
  target?: { id: string; name: string; hash: string };
  /** Drawn when it is put here, and part of its code: nobody can write another proposal that has the same. */
  salt?: string;
  /** ISO time at which the user was first shown it; absent: not yet. */
  shown?: string;
  /** What it asks for besides a new text. */
  flags: readonly ProposalFlag[];
}

/**
 * `isRemoval`: a yes removes the target. `isSuperseded`: it is superseded by the linked memory. `isGuard`:
 * only the item's guard is put into the target.
 */
export type ProposalFlag = "isRemoval" | "isSuperseded" | "isGuard";
const PROPOSAL_FLAGS: readonly ProposalFlag[] = ["isRemoval", "isSuperseded", "isGuard"];

/** Under which name the wish to remove a memory waits. */
export function nameOfRemoval(name: string): string {
  return `forget-${name}`;
}

/** A memory that waits for the user's word. */
export interface InboxItem {
  memory: Memory;
  proposal: Proposal;
}

/** A proposal that was dropped. */
export interface RejectedItem {
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
/** An inbox with more files than this is not a person's; the rest is left out. */
const MAX_ITEMS = 2000;
/** Only the user may read what is said about them. */
const PRIVATE = { mode: 0o600 };

/** Files as they were parsed last, by path: an import of many asks for all items again with each of them. */
const PARSED = new WeakMap<TypeTable, Map<string, { text: string; item: InboxItem | undefined }>>();

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
    return this.#files("")
      .flatMap((file): InboxItem[] => {
        const item = this.#read(file);
        return item ? [item] : [];
      })
      .sort(
        (a, b) => a.proposal.at.localeCompare(b.proposal.at) || a.memory.name.localeCompare(b.memory.name),
      );
  }

  /** The item of that name or id. */
  get(handle: string): InboxItem | undefined {
    return this.list().find(({ memory }) => memory.name === handle || memory.id === handle);
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
    try {
      return readdirSync(join(this.#folder, folder))
        .filter((name) => name.endsWith(".md"))
        .sort()
        .slice(0, MAX_ITEMS);
    } catch {
      return [];
    }
  }

  #read(file: string): InboxItem | undefined {
    const path = join(this.#folder, file);
    const text = readText(path);
    if (text === null) return undefined;
    const known = PARSED.get(this.#types) ?? new Map<string, { text: string; item: InboxItem | undefined }>();
    PARSED.set(this.#types, known);
    const before = known.get(path);
    if (before?.text === text) return before.item;
    const memory = this.#parse(file, text);
    const proposal = asRecord(metadataOf(text)["proposal"]);
    const item = memory && proposal ? { memory, proposal: fromFile(proposal) } : undefined;
    if (known.size >= MAX_ITEMS) known.clear();
    known.set(path, { text, item });
    return item;
  }

  #parse(file: string, text: string): Memory | undefined {
    return parseMemory(text, { file, storeId: "inbox" }, this.#types).memory;
  }
}

/** The name itself, or the first of `name-2`, `name-3` … that is free. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}

function withMetadata(text: string, key: string, value: unknown): string {
  const split = splitSource(text);
  return split.opening + setYamlValue(split.yaml, ["metadata", key], value) + split.closing + split.body;
}

function metadataOf(text: string): Record<string, unknown> {
  return asRecord(fieldsOf(text).get("metadata")) ?? {};
}

function toFile({ by, flags, ...rest }: Proposal): Record<string, unknown> {
  return { ...rest, by: { ...by }, ...(flags.length > 0 && { flags: [...flags] }) };
}

function fromFile(record: Record<string, unknown>): Proposal {
  const fields = new FieldReader(record);
  const by = new FieldReader(asRecord(fields.get("by")) ?? {});
  const target = new FieldReader(asRecord(fields.get("target")) ?? {});
  const [client, session, id] = [by.text("client"), by.text("session"), target.text("id")];
  const [shown, salt] = [fields.text("shown"), fields.text("salt")];
  return {
    // Without a time nothing can have come after it: only a person can confirm then.
    at: fields.text("at") ?? "9999-12-31T00:00:00Z",
    reason: fields.text("reason") ?? "",
    by: {
      kind: by.word(ACTOR_KINDS, "kind") ?? "import",
      ...(client && { client }),
      ...(session && { session }),
    },
    store: fields.text("store") ?? "",
    ...(shown && { shown }),
    ...(salt && { salt }),
    ...(id && { target: { id, name: target.text("name") ?? "", hash: target.text("hash") ?? "" } }),
    flags: fields
      .list("flags")
      .filter((flag): flag is ProposalFlag => PROPOSAL_FLAGS.includes(flag as ProposalFlag)),
  };
}
