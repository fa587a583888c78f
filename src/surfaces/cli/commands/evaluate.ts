import { resolve } from "node:path";
import { type CommandSpec, EXIT } from "../arguments/command.ts";
import { makeRun, planRuns, prepareRun } from "../evaluate/paired-runs.ts";
import { ARMS, type TaskResults, verdictOf } from "../evaluate/verdict.ts";
import { bold, dim, grouped, plural, yellow } from "../output/text.ts";
import { askYesNo, readGiven } from "../terminal/read-given.ts";

/** Characters of English text and code that a token has, roughly. */
const TOKEN_CHARS = 4;

const evaluate: CommandSpec = {
  arguments: [{ name: "NAME" }, { name: "FOLDER" }],
  options: {
    run: { value: "COMMAND", help: "makes the runs: gets the prompt on stdin, such as 'claude -p'" },
    check: { value: "COMMAND", help: "exits with 0 where the task is solved; default: as --run does" },
    placebo: { value: "FILE", help: "a text of another project, as long as the memory's at least" },
    minutes: { value: "N", help: "ends a command after this many (1 to 600, default 30)" },
    yes: { short: "y", help: "make the runs without asking" },
  },
  details: [
    "FOLDER/tasks/TASK/prompt.md is a task, FOLDER/tasks/TASK/files what it starts from. Each is run four times: without",
    "the memory, with it by heed, with its text at the start, and with as long a text of another project. Commands run in",
    "a copy of the files, with a home of heed of their own; --check has the task's folder in HEED_TASK. Without --run the",
    'runs are only written, to be answered elsewhere: {"solved": true} in result.json. Only pairs with different results',
    "count, by a one-sided sign test at .05. What has an answer is not run again.",
  ],
  examples: [
    "heed evaluate release-steps ../eval --placebo other.txt",
    `heed evaluate release-steps ../eval --placebo other.txt --run 'claude -p' --check 'sh "$HEED_TASK/check.sh"'`,
  ],
  json: '{"memory", "verdict", "why", "comparisons", "runs", "leftOut", "chars"}; unfinished {"verdict": null, ...}',
  async run({ args, out, open, cwd, env }) {
    const [name = "", folder = ""] = args.positionals;
    const { placebo, run, check } = args.given("placebo", "run", "check");
    const minutes = args.count("minutes", { min: 1, max: 600 }) ?? 30;
    const text = placebo === undefined ? "" : await readGiven(resolve(cwd, placebo));
    const plan = await planRuns(open(), { name, folder: resolve(cwd, folder), placebo: text });
    // A run that gave no answer is made again.
    const todo = plan.runs.filter(({ solved }) => solved === undefined || (run && solved === null));
    const chars = todo.reduce((sum, { prompt }) => sum + prompt.length, 0);
    const count = `${plural(plan.runs.length / ARMS.length, "task")}, ${plural(plan.runs.length, "run")}, ${todo.length} to make`;
    const tokens = grouped(Math.ceil(chars / TOKEN_CHARS));
    out.note(
      [bold(plan.memory.metadata.name), `: ${count}`],
      `  their prompts: ${grouped(chars)} characters, about ${tokens} tokens; what the client reads and writes besides comes on top`,
      ...plan.leftOut.map(({ task, why }) => yellow(`  left out: ${task} (${why})`)),
    );
    if (run !== undefined && todo.length > 0) {
      const question = `Make ${plural(todo.length, "run")}, ${tokens} tokens and more, by ${run}?`;
      if (!args.has("yes") && !(await askYesNo(question))) {
        out.note("Nothing was run. --yes runs without asking.");
        return EXIT.refused;
      }
    }
    for (const [i, one] of todo.entries()) {
      await prepareRun(one, plan, env);
      if (run === undefined) continue;
      one.solved = makeRun(one, plan, { run, check, minutes }, env);
      const result = one.solved === null ? "no answer" : one.solved ? "solved" : "not solved";
      out.note(dim(`${i + 1}/${todo.length} ${one.task}: ${result}`));
    }
    const { runs } = plan;
    const report = { memory: plan.memory.metadata.name, runs, leftOut: plan.leftOut, chars };
    const left = runs.filter(({ solved }) => solved === undefined);
    if (left.length > 0 || runs.length === 0) {
      const none = `${left.length} of ${runs.length} have none: ${left[0]?.folder ?? ""}`;
      out.answer({ ...report, verdict: null }, () => [
        `No verdict before all runs have a result.json. ${none}`,
      ]);
      return EXIT.done;
    }
    const byTask = new Map<string, TaskResults>();
    for (const { task, arm, solved } of runs)
      byTask.set(task, { ...byTask.get(task), ...(typeof solved === "boolean" && { [arm]: solved }) });
    const { verdict, why, comparisons } = verdictOf([...byTask.values()]);
    const failed = runs.filter(({ solved }) => solved === null).length;
    out.answer({ ...report, verdict, why, comparisons }, () => [
      [bold(report.memory), `: ${verdict}`],
      `  ${why}`,
      ...comparisons.map(
        ({ pair, won, lost, same, p }) =>
          `  ${pair.padEnd(18)} ${won} : ${lost}, p ${p.toFixed(3)}; ${plural(same, "pair")} alike`,
      ),
      ...(failed > 0 ? [dim(`  ${plural(failed, "run")} without an answer: no pair`)] : []),
    ]);
    if (verdict === "harms") out.note(`heed remove ${report.memory} removes it.`);
    return EXIT.done;
  },
};

/** The commands of this file. */
export const commands: Readonly<Record<string, CommandSpec>> = { evaluate };
