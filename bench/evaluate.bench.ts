import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { openHeed } from "../src/heed.ts";
import { type Figure, figure } from "./figure.ts";
import { makeRun, planRuns, prepareRun } from "./paired-runs.ts";
import { type TaskResults, verdictOf } from "./paired-verdict.ts";

// Whether a memory of yours helps, by paired runs of your tasks: evaluate NAME FOLDER --placebo FILE [--run COMMAND --yes].
// FOLDER/tasks/TASK/prompt.md is a task, TASK/files what it starts from. Each is run four times: without the memory, with
// it by heed, with its text at the start, and with as long a text of another project. --run gets the prompt on stdin;
// --check alone has the task's folder (HEED_TASK). Without --run, result.json ({"solved": true}) comes from elsewhere.

/** Plans the runs, makes those without an answer, and gives the verdict once all have one. */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Figure[]> {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { placebo: text, run: text, check: text, minutes: text, yes: { type: "boolean" } },
  });
  const [name = "", folder = ""] = positionals;
  const { placebo, run: command, check } = values;
  const heed = openHeed({ env });
  const plan = await planRuns(heed, {
    name,
    folder: resolve(folder),
    placebo: placebo === undefined ? "" : readFileSync(placebo, "utf8"),
  });
  await heed.close();
  // A run that gave no answer is made again.
  const todo = plan.runs.filter(({ solved }) => solved === undefined || (command && solved === null));
  const chars = todo.reduce((sum, { prompt }) => sum + prompt.length, 0);
  console.error(`${plan.runs.length} runs, ${todo.length} to make, with ${chars} characters of prompts`);
  for (const { task, why } of plan.leftOut) console.error(`left out: ${task} (${why})`);
  const isRun = command !== undefined && values.yes === true;
  for (const one of todo) {
    await prepareRun(one, plan, env);
    if (!isRun) continue;
    one.solved = makeRun(one, plan, { run: command, check, minutes: Number(values.minutes ?? 30) }, env);
    console.error(`${one.task} ${one.folder}: ${one.solved ?? "no answer"}`);
  }
  const left = plan.runs.filter(({ solved }) => solved === undefined);
  if (left.length > 0) {
    console.error(
      `no verdict before all runs have a result.json, as ${left[0]?.folder}; --run and --yes make them`,
    );
    return [figure("runs left", left.length, "runs", plan.runs.length)];
  }
  const byTask = new Map<string, TaskResults>();
  for (const { task, arm, solved } of plan.runs)
    byTask.set(task, { ...byTask.get(task), ...(typeof solved === "boolean" && { [arm]: solved }) });
  const { verdict, why, comparisons } = verdictOf([...byTask.values()]);
  console.error(`${name}: ${verdict} (${why})`);
  return comparisons.flatMap(({ pair, won, lost, same, p }) => [
    figure(`${pair} won`, won, "pairs", won + lost + same),
    figure(`${pair} lost`, lost, "pairs", won + lost + same),
    figure(`${pair} p`, p, "one-sided", won + lost),
  ]);
}
