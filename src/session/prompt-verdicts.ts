import type { FactFreshness } from "./inject/render-facts.ts";
import type { MemoryMetadata } from "../memory/memory.ts";
import { assessFreshness } from "../freshness/verdict.ts";
import type { ClaimChecker } from "../here/claims/claim-checker.ts";
import { recheckMs } from "../here/user-config.ts";
import type { FactSituation, Situation } from "./situation.ts";

/** For all claims of a prompt; those left then say so. */
const PROMPT_MS = 20;
/** The same where a context is opened or a person asks for the map: that is not often, and its lines stay for the session. */
export const OPENING_MS: number = 250;

/** Verdicts on what a session is told: from what is known and from files alone, never from git, in bounded time. */
export class PromptVerdicts {
  readonly #situation: FactSituation;
  #checker: ClaimChecker | undefined;
  readonly #limitMs: number;
  #spentMs = 0;

  constructor(situation: FactSituation, limitMs: number = PROMPT_MS) {
    this.#situation = situation;
    this.#limitMs = recheckMs(situation.place, limitMs);
  }

  async freshnessOf(metadata: MemoryMetadata): Promise<FactFreshness> {
    const { collection, place } = this.#situation;
    // A fresh process would else spend its time on loading code, and look at nothing.
    if (metadata.claims.length > 0 || place.repository !== undefined)
      this.#checker ??= new (await import("../here/claims/claim-checker.ts")).ClaimChecker(place);
    const startedAt = performance.now();
    const deadlineAtMs = startedAt + Math.max(0, this.#limitMs - this.#spentMs);
    const policy = collection.types.get(metadata.type);
    const verdict = this.#checker
      ? await this.#checker.on(metadata, collection, { deadlineAtMs })
      : assessFreshness(metadata, policy, {}, place.now());
    this.#spentMs += performance.now() - startedAt;
    const { standing, words, mark, claims, isGone, isAlarm, isCut, signals } = verdict;
    const known = { standing, mark, isGone, isAlarm, isCut, signals };
    if (metadata.claims.length > 0) return { ...known, words, holdsInPart: claims.kept.length > 0 };
    // Its dates stand beside it: only what they do not say is added.
    return { ...known, words: mark === "" ? "" : `check: ${mark}` };
  }

  save(): void {
    this.#checker?.save();
  }
}

/** Looks over all claims at a session's start, as no prompt waits for git. What takes longer is left. */
export async function lookOverClaims({ collection, place }: Situation): Promise<void> {
  if (place.repository === undefined || collection.stores.length === 0) return;
  const { refreshVerdicts } = await import("../here/claims/claim-checker.ts");
  await refreshVerdicts(place, recheckMs(place, OPENING_MS), false);
}
