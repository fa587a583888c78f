import type { Verdict } from "../../../heed.ts";

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
