import { type Schema, anyText, open, text, described } from "../../../here/api/schema.ts";
import { handleOf } from "../../../memory/handle.ts";
import { LIMITS } from "../../../memory/limits.ts";
import type { ShownMetadata, StoreRef, Verdict } from "../../../heed.ts";

/** What every answer says of a memory; the rest of {@link MemoryView} is told by its names. */
export const memoryView: Schema = open({ handle: anyText, type: anyText, statement: anyText });

/** The handle that a model gives. */
export const handleField: Schema<string> = described(
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
  statement: string;
  /** Kind of the store: user, project, attached. */
  store: string;
  /** Why it is data and no rule: nobody has approved it here. Left out where it counts. */
  only_data?: string;
  /** ISO time of the last change. */
  changed?: string;
  verified?: string;
  /** Left out when confirmed. */
  status?: string;
  superseded_by?: string;
  tags?: string[];
  /** `never` verified, `fresh` or `stale` by its type's calendar; the paths that it names; commits since. */
  signals?: ShownMetadata["signals"];
  /** `fresh`, `check` or `stale` with the evidence in a few words; left out where there is nothing to say. */
  freshness?: string;
}

/** Shows a memory's metadata; stores are needed to name the kind of the one that holds it. */
export function viewMemory(
  metadata: ShownMetadata,
  stores: readonly StoreRef[],
  verdict?: Verdict,
): MemoryView {
  const changed = metadata.updated ?? metadata.created;
  return {
    handle: handleOf(metadata),
    type: metadata.type,
    statement: metadata.description,
    store: stores.find((store) => store.id === metadata.storeId)?.kind ?? metadata.storeId,
    ...(metadata.whyData !== undefined && { only_data: metadata.whyData }),
    ...(changed !== undefined && { changed }),
    ...(metadata.verified !== undefined && { verified: metadata.verified }),
    ...(metadata.status !== "confirmed" && { status: metadata.status }),
    ...(metadata.supersededBy !== undefined && { superseded_by: metadata.supersededBy }),
    ...(metadata.tags.length > 0 && { tags: metadata.tags }),
    ...(metadata.signals && { signals: metadata.signals }),
    ...(verdict &&
      (metadata.claims.length > 0 || verdict.mark !== "" || verdict.standing !== "check") && {
        freshness: verdict.words,
      }),
  };
}

/** A verdict as tools show it to a model: the evidence, without what is empty. */
export function viewVerdict(verdict: Verdict): Record<string, unknown> {
  const { standing, calendar, claims, paths, commits, unchecked, recommendation, isGone, isAlarm } = verdict;
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
    ...(unchecked.length > 0 && { unchecked }),
    ...(isGone && { is_gone: true }),
    ...(isAlarm && { alarm: verdict.words }),
  };
}
