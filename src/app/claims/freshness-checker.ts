import { type Verdict, assessFreshness, NOTHING_MEASURED } from "../../freshness/verdict.ts";
import type { MemoryMetadata } from "../../memory/memory-metadata.ts";
import type { TypePolicy } from "../../memory/memory-type.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import type { ClaimChecker, MeasuredMemory, VerdictOptions } from "./claim-checker.ts";
import type { Place } from "../place/place.ts";

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
