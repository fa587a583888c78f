import { join } from "node:path";
import { appendEvent, readEvents } from "../../machine/event-log.ts";
import { stampOf } from "../../machine/regular-file.ts";
import { FORMATS } from "../../machine/versioned-file.ts";
import { HOSTILE_WORDS } from "../../memory/screening/order-patterns.ts";
import type { ActorKind, MemoryMetadata, StoreRef, Actor, StoreKind, Memory } from "../../memory/memory.ts";
import { plainWords } from "../../memory/handle.ts";
import { type TypePolicy, needsApproval } from "../../memory/memory-type.ts";
import type { Collection } from "../collection.ts";
import type { Places } from "../../machine/places.ts";
import { findHostile } from "../../memory/screening/find-hostile.ts";

export type UserWord = "confirmed" | "rejected";

/** Whether a memory says what only the user can, and came in without a write: asked as at a write, by the kind of its store. */
export function needsOwnersWord(
  store: Pick<StoreRef, "kind">,
  policy: Pick<TypePolicy, "needs" | "injection"> | undefined,
  metadata: Pick<MemoryMetadata, "source">,
): boolean {
  const isStatement = policy?.needs.includes("confirmation") === true;
  if (store.kind === "attached")
    return isStatement || policy?.injection === "always" || needsApproval(policy);
  return isStatement && (store.kind !== "user" || metadata.source === "inferred");
}

/** The user's words on stored memories that need one, by content hash: another text waits again. Kept on this machine alone. */
export function readUserWords(places: Places): ReadonlyMap<string, UserWord> {
  const words = new Map<string, UserWord>();
  for (const { hash, word } of readEvents(logOf(places), FORMATS.userWords)) {
    if (typeof hash !== "string") continue;
    if (word === "confirmed" || word === "rejected") words.set(hash, word);
    else if (word === "taken back") words.delete(hash);
  }
  return words;
}

/** Why a memory is quarantined until a person has released it, in words; undefined when nothing in its text says so. */
export function whyQuarantined({ flags }: Pick<MemoryMetadata, "flags">): string | undefined {
  if (!flags || flags.length === 0) return undefined;
  return `quarantined: ${flags.map((kind) => HOSTILE_WORDS[kind]).join("; ")}`;
}

export function needsWord(metadata: MemoryMetadata, collection: Collection): boolean {
  return (
    metadata.flags !== undefined ||
    needsOwnersWord(collection.storeOf(metadata), collection.types.get(metadata.type), metadata)
  );
}

export function waitingMemories(
  places: Places,
  collection: Collection,
  memories: readonly MemoryMetadata[],
): MemoryMetadata[] {
  // Nobody is asked about what came with a clone: it is data anyway until the store is trusted.
  const waiting = memories.filter(
    (metadata) => needsWord(metadata, collection) && collection.storeOf(metadata).isTrusted,
  );
  if (waiting.length === 0) return [];
  const words = readUserWords(places);
  const isOpen = ({ contentHash, status }: MemoryMetadata): boolean =>
    !words.has(contentHash) && status !== "superseded";
  // What the user's own store says already needs no second word.
  const own = collection.memories().filter((one) => collection.storeOf(one).kind === "user");
  const said = new Set(own.filter((one) => !needsWord(one, collection)).map(saidAs));
  return waiting.filter((metadata) => isOpen(metadata) && !said.has(saidAs(metadata)));
}

const saidAs = ({ type, description }: MemoryMetadata): string => `${type} ${plainWords(description)}`;

export function recordUserWord(
  places: Places,
  metadata: Pick<MemoryMetadata, "contentHash" | "name" | "storeId">,
  said: { word: UserWord | "taken back"; by?: ActorKind; reason?: string; time: Date },
): void {
  const { contentHash: hash, name, storeId: store } = metadata;
  const { word, by, reason, time } = said;
  appendEvent(logOf(places), FORMATS.userWords, {
    hash,
    word,
    name,
    store,
    time: time.toISOString(),
    ...(by && { by }),
    ...(reason !== undefined && { reason: reason.slice(0, 500) }),
  });
}

export function wordsStamp(places: Places): string {
  return stampOf(logOf(places));
}

function logOf(places: Places): string {
  return join(places.state, "claim-words.jsonl");
}

/** The command by which a person looks over what did not come through heed in a store of a kind. */
export function reviewCommand(kind: StoreKind): string {
  return kind === "user" ? "heed trust --mine" : "heed trust";
}

/** Whether a text may be shown to a person alone, and is to be shown to somebody else. */
export function isQuarantinedFrom(
  reader: Actor | undefined,
  { name, description, body }: Pick<Memory, "name" | "description" | "body">,
): boolean {
  return reader?.kind !== "person" && findHostile(`${name}\n${description}\n${body}`).length > 0;
}

/** The same without what it says: a model that reads it would read what is quarantined from it. */
export function withheld<T extends Pick<Memory, "description" | "body">>(memory: T): T {
  const kinds = findHostile(`${memory.description}\n${memory.body}`).map(({ kind }) => HOSTILE_WORDS[kind]);
  return {
    ...memory,
    description: `(quarantined: ${kinds.join("; ") || "its name says more than a name"})`,
    body: "",
  };
}
