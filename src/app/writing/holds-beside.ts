import type { MemoryCard } from "../../memory/memory-card.ts";
import type { StoreKind } from "../../memory/memory-card.ts";
import type { Place } from "../place/place.ts";

/**
 * Whether a memory holds where a write will hold: one of another repository says nothing here, however alike it is, and
 * what is said here is no change of it. A change of a memory holds where that one does.
 */
export function holdsBeside(
  place: Place,
  { scope }: MemoryCard,
  storeKind: StoreKind,
  current: MemoryCard | undefined,
): boolean {
  if (scope.repo === undefined || storeKind === "project") return true;
  if (current?.scope.repo !== undefined) return current.scope.repo === scope.repo;
  return place.here().isRepositoryHere(scope.repo);
}
