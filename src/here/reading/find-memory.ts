import { inboxOf } from "../consent/inbox.ts";
import { type Collection, openCollection } from "../collection.ts";
import type { Place } from "../place.ts";
import { nearestNames } from "../../memory/nearest-names.ts";
import { HeedError } from "../../machine/heed-error.ts";
import { isShortFor, plainHandle, shortNameOf } from "../../memory/handle.ts";
import type { MemoryMetadata, StoreRef } from "../../memory/memory.ts";
import { cutShown } from "../../memory/screening/find-secrets.ts";
import type { StoredMemory } from "../../store/files/scan-store.ts";

/** A memory and the store that holds it. */
export interface FoundMemory extends StoredMemory {
  store: StoreRef;
}

/**
 * The memory that a handle means, as its file says now.
 *
 * @throws HeedError `not-found` with suggestions, `ambiguous` with candidates.
 */
export async function findMemory(place: Place, handle: string): Promise<FoundMemory> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const metadata = resolveOrExplain(place, collection, handle);
  const read = await collection.read(metadata);
  if (!read) throw notFound(handle, handle, []);
  return { ...read, store: collection.storeOf(metadata) };
}

function resolveOrExplain(place: Place, collection: Collection, handle: string): MemoryMetadata {
  try {
    return resolveHandle(collection, handle);
  } catch (error) {
    const item = inboxOf(place).get(plainHandle(handle));
    if (!item || !(error instanceof HeedError) || error.code !== "not-found") throw error;
    const { name } = item.memory;
    throw new HeedError(
      "not-found",
      `"${name}" needs the user's approval and is not a memory yet: \`heed inbox confirm ${name}\` first, or \`heed inbox reject ${name}\` and write it again`,
      { handle, suggestions: [] },
      { cause: error },
    );
  }
}

function notFound(handle: string, wanted: string, suggestions: string[]): HeedError {
  const hint =
    suggestions.length > 0 ? `Did you mean ${suggestions.join(", ")}?` : "`heed list` names them all.";
  const said = `no memory is called "${cutShown(wanted, 80)}". ${hint}`;
  return new HeedError("not-found", said, { handle, suggestions });
}

/** Memory by name, `heed:name`, short handle, cut name, id or six characters of it; the narrower store wins. */
export function resolveHandle(collection: Collection, handle: string, storeName?: string): MemoryMetadata {
  const wanted = plainHandle(handle);
  if (wanted === "")
    throw new HeedError("invalid-input", "the handle is empty: give a memory's name or id", { handle });
  const isThere = (metadata: MemoryMetadata): boolean => {
    const store = collection.storeOf(metadata);
    return storeName === undefined || store.kind === storeName || store.id === storeName;
  };
  const exact = collection.readers
    .flatMap((reader) => reader.memoriesByHandle(wanted))
    .filter(isThere)
    .sort((a, b) => rankOf(collection, a) - rankOf(collection, b));
  const [first, second] = exact;
  if (first && second && rankOf(collection, first) === rankOf(collection, second)) {
    throw ambiguous(handle, exact);
  }
  if (first) return first;
  const memories = collection.memories().filter(isThere);
  const marked = memories.filter(({ name }) => isShortFor(wanted, name));
  const same = marked.filter((metadata) => shortNameOf(metadata) === wanted);
  const cut = same.length > 0 ? same : marked;
  if (new Set(cut.map(({ name }) => name)).size > 1) throw ambiguous(handle, cut);
  if (cut[0]) return resolveHandle(collection, cut[0].name, storeName);
  const byPrefix =
    wanted.length >= 6 ? memories.filter((metadata) => metadata.id.startsWith(wanted.toUpperCase())) : [];
  if (byPrefix.length > 1) throw ambiguous(handle, byPrefix);
  if (byPrefix[0]) return byPrefix[0];
  const names = memories.flatMap((metadata) => [metadata.name, shortNameOf(metadata)]);
  throw notFound(handle, wanted, nearestNames(wanted, [...new Set(names)]));
}

const RANKS = { project: 0, user: 1, team: 2, attached: 3 };

function rankOf(collection: Collection, metadata: MemoryMetadata): number {
  return RANKS[collection.storeOf(metadata).kind];
}

function ambiguous(handle: string, memories: readonly MemoryMetadata[]): HeedError {
  const candidates = memories
    .slice(0, 10)
    .map((metadata) => ({ name: metadata.name, id: metadata.id, file: metadata.file }));
  return new HeedError(
    "ambiguous",
    `"${handle}" fits ${memories.length} memories: ${candidates.map(({ name, id }) => `${name} (${id})`).join(", ")}. Give the id.`,
    { handle, candidates },
  );
}
