import { checkHome } from "./check-home.ts";
import type { SeededWords } from "./seeded-words.ts";
import type { WorkerEnd } from "./torture-home.ts";
import { TortureHome } from "./torture-home.ts";

/** How much is done. */
export interface TortureSize {
  processes: number;
  /** Operations of each process in the scenario of many writers. */
  operations: number;
  kills: number;
  /** Places at which the file system is made to fail. */
  failures: number;
  /** Rounds of the other scenarios. */
  rounds: number;
  /** What each process of theirs does, of what one of the full size does. */
  share: number;
}

/** What a scenario did and found. */
export interface ScenarioResult {
  /** All that is wrong. */
  findings: string[];
  operations: number;
  refusals: number;
  kills: number;
  /** What this machine cannot do, in words. */
  skipped: string[];
}

/** One kind of trouble. The same seed does the same things, as far as processes at once can. */
export interface Scenario {
  name: string;
  run(size: TortureSize, random: SeededWords): Promise<ScenarioResult>;
}

/** Runs a task on a home of its own and looks it over afterwards. */
export async function inHome(
  task: (home: TortureHome, result: ScenarioResult) => Promise<void>,
  { isLookedOver = true }: { isLookedOver?: boolean } = {},
): Promise<ScenarioResult> {
  const home = await new TortureHome().prepare();
  try {
    const result: ScenarioResult = { operations: 0, refusals: 0, kills: 0, skipped: [], findings: [] };
    await task(home, result);
    const { operations } = result;
    if (isLookedOver) await lookOver(home, result, "at the end");
    result.operations += operations;
    return result;
  } finally {
    await home.remove();
  }
}

/** Adds what is wrong with a home by now; a home that was found bad is not looked at again. */
export async function lookOver(home: TortureHome, result: ScenarioResult, when: string): Promise<void> {
  const hasFound = result.findings.length > 0;
  const findings = hasFound ? home.model.faults.splice(0) : await checkHome(home);
  result.findings.push(...findings.map((text) => `${when}: ${text}`));
  if (hasFound) return;
  result.operations = home.model.operations;
  result.refusals = home.model.refusals;
}

/** A worker that ended otherwise than it should. */
export function expectEnd({ exitCode, stderr }: WorkerEnd, result: ScenarioResult, what: string): void {
  if (exitCode !== 0)
    result.findings.push(`${what}: ended with ${String(exitCode)}: ${stderr.slice(0, 1_000)}`);
}
