import { randomBytes } from "node:crypto";
import { basename, join } from "node:path";
import { type Actor, type ActorKind, ACTOR_KINDS, type Memory } from "../../memory/memory.ts";
import { setYamlValue, encodeMemory } from "../../memory/codec/encode-memory.ts";
import { fieldsOf, splitSource } from "../../memory/codec/front-matter.ts";
import type { TypeTable } from "../../memory/memory-type.ts";
import { parseMemory } from "../../memory/codec/parse-memory.ts";
import { asRecord, FieldReader } from "../../machine/read-fields.ts";
import { freeName, isShortFor } from "../../memory/handle.ts";
import { cutText } from "../../memory/shown-text.ts";
import { codeOf } from "../../memory/formula.ts";
import { LIMITS } from "../../memory/limits.ts";
import { redactSecrets } from "../../memory/screening/find-secrets.ts";
import {
  createFileAtomic,
  moveFile,
  readText,
  removeFile,
  writeFileAtomic,
  newestFiles,
  pruneFiles,
} from "../../machine/atomic-file.ts";
import type { Places } from "../../machine/places.ts";
import { namesInFolder } from "../../machine/regular-file.ts";
import { fileNameOf } from "../../store/files/scan-store.ts";

export interface Proposal {
  at: string;
  reason: string;
  by: Actor;
  store: string;
  /** The memory that it would change: its id, and its content hash when the change was proposed. */
  target?: { id: string; name: string; hash: string } | undefined;
  /** Random part of its code: nobody can write another proposal that has the same. */
  salt?: string | undefined;
  /** ISO time at which the user was first shown it; absent: not yet. */
  shown?: string | undefined;
  asks: ProposalAsks;
}

/** What a yes does: writes the item or changes its target to it, removes the target, puts the item's guard into it. */
export type ProposalAsks = (typeof ASKS)[number];
const ASKS = ["memory", "removal", "guard"] as const;

export interface InboxItem {
  memory: Memory;
  proposal: Proposal;
}

interface RejectedItem {
  memory: Memory;
  by: ActorKind;
  reason: string;
  date: string;
  /** The id of the memory that it would have changed. */
  target?: string | undefined;
}

interface ItemFile {
  path: string;
  text: string;
  memory: Memory;
  proposal: Proposal | undefined;
  rejected: FieldReader;
}

const REJECTED = ".rejected";
const KEPT = ".kept";
/** Items that became memories; their confirmation may be taken back. */
const MAX_KEPT = 100;
const MAX_ITEMS = 2000;
/** Only the user may read what is said about them. */
const PRIVATE = { mode: 0o600 };

/** Items as they were read last: an import asks for all of them with each of many. */
const PARSED = new WeakMap<TypeTable, Map<string, { text: string; item: ItemFile | undefined }>>();

export function inboxOf({ places, types }: { places: Places; types: TypeTable }): Inbox {
  return new Inbox(join(places.state, "inbox"), types);
}

/** Proposals that need approval: one private file each in the state directory; rejected ones are kept. */
export class Inbox {
  readonly #folder: string;
  readonly #types: TypeTable;
  readonly #parsed: Map<string, { text: string; item: ItemFile | undefined }>;

