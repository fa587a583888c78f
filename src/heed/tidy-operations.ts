import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "../store/store-lock.ts";
import { capturePlaces } from "./capture/capture-places.ts";
import type { TidyReport } from "./capture-api.ts";
import type { Collection } from "./collection.ts";
import { openCollection } from "./collection.ts";
import { planDuplicates } from "./tidy-operations-duplicates.ts";
import { planEpisodes } from "./tidy-operations-episodes.ts";
import { planSalience } from "./tidy-operations-salience.ts";
import type { PlannedStep } from "./tidy-step.ts";
import type { Workspace } from "./workspace.ts";

/** One run does so many steps at most; the rest is for the next one. */
const MAX_STEPS = 100;

/**
 * Upkeep: duplicates, expired episodes, salience from use. Without `isApplied` nothing is changed and the report says
 * what would be. Never resolves a negation or a number by itself, and never deletes a semantic memory but an exact twin.
 */
export async function tidy(workspace: Workspace, isApplied = false): Promise<TidyReport> {
  if (!isApplied) return reportOf(await planOf(workspace), false);
  const { root } = capturePlaces(workspace.places);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  return withLock(join(root, "tidy-lock"), { what: "tidy" }, async (held) => {
    const steps = await planOf(workspace);
    const report = reportOf(steps, true);
    for (const step of steps.slice(0, MAX_STEPS)) {
      held.assertHeld();
      report.changes.push(...(await step.apply()));
    }
    return report;
  });
}

async function planOf(workspace: Workspace): Promise<PlannedStep[]> {
  const collection: Collection = await openCollection(workspace, { thoroughness: "full" });
  const duplicates = await planDuplicates(workspace, collection);
  return [
    ...duplicates,
    ...(await planEpisodes(workspace, collection)),
    ...planSalience(workspace, collection, new Set(duplicates.map(({ name }) => name))),
  ];
}

function reportOf(steps: readonly PlannedStep[], isApplied: boolean): TidyReport {
  return {
    steps: steps.slice(0, MAX_STEPS).map(({ apply: _apply, ...step }) => step),
    isApplied,
    changes: [],
    isCut: steps.length > MAX_STEPS,
  };
}
