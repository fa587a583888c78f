import { openCollection } from "../place/collection.ts";
import { FreshnessChecker, verdictOnMetadata } from "./freshness-checker.ts";
import { logTrouble } from "../place/trouble-log.ts";
import type { Place } from "../place/place.ts";

/** How long looking over all claims may take, in milliseconds, when the caller names no time. */
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
