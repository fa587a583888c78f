import { nearestNames } from "../../curate/nearest-names.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { plainHandle } from "../../memory/handle.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { Collection } from "./collection.ts";

/**
 * The memory that a handle means: a name, `heed:name`, an id, or a beginning of an id of at least six characters.
 * Of the same name in several stores the narrower wins (project, user, attached) unless a store is given by kind or
 * id. Throws `not-found` with the nearest names, or `ambiguous`.
 */
export function resolveHandle(collection: Collection, handle: string, storeName?: string): MemoryCard {
  const wanted = plainHandle(handle);
  if (wanted === "")
    throw new HeedError("invalid-input", "the handle is empty: give a memory's name or id", { handle });
  const isThere = (card: MemoryCard): boolean => {
    const store = collection.storeOf(card);
    return storeName === undefined || store.kind === storeName || store.id === storeName;
  };
  const exact = collection.readers
    .flatMap((reader) => reader.cardsByHandle(wanted))
    .filter(isThere)
    .sort((a, b) => rankOf(collection, a) - rankOf(collection, b));
  const [first, second] = exact;
  if (first && second && rankOf(collection, first) === rankOf(collection, second)) {
    throw ambiguous(handle, exact);
  }
  if (first) return first;
  const cards = collection.cards().filter(isThere);
  const byPrefix = wanted.length >= 6 ? cards.filter((card) => card.id.startsWith(wanted.toUpperCase())) : [];
  if (byPrefix.length > 1) throw ambiguous(handle, byPrefix);
  if (byPrefix[0]) return byPrefix[0];
  const suggestions = nearestNames(
    wanted,
    cards.map((card) => card.name),
  );
  const hint =
    suggestions.length > 0 ? `Did you mean ${suggestions.join(", ")}?` : "`heed list` names them all.";
  throw new HeedError("not-found", `no memory is called "${wanted}". ${hint}`, { handle, suggestions });
}

const RANKS = { project: 0, user: 1, attached: 2 };

function rankOf(collection: Collection, card: MemoryCard): number {
  return RANKS[collection.storeOf(card).kind];
}

function ambiguous(handle: string, cards: readonly MemoryCard[]): HeedError {
  const candidates = cards.slice(0, 10).map((card) => ({ name: card.name, id: card.id, file: card.file }));
  return new HeedError(
    "ambiguous",
    `"${handle}" fits ${cards.length} memories: ${candidates.map(({ name, id }) => `${name} (${id})`).join(", ")}. Give the id.`,
    { handle, candidates },
  );
}
