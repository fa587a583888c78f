import type { Scenario, ScenarioResult, TortureSize } from "./scenario.ts";
import { clockJumps } from "./scenarios/clock-jumps.ts";
import { damagedIndex } from "./scenarios/damaged-index.ts";
import { editedOutside } from "./scenarios/edited-outside.ts";
import { failingDisk } from "./scenarios/failing-disk.ts";
import { kills } from "./scenarios/kills.ts";
import { manyWriters } from "./scenarios/many-writers.ts";
import { otherPaths } from "./scenarios/other-paths.ts";
import { refusedBySystem } from "./scenarios/refused-by-the-system.ts";
import { twoVersions } from "./scenarios/two-versions.ts";
import { SeededWords } from "./seeded-words.ts";

/** All scenarios, the dearest last. */
export const SCENARIOS: readonly Scenario[] = [
  refusedBySystem,
  otherPaths,
  clockJumps,
  twoVersions,
  editedOutside,
  damagedIndex,
  failingDisk,
  kills,
  manyWriters,
];

/** What the issue of a trustworthy store asks for. */
export const FULL_SIZE: TortureSize = { processes: 8, operations: 500, kills: 200, failures: 200, rounds: 5 };

/** One scenario with its time. */
export interface TortureFigure extends ScenarioResult {
  name: string;
  minutes: number;
}

/** Runs scenarios one after another, each with randomness of its own from the same seed. */
export async function* torture(
  scenarios: readonly Scenario[],
  size: TortureSize,
  seed: number,
): AsyncGenerator<TortureFigure> {
  for (const scenario of scenarios) {
    const { name } = scenario;
    const startedAt = performance.now();
    const result = await scenario.run(size, new SeededWords(seed + hashOf(name)));
    yield { name, ...result, minutes: (performance.now() - startedAt) / 60_000 };
  }
}

/** So that a scenario does the same alone as among others. */
function hashOf(name: string): number {
  return Array.from(name).reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) % 1_000_003, 7);
}
