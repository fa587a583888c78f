import { type Schema, described, text } from "../../../here/schema.ts";
import { handleOf } from "../../../memory/handle.ts";
import { LIMITS } from "../../../memory/limits.ts";
import type { ShownMetadata, StoreRef, Verdict } from "../../../heed.ts";

export const handleField: Schema<string> = described(
  text(undefined, LIMITS.handleChars),
  "Its name, heed:name or id",
);

/** An answer by names in snake case, without what is absent, false or an empty list: every key costs context. */
export function compact(answer: object): Record<string, unknown> {
  const isSaid = (value: unknown): boolean =>
    value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  const said = Object.entries(answer).filter(([, value]) => isSaid(value));
  return Object.fromEntries(
    said.map(([key, value]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
}

/** What a model needs to choose, cite and date a memory; `stores` name the kind of the one that holds it. */
export function viewMemory(
  metadata: ShownMetadata,
  stores: readonly StoreRef[],
  verdict?: Verdict,
): Record<string, unknown> {
  const { type, statement, status, claims, storeId, verified, supersededBy, tags, signals } = metadata;
  const isTold = verdict && (claims.length > 0 || verdict.mark !== "" || verdict.standing !== "check");
  return compact({
    handle: handleOf(metadata),
    type,
    statement,
    store: stores.find((store) => store.id === storeId)?.kind ?? storeId,
    onlyData: metadata.whyData,
    changed: metadata.updated ?? metadata.created,
    verified,
    status: status !== "confirmed" && status,
    supersededBy,
    tags,
    signals,
    freshness: isTold && verdict.words,
  });
}

export function viewVerdict(verdict: Verdict): Record<string, unknown> {
  const { standing, claims, paths, unchecked, recommendation } = verdict;
  return compact({
    standing,
    recommendation,
    kept: claims.kept,
    broken: claims.broken.map(({ claim, finding, since, became, moved, isViolated }) =>
      compact({
        claim,
        finding: finding && (moved ?? finding),
        since: since?.commit.slice(0, 12),
        mustBeSo: isViolated,
        became: !isViolated && became?.claim,
      }),
    ),
    missing: paths.missing,
    unchecked,
  });
}
