import type { MemoryMetadata, StoreKind } from "../../memory/memory.ts";
import type { TypePolicy } from "../../memory/memory-type.ts";
import { type Here, scopeMismatch } from "../../search/search-query.ts";

/** What decides whether a memory holds at a place and time; the values come from whoever knows the file system. */
export interface Admission {
  now: Date;
  here: Here;
  policyOf(metadata: MemoryMetadata): TypePolicy | undefined;
  storeKindOf(metadata: MemoryMetadata): StoreKind;
  /** Why the memory waits for the user's word, in words; undefined when it does not. */
  whyWaiting(metadata: MemoryMetadata): string | undefined;
  /** Why the memory's store belongs to another place than this one, in words; undefined when it does not. */
  whyStoreElsewhere(metadata: MemoryMetadata): string | undefined;
}

/** Why a memory does not hold here and now, in words; undefined when it does. `evenIfEnded`: its end is not looked at. */
export function whyNotAdmitted(
  metadata: MemoryMetadata,
  at: Admission,
  { evenIfEnded = false }: { evenIfEnded?: boolean } = {},
): string | undefined {
  if (metadata.status === "superseded") return "superseded by another memory";
  const ended = evenIfEnded ? undefined : endedOn(metadata, at.now);
  if (ended !== undefined) return `expired on ${ended}`;
  return (
    at.whyWaiting(metadata) ??
    at.whyStoreElsewhere(metadata) ??
    scopeMismatch(metadata, at.here, at.storeKindOf(metadata), at.policyOf(metadata))
  );
}

/** The day on which a memory expired, once it has. */
export function endedOn({ expires }: Pick<MemoryMetadata, "expires">, now: Date): string | undefined {
  return expires !== undefined && isPast(expires, now) ? expires.slice(0, 10) : undefined;
}

/** A date counts to the end of its day (UTC). */
function isPast(when: string, now: Date): boolean {
  return when.length === 10 ? when < now.toISOString().slice(0, 10) : Date.parse(when) < now.getTime();
}
