import type { MemoryCard, StoreKind } from "../memory/memory-card.ts";
import type { TypePolicy } from "../memory/memory-type.ts";

/** Where the work happens. */
export interface Here {
  /** The name of the repository at hand, as new scopes give it; undefined outside of one. */
  repository: string | undefined;
  /** Whether a scope's repository is the one at hand: it may answer to several names. */
  isRepositoryHere(repo: string): boolean;
  branch: string | undefined;
}

/**
 * Why a memory does not apply here, in words, or undefined when it does. Without an origin or a scope a memory
 * applies everywhere; one in the repository's own store belongs to it whatever the repository is called by now.
 */
export function scopeMismatch(
  card: MemoryCard,
  here: Here,
  storeKind: StoreKind,
  policy: TypePolicy | undefined,
): string | undefined {
  const repo = card.scope.repo ?? (policy?.reach === "everywhere" ? undefined : card.origin.repo);
  if (storeKind !== "project" && repo !== undefined && !here.isRepositoryHere(repo)) {
    return `belongs to another repository (${repo})`;
  }
  if (card.scope.branch !== undefined && card.scope.branch !== here.branch) {
    return `belongs to another branch (${card.scope.branch})`;
  }
  return undefined;
}
