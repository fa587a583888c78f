import type { FactFreshness } from "../../inject/render-facts.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { FreshnessChecker, verdictOnCard } from "../claims/freshness-checker.ts";
import type { FactSituation } from "./situation.ts";

/**
 * Re-checking claims may hold up a prompt by this much in all, in milliseconds; what is left then says so. On a slow file
 * system `HEED_RECHECK_MS` gives it more.
 */
const RECHECK_MS = 20;

/** Verdicts on what a prompt is told: from what is known and from files alone, never from git, in bounded time. */
export class PromptVerdicts {
  readonly #situation: FactSituation;
  readonly #checker: FreshnessChecker;
  readonly #limitMs: number;
  #spentMs = 0;

  constructor(situation: FactSituation) {
    this.#situation = situation;
    this.#checker = new FreshnessChecker(situation.place);
    const given = Number(situation.place.env["HEED_RECHECK_MS"] ?? RECHECK_MS);
    this.#limitMs = given >= 0 ? given : RECHECK_MS;
  }

  async freshnessOf(card: MemoryCard): Promise<FactFreshness> {
    // A fresh process would else spend its time on loading code, and look at nothing.
    if (card.claims.length > 0) await this.#checker.prepare();
    const startedAt = performance.now();
    const deadlineAtMs = startedAt + Math.max(0, this.#limitMs - this.#spentMs);
    const verdict = await verdictOnCard(this.#checker, card, this.#situation.collection, { deadlineAtMs });
    this.#spentMs += performance.now() - startedAt;
    const { standing, words, calendar, claims, isGone, isAlarm } = verdict;
    if (card.claims.length > 0)
      return { standing, words, isGone, isAlarm, holdsInPart: claims.kept.length > 0 };
    // Its dates stand beside it: only what they do not say is added.
    const due = `check: its type asks for a look after ${calendar.checkAfterDays} days`;
    return { standing, words: calendar.isDue ? due : "", isGone };
  }

  /** Keeps what was found out. */
  save(): void {
    this.#checker.save();
  }
}
