import type { Schema } from "../../../app/api/schema.ts";
import { anyText, open, text, told } from "../../../app/api/schema.ts";
import { LIMITS } from "../../../memory/limits.ts";
import type { ShownCard, StoreRef, Verdict } from "../../../heed.ts";

/** What every answer says of a memory; the rest of {@link MemoryView} is told by its names. */
export const memoryView: Schema = open({ handle: anyText, type: anyText, description: anyText });

/** The handle that a model gives. */
export const handleField: Schema<string> = told(
  text(undefined, LIMITS.handleChars),
  "Handle of a memory: its name, heed:name or id",
);

/**
 * A memory as tools show it to a model: what it needs to choose, cite and date it, and nothing that is empty or the
 * default, since every key costs context.
 */
export interface MemoryView {
  handle: string;
  type: string;
  description: string;
  /** Kind of the store: user, project, attached. */
  store: string;
  /** Why it is data and no rule: nobody has approved it here. Left out where it counts. */
  only_data?: string;
  /** ISO time of the last change. */
  changed?: string;
  verified?: string;
  /** Left out when confirmed. */
  status?: string;
  tags?: string[];
  /** `fresh`, `check` or `stale` with the evidence in a few words; left out where there is nothing to say. */
  freshness?: string;
}

/** Shows a card; stores are needed to name the kind of the one that holds it. */
export function viewMemory(card: ShownCard, stores: readonly StoreRef[], verdict?: Verdict): MemoryView {
  const changed = card.updated ?? card.created;
  return {
    handle: `heed:${card.name}`,
    type: card.type,
    description: card.description,
    store: stores.find((store) => store.id === card.storeId)?.kind ?? card.storeId,
    ...(card.whyData !== undefined && { only_data: card.whyData }),
    ...(changed !== undefined && { changed }),
    ...(card.verified !== undefined && { verified: card.verified }),
    ...(card.status !== "confirmed" && { status: card.status }),
    ...(card.tags.length > 0 && { tags: card.tags }),
    // "Never verified" is told by the lack of a date.
    ...(verdict &&
      (card.claims.length > 0 || verdict.standing !== "check" || verdict.calendar.isDue) && {
        freshness: verdict.words,
      }),
  };
}

/** A verdict as tools show it to a model: the evidence, without what is empty. */
export function viewVerdict(verdict: Verdict): Record<string, unknown> {
  const { standing, calendar, claims, paths, commits, unmeasured, recommendation, isGone, isAlarm } = verdict;
  return {
    standing,
    recommendation,
    calendar: calendar.status,
    ...(calendar.ageDays !== undefined && { age_days: calendar.ageDays }),
    ...(claims.kept.length > 0 && { kept: claims.kept }),
    ...(claims.broken.length > 0 && {
      broken: claims.broken.map(({ claim, finding, since, became, moved, isViolated }) => ({
        claim,
        ...(finding !== undefined && { finding: moved ?? finding }),
        ...(since && { since: since.commit.slice(0, 12) }),
        ...(isViolated ? { must_be_so: true } : became && { became: became.claim }),
      })),
    }),
    ...(paths.missing.length > 0 && { missing: paths.missing }),
    ...(commits && commits.count > 0 && { commits_since: commits.count }),
    ...(unmeasured.length > 0 && { unmeasured }),
    ...(isGone && { is_gone: true }),
    ...(isAlarm && { alarm: verdict.words }),
  };
}
