import { type Verdict, assessFreshness, NOTHING_MEASURED } from "../../freshness/verdict.ts";
import type { MemoryMetadata, StoreRef } from "../../memory/memory.ts";
import type { TypePolicy } from "../../memory/memory-type.ts";
import type { ClaimChecker, MeasuredMemory, VerdictOptions } from "./claim-checker.ts";
import type { Place } from "../place/place.ts";
import { openCollection } from "../place/collection.ts";
import { logTrouble } from "../place/trouble-log.ts";

/** Gives verdicts on the memories of one place at one moment. */
export class FreshnessChecker {
  readonly #place: Place;
  #claims: ClaimChecker | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  /** The verdict on a memory. Never rejects. */
  async verdictOn(
    memory: MeasuredMemory,
    store: StoreRef,
    policy: TypePolicy | undefined,
    options: VerdictOptions = {},
  ): Promise<Verdict> {
    if (memory.claims.length === 0)
      return assessFreshness(memory, policy, NOTHING_MEASURED, this.#place.now());
    const claims = await this.#claimChecker();
    return claims.verdictOn(memory, store, policy, options);
  }

  /** Loads what claims are checked with, for callers that measure the checking alone. */
  async prepare(): Promise<void> {
    await this.#claimChecker();
  }

  async #claimChecker(): Promise<ClaimChecker> {
    if (!this.#claims) {
      const { ClaimChecker } = await import("./claim-checker.ts");
      this.#claims = new ClaimChecker(this.#place);
    }
    return this.#claims;
  }

  /** Keeps what was found out. */
  save(): void {
    this.#claims?.save();
  }
}

/** The verdict on a memory of a collection. */
export async function verdictOnMetadata(
  checker: FreshnessChecker,
  metadata: MemoryMetadata,
  collection: {
    storeOf(metadata: MemoryMetadata): StoreRef;
    types: { get(name: string): TypePolicy | undefined };
  },
  options: VerdictOptions = {},
): Promise<Verdict> {
  return checker.verdictOn(
    metadata,
    collection.storeOf(metadata),
    collection.types.get(metadata.type),
    options,
  );
}

const DEFAULT_MS = 10_000;

/**
 * Looks over the claims of all memories here and keeps what was found, so that a prompt finds it ready: which hold, what
 * became of the others, and (`countsCommits`) how many commits came since. For moments when nobody waits. Never rejects.
 *
 * @returns how many memories were found stale.
 */
export async function refreshVerdicts(
  place: Place,
  limitMs: number = DEFAULT_MS,
  countsCommits = true,
): Promise<number> {
  let stale = 0;
  try {
    const deadlineAtMs = performance.now() + limitMs;
    const collection = await openCollection(place);
    const checker = new FreshnessChecker(place);
    try {
      for (const metadata of collection.memoriesWith("claims")) {
        if (metadata.status === "superseded") continue;
        if (performance.now() > deadlineAtMs) break;
        const verdict = await verdictOnMetadata(checker, metadata, collection, {
          deadlineAtMs,
          withHistory: true,
          countsCommits,
        });
        if (verdict.standing === "stale") stale += 1;
        // Messages that came in the meantime go first.
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      checker.save();
    }
  } catch (error) {
    logTrouble("freshness", error, place.env);
  }
  return stale;
}
