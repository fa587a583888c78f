import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { HeedError } from "../../../errors/heed-error.ts";
import { withLock } from "../../../platform/file-lock.ts";
import { capturePlaces } from "../../records/capture-places.ts";
import type { TidyReport } from "../../api/upkeep-reports.ts";
import type { Collection } from "../../place/collection.ts";
import { openCollection } from "../../place/collection.ts";
import { openedStore } from "../../place/opened-stores.ts";
import { planDuplicates } from "./merge-duplicates.ts";
import { MemoryWriter } from "../../writing/memory-writer.ts";
import { planEpisodes } from "./retire-episodes.ts";
import type { PlannedStep } from "./tidy-step.ts";
import { TIDY_ACTOR } from "./tidy-step.ts";
import type { Place } from "../../place/place.ts";

/** One run does so many steps at most; the rest is for the next one. */
const MAX_STEPS = 100;

/**
 * Upkeep: duplicates and expired episodes. Without `isApplied` nothing is changed and the report says
 * what would be. Never resolves a negation or a number by itself, and never deletes a semantic memory but an exact twin.
 */
export async function tidy(
  place: Place,
  { isApplied = false }: { isApplied?: boolean } = {},
): Promise<TidyReport> {
  if (!isApplied) return reportOf(await planOf(place), false);
  const { root } = capturePlaces(place.places);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  return withLock(join(root, "tidy-lock"), { what: "tidy" }, async (held) => {
    await finishBegun(place);
    const steps = await planOf(place);
    const report = reportOf(steps, true);
    for (const step of steps.slice(0, MAX_STEPS)) {
      held.assertHeld();
      try {
        report.changes.push(...(await step.apply()));
      } catch (error) {
        if (!isOvertaken(error)) throw error;
        report.problems.push(`${step.action} ${step.name}: ${error.message}; left to the next run`);
      }
    }
    return report;
  });
}

/**
 * What a run that was killed had begun is done before anything is planned by what is there; and what was edited by hand
 * goes into the history before the steps, so that one undo after the other walks back through these alone.
 */
async function finishBegun(place: Place): Promise<void> {
  const writer = new MemoryWriter(place, TIDY_ACTOR);
  for (const ref of place.stores) {
    if (ref.isReadOnly || !ref.isTrusted) continue;
    await writer.recover(ref);
    await openedStore(place, ref).settle();
  }
}

/** Somebody changed or removed the memory since the run was planned. */
function isOvertaken(error: unknown): error is HeedError {
  return error instanceof HeedError && (error.code === "changed-outside" || error.code === "not-found");
}

async function planOf(place: Place): Promise<PlannedStep[]> {
  const collection: Collection = await openCollection(place, { thoroughness: "full" });
  return [...(await planDuplicates(place, collection)), ...(await planEpisodes(place, collection))];
}

function reportOf(steps: readonly PlannedStep[], isApplied: boolean): TidyReport {
  return {
    steps: steps.slice(0, MAX_STEPS).map(({ apply: _apply, ...step }) => step),
    isApplied,
    changes: [],
    problems: [],
    isCut: steps.length > MAX_STEPS,
  };
}
