import type { MemoryCard, StoreKind } from "../memory/memory-card.ts";
import type { TypePolicy } from "../memory/memory-type.ts";
import type { Here } from "../recall/scope.ts";
import { scopeMismatch } from "../recall/scope.ts";

/** What decides whether a memory holds at a place and time; the values come from whoever knows the file system. */
export interface Admission {
  now: Date;
  here: Here;
  policyOf(card: MemoryCard): TypePolicy | undefined;
  storeKindOf(card: MemoryCard): StoreKind;
  /** Why the memory waits for the user's word, in words; undefined when it does not. */
  whyWaiting(card: MemoryCard): string | undefined;
  /** Why the memory's store belongs to another place than this one, in words; undefined when it does not. */
  whyStoreElsewhere(card: MemoryCard): string | undefined;
}

/**
 * Why a memory does not hold here and now, in words; undefined when it does. Paths are not looked at.
 *
 * @param options with `evenIfEnded` its end is not looked at: who asks about it is told that it has ended.
 */
export function whyNotAdmitted(
  card: MemoryCard,
  at: Admission,
  { evenIfEnded = false }: { evenIfEnded?: boolean } = {},
): string | undefined {
  if (card.status === "superseded") return "superseded by another memory";
  const ended = evenIfEnded ? undefined : endedOn(card, at.now);
  if (ended !== undefined) return `expired on ${ended}`;
  return (
    at.whyWaiting(card) ??
    at.whyStoreElsewhere(card) ??
    scopeMismatch(card, at.here, at.storeKindOf(card), at.policyOf(card))
  );
}

/** The day on which a memory expired, once it has. */
export function endedOn({ expires }: Pick<MemoryCard, "expires">, now: Date): string | undefined {
  return expires !== undefined && isPast(expires, now) ? expires.slice(0, 10) : undefined;
}

/** Whether a date or time has passed; a date counts to the end of its day (UTC). */
function isPast(when: string, now: Date): boolean {
  return when.length === 10 ? when < now.toISOString().slice(0, 10) : Date.parse(when) < now.getTime();
}
