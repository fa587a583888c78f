import type { MemoryMetadata } from "../memory/memory-metadata.ts";

const SALIENCE_ORDER = { high: 0, medium: 1, low: 2 };

/** What a memory's place in an order goes by; what is equal falls to the next. */
export interface OrderKeys {
  metadata: MemoryMetadata;
  /** How often it was of use; default: it does not count. */
  uses?: number;
  /** Something in it is no longer so. */
  isStale?: boolean;
}

/** By salience, then use, then what is not stale, then narrower scope, then newer, then name. */
export function compareInOrder(a: OrderKeys, b: OrderKeys): number {
  return (
    SALIENCE_ORDER[a.metadata.salience] - SALIENCE_ORDER[b.metadata.salience] ||
    (b.uses ?? 0) - (a.uses ?? 0) ||
    Number(a.isStale ?? false) - Number(b.isStale ?? false) ||
    breadthOf(a.metadata) - breadthOf(b.metadata) ||
    compare(ageOf(b.metadata), ageOf(a.metadata)) ||
    compare(a.metadata.name, b.metadata.name)
  );
}

function breadthOf({ scope }: MemoryMetadata): number {
  return scope.paths.length > 0 ? 0 : scope.branch ? 1 : scope.repo ? 2 : 3;
}

/** The latest of its times; asked for each pair of a sort, so nothing is made for it. */
function ageOf({ verified = "", updated = "", created = "" }: MemoryMetadata): string {
  const last = updated > created ? updated : created;
  return verified > last ? verified : last;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