  constructor(folder: string, types: TypeTable) {
    this.#folder = folder;
    this.#types = types;
    this.#parsed = PARSED.get(types) ?? new Map();
    PARSED.set(types, this.#parsed);
  }

  list(): InboxItem[] {
    return this.#items("")
      .flatMap(({ memory, proposal }): InboxItem[] => (proposal ? [{ memory, proposal }] : []))
      .sort(
        (a, b) => a.proposal.at.localeCompare(b.proposal.at) || a.memory.name.localeCompare(b.memory.name),
      );
  }

  get(handle: string): InboxItem | undefined {
    const items = this.list();
    return (
      items.find(({ memory }) => memory.name === handle || memory.id === handle) ??
      items.find(({ memory }) => isShortFor(handle, memory.name))
    );
  }

  /** Adds an item; replaces an earlier one for the same target or memory. Returns its name, numbered where taken. */
  put(memory: Memory, proposal: Proposal): string {
    const items = this.list();
    const { asks } = proposal;
    const earlier = items.find(
      (item) =>
        // A rule's guard is a question of its own.
        (item.proposal.asks === "guard") === (asks === "guard") &&
        (item.memory.id === memory.id ||
          (proposal.target !== undefined && item.proposal.target?.id === proposal.target.id) ||
          (item.memory.name === memory.name && item.memory.statement === memory.statement)),
    );
    const salt = `s${randomBytes(8).toString("hex")}`;
    const textUnder = (name: string): string =>
      withKept(redactSecrets(encodeMemory({ ...memory, name }, this.#types)), "proposal", {
        ...proposal,
        salt,
      });
    // Whoever says yes to a name means what waited under it: a wish to remove is no change.
    if (earlier?.proposal.asks === asks) {
      const { name } = earlier.memory;
      writeFileAtomic(this.fileOf(name), textUnder(name), PRIVATE);
      return name;
    }
    if (earlier) removeFile(this.fileOf(earlier.memory.name));
    const taken = new Set(items.map((item) => item.memory.name));
    for (;;) {
      const name = freeName(memory.name, (one) => taken.has(one));
      // Another process may take it now, and a file that cannot be read may be somebody's proposal.
      if (createFileAtomic(this.fileOf(name), textUnder(name), PRIVATE)) return name;
      taken.add(name);
    }
  }

  fileOf(name: string, folder: string = ""): string {
    return join(this.#folder, folder, `${fileNameOf(name)}.md`);
  }

  /** Takes out an item that became a memory; keeps it under the content hash of what it became. */
  take(name: string, contentHash: string): void {
    const path = this.fileOf(name);
    const text = readText(path);
    if (text !== null) writeFileAtomic(this.fileOf(contentHash, KEPT), text, PRIVATE);
    removeFile(path);
    pruneFiles(newestFiles(join(this.#folder, KEPT), ".md"), { files: MAX_KEPT });
  }

  /** Puts the item that became a text back to what waits, as that was taken back; whether there was one. */
  giveBack(contentHash: string): boolean {
    const item = this.#read(this.fileOf(contentHash, KEPT));
    return item !== undefined && this.#putBack(item, item.text);
  }

  noteShown(name: string, at: Date): void {
    const { path, text, proposal } = this.#read(this.fileOf(name)) ?? {};
    if (path === undefined || text === undefined || !proposal || proposal.shown !== undefined) return;
    writeFileAtomic(path, withKept(text, "proposal", { ...proposal, shown: at.toISOString() }), PRIVATE);
  }

  reject(name: string, { reason, actor, at }: { reason: string; actor: Actor; at: Date }): void {
    const path = this.fileOf(name);
    const text = readText(path);
    if (text === null) return;
    const said = cutText(redactSecrets(reason).replace(/\s+/g, " ").trim(), LIMITS.reasonChars);
    const rejection = { at: at.toISOString(), by: actor.kind, reason: said };
    writeFileAtomic(path, withKept(text, "rejected", rejection), PRIVATE);
    const folder = join(this.#folder, REJECTED);
    const taken = new Set(namesInFolder(folder).map((file) => file.replace(/\.md$/, "")));
    moveFile(path, join(folder, `${freeName(fileNameOf(name), (one) => taken.has(one))}.md`));
  }

  /** Puts the proposal of a name that was dropped last back to what waits; whether there was one. */
  bringBack(name: string): boolean {
    const last = this.#rejected().find(({ memory }) => memory.name === name);
    return last !== undefined && this.#putBack(last, withKept(last.text, "rejected", undefined));
  }

  listRejected(): RejectedItem[] {
    return this.#rejected().map(({ memory, proposal, rejected }) => ({
      memory,
      date: rejected.text("at") ?? "",
      by: rejected.word(ACTOR_KINDS, "by") ?? "person",
      reason: rejected.text("reason") ?? "",
      target: proposal?.target?.id,
    }));
  }

  #rejected(): ItemFile[] {
    const dateOf = ({ rejected }: ItemFile): string => rejected.text("at") ?? "";
    return this.#items(REJECTED).sort((a, b) => dateOf(b).localeCompare(dateOf(a)));
  }

  #putBack({ path, memory }: ItemFile, text: string): boolean {
    if (!createFileAtomic(this.fileOf(memory.name), text, PRIVATE)) return false;
    removeFile(path);
    return true;
  }

  #items(folder: string): ItemFile[] {
    const path = join(this.#folder, folder);
    return namesInFolder(path)
      .filter((name) => name.endsWith(".md"))
      .slice(0, MAX_ITEMS)
      .flatMap((name) => this.#read(join(path, name)) ?? []);
  }

  #read(path: string): ItemFile | undefined {
    const text = readText(path) ?? "";
    const before = this.#parsed.get(path);
    if (before?.text === text) return before.item;
    const { memory } = parseMemory(text, { file: basename(path), storeId: "inbox" }, this.#types);
    const { proposal, rejected } = asRecord(fieldsOf(text).get("metadata")) ?? {};
    const item = memory && {
      path,
      text,
      memory,
      proposal: proposalOf(asRecord(proposal)),
      rejected: new FieldReader(asRecord(rejected) ?? {}),
    };
    if (this.#parsed.size >= MAX_ITEMS) this.#parsed.clear();
    this.#parsed.set(path, { text, item });
    return item;
  }
}

function withKept(text: string, key: string, value: object | undefined): string {
  const { opening, yaml, closing, body } = splitSource(text);
  const plain: unknown = value && JSON.parse(JSON.stringify(value));
  return opening + setYamlValue(yaml, ["metadata", key], plain) + closing + body;
}

function proposalOf(record: Record<string, unknown> | undefined): Proposal | undefined {
  if (!record) return undefined;
  const fields = new FieldReader(record);
  const by = new FieldReader(asRecord(fields.get("by")) ?? {});
  const target = new FieldReader(asRecord(fields.get("target")) ?? {});
  const [client, session, id] = [by.text("client"), by.text("session"), target.text("id")];
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
    shown: fields.text("shown"),
    salt: fields.text("salt"),
    target: id ? { id, name: target.text("name") ?? "", hash: target.text("hash") ?? "" } : undefined,
    asks: fields.word(ASKS, "asks") ?? "memory",
  };
}

/** The code of an inbox item, over all that a yes would put into force, and its random salt. */
export function codeOfItem({ memory, proposal }: InboxItem): string {
  const { store, target, asks, salt } = proposal;
  return codeOf(JSON.stringify([memory, store, target, asks, salt]));
}
