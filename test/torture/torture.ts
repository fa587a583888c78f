import type { Scenario, ScenarioResult, TortureSize } from "./scenario.ts";
import { brokenState } from "./scenarios/broken-state.ts";
import { changingLinks } from "./scenarios/changing-links.ts";
import { editedOutside } from "./scenarios/edited-outside.ts";
import { failingCalls } from "./scenarios/failing-calls.ts";
import { fullDisk } from "./scenarios/full-disk.ts";
import { sideBySide } from "./scenarios/side-by-side.ts";
import { SeededWords } from "./seeded-words.ts";

/** All scenarios, the dearest first, so that none is left alone at the end. */
export const SCENARIOS: readonly Scenario[] = [
  ...failingCalls,
  ...sideBySide,
  fullDisk,
  brokenState,
  editedOutside,
  changingLinks,
];

/** Runs a scenario on a home of its own; with the same seed it does the same, alone or among others. */
export function torture(scenario: Scenario, size: TortureSize, seed: number): Promise<ScenarioResult> {
  const own = Array.from(scenario.name).reduce(
    (hash, char) => (hash * 31 + char.charCodeAt(0)) % 1_000_003,
    7,
  );
  return scenario.run(size, new SeededWords(seed + own));
}
