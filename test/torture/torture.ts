import type { Scenario, ScenarioResult, TortureSize } from "./scenario.ts";
import { brokenState } from "./scenarios/broken-state.ts";
import { changingLinks } from "./scenarios/changing-links.ts";
import { damagedIndex } from "./scenarios/damaged-index.ts";
import { editedOutside } from "./scenarios/edited-outside.ts";
import { otherPaths } from "./scenarios/other-paths.ts";
import { failingCalls } from "./scenarios/failing-calls.ts";
import { refusedBySystem } from "./scenarios/refused-by-the-system.ts";
import { sideBySide } from "./scenarios/side-by-side.ts";
import { SeededWords } from "./seeded-words.ts";

/** All scenarios, the dearest first, so that none is left alone at the end. */
export const SCENARIOS: readonly Scenario[] = [
  ...failingCalls,
  ...sideBySide,
  refusedBySystem,
  otherPaths,
  brokenState,
  editedOutside,
  damagedIndex,
  changingLinks,
];

type RunSize = Omit<TortureSize, "share">;

/** What shows that a store can be trusted. The many writers alone take 13 minutes on two cores that others use as well. */
export const FULL_SIZE: RunSize = { processes: 8, operations: 500, kills: 200, failures: 200, rounds: 5 };

/** The same scenarios and kinds of operations, each less often: three to four minutes on two such cores. */
export const DAILY_SIZE: RunSize = { processes: 8, operations: 100, kills: 60, failures: 60, rounds: 3 };

/** One scenario with its time. */
export interface TortureFigure extends ScenarioResult {
  name: string;
  minutes: number;
}

/**
 * Runs scenarios, each on a home of its own and with randomness of its own from the same seed, and gives their figures
 * as they end.
 *
 * @param lanes how many run at once. Most of them work with one process at a time, and would leave a core without work.
 */
export async function* torture(
  scenarios: readonly Scenario[],
  size: TortureSize,
  seed: number,
  lanes = 1,
): AsyncGenerator<TortureFigure> {
  const waiting = [...scenarios];
  const running = new Map<Scenario, Promise<{ scenario: Scenario; figure: TortureFigure }>>();
  for (;;) {
    for (const scenario of waiting.splice(0, lanes - running.size))
      running.set(
        scenario,
        runOne(scenario, size, seed).then((figure) => ({ scenario, figure })),
      );
    if (running.size === 0) return;
    const { scenario, figure } = await Promise.race(running.values());
    running.delete(scenario);
    yield figure;
  }
}

async function runOne(scenario: Scenario, size: TortureSize, seed: number): Promise<TortureFigure> {
  const { name } = scenario;
  const startedAt = performance.now();
  const result = await scenario.run(size, new SeededWords(seed + hashOf(name)));
  return { name, ...result, minutes: (performance.now() - startedAt) / 60_000 };
}

/** So that a scenario does the same alone as among others. */
function hashOf(name: string): number {
  return Array.from(name).reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) % 1_000_003, 7);
}
