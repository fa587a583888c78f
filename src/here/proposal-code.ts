import { namesInFolder } from "../machine/regular-file.ts";
import { join } from "node:path";
import { fieldsOf } from "../memory/codec/front-matter.ts";
import { parseMemory } from "../memory/codec/parse-memory.ts";
import { asRecord, FieldReader } from "../machine/read-fields.ts";
import type { TypeTable } from "../memory/memory-type.ts";
import { type Actor, ACTOR_KINDS, type Memory } from "../memory/memory.ts";
import { readText } from "../machine/atomic-file.ts";
import { sha256Hex } from "../machine/sha256.ts";

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

/** `isRemoval`: a yes removes the target. `isGuard`: only the item's guard is put into the target. */
export type ProposalFlag = "isRemoval" | "isGuard";
const PROPOSAL_FLAGS: readonly ProposalFlag[] = ["isRemoval", "isGuard"];

/** A memory that waits for the user's word. */
export interface InboxItem {
  memory: Memory;
  proposal: Proposal;
}

/** Letters and digits that nobody takes for each other. */
const SIGNS = "abcdefghjkmnpqrstuvwxyz23456789";
const CODE_CHARS = 5;

/** A short code for exactly what a person was shown; any other text has another code. It is not a secret. */
export function codeOf(...shown: readonly string[]): string {
  const hash = sha256Hex(JSON.stringify(shown));
  return Array.from(
    { length: CODE_CHARS },
    (_, i) => SIGNS[parseInt(hash.slice(i * 2, i * 2 + 2), 16) % SIGNS.length],
  ).join("");
}

interface Proposed {
  memory: Memory;
  proposal: {
    store: string;
    target?: { id: string; hash: string } | undefined;
    flags: readonly string[];
    salt?: string | undefined;
  };
}

/** The code of an inbox item, over all that a yes would put into force, and its random salt. */
export function codeOfItem({ memory, proposal }: Proposed): string {
  const { name, type, description, body, scope, expires = "", status, guard = null } = memory;
  const { store, target, flags, salt = "" } = proposal;
  const where = [salt, store, target?.id ?? "", target?.hash ?? ""];
  const { tags, aliases, trigger, links, claims, confidence, source, salience } = memory;
  const found = [tags, aliases, trigger, links, claims, confidence, source, salience];
  const bounds = JSON.stringify([scope, guard, ...found]);
  return codeOf(name, type, description, body.trim(), status, expires, bounds, ...where, ...flags);
}

/** An inbox with more files than this is not a person's; the rest is left out. */
const MAX_ITEMS = 2000;

/** Items by the text of their file, as it was read last: an import of many asks for all of them with each one. */
const PARSED = new WeakMap<TypeTable, Map<string, { text: string; items: InboxItem[] }>>();

/** The names of the items' files in a folder; none where it cannot be read. */
export function filesIn(folder: string): string[] {
  return namesInFolder(folder)
    .filter((name) => name.endsWith(".md"))
    .slice(0, MAX_ITEMS);
}

/** The items that wait in a folder, the oldest first. A file that cannot be read is left out. */
export function waitingIn(folder: string, types: TypeTable): InboxItem[] {
  const parsed = PARSED.get(types) ?? new Map<string, { text: string; items: InboxItem[] }>();
  PARSED.set(types, parsed);
  return filesIn(folder)
    .flatMap((file): InboxItem[] => {
      const text = readText(join(folder, file)) ?? "";
      const before = parsed.get(join(folder, file));
      if (before?.text === text) return before.items;
      const { memory } = parseMemory(text, { file, storeId: "inbox" }, types);
      const proposal = memory && asRecord(metadataOf(text)["proposal"]);
      const items = proposal ? [{ memory, proposal: fromFile(proposal) }] : [];
      if (parsed.size >= MAX_ITEMS) parsed.clear();
      parsed.set(join(folder, file), { text, items });
      return items;
    })
    .sort((a, b) => a.proposal.at.localeCompare(b.proposal.at) || a.memory.name.localeCompare(b.memory.name));
}

/** What heed keeps in the front matter of an item beside the memory. */
export function metadataOf(text: string): Record<string, unknown> {
  return asRecord(fieldsOf(text).get("metadata")) ?? {};
}

/** A proposal as its file says it. */
export function fromFile(record: Record<string, unknown>): Proposal {
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
