import type { MemoryMetadata, StoreKind } from "../memory/memory.ts";
import type { TypePolicy } from "../memory/memory-type.ts";

/** Where the work happens. */
export interface Here {
  /** The name of the repository at hand, as new scopes give it; undefined outside of one. */
  repository: string | undefined;
  /** Whether a scope's repository is the one at hand: it may answer to several names. */
  isRepositoryHere(repo: string): boolean;
  branch: string | undefined;
}

/** Why a memory does not apply here, if so. Without origin or scope it applies everywhere. */
export function scopeMismatch(
  metadata: MemoryMetadata,
  here: Here,
  storeKind: StoreKind,
  policy: TypePolicy | undefined,
): string | undefined {
  const repo = repositoryOf(metadata, policy);
  if (storeKind !== "project" && repo !== undefined && !here.isRepositoryHere(repo)) {
    return `belongs to another repository (${repo})`;
  }
  if (metadata.scope.branch !== undefined && metadata.scope.branch !== here.branch) {
    return `belongs to another branch (${metadata.scope.branch})`;
  }
  return undefined;
}

/** Where a memory applies, in words: what {@link scopeMismatch} goes by. */
export function whereItHolds(
  metadata: Pick<MemoryMetadata, "scope" | "origin">,
  storeKind: StoreKind,
  policy: TypePolicy | undefined,
): string {
  const { branch, paths } = metadata.scope;
  const parts = [
    storeKind === "project" ? "the repository of its store" : repositoryOf(metadata, policy),
    branch === undefined ? undefined : `branch ${branch}`,
    paths.length === 0 ? undefined : paths.join(" "),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? "everywhere" : parts.join(", ");
}

function repositoryOf(
  { scope, origin }: Pick<MemoryMetadata, "scope" | "origin">,
  policy: TypePolicy | undefined,
): string | undefined {
  return scope.repo ?? (policy?.reach === "everywhere" ? undefined : origin.repo);
}
