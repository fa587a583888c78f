import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findSecrets, redactSecrets } from "../src/memory/screening/find-secrets.ts";
import { type Figure, figure, rateFigure } from "./figure.ts";
import { readJsonLines } from "./json-lines.ts";
import { isLeft, SecretSampler } from "./secret-samples.ts";
import { showEverything } from "./shown-secrets.ts";
import { drawSecrets } from "./draw-secrets.ts";
import { drawLookAlikes } from "./secret-look-alikes.ts";

const ROUNDS = 3;
/**
 * Secrets and look-alikes with values drawn again: how many are found, how many false alarms there are (with `--data DIR`
 * also over real turns: prompts-dev), and how many of a hand-edited store are shown by any command or tool. `--seed N`
 * draws the same again, `--list` prints what went wrong.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: { seed: { type: "string" }, data: { type: "string" }, list: { type: "boolean" } },
  });
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  console.error(`seed ${seed}`);
  const sampler = new SecretSampler(seed);
  const rounds = Array.from({ length: ROUNDS }, () => ({
    secrets: drawSecrets(sampler),
    alike: drawLookAlikes(sampler),
  }));
  const secrets = rounds.flatMap((round) => round.secrets);
  const missed = secrets.filter((sample) => isLeft(redactSecrets(sample.text), sample.value ?? ""));
  const alike = rounds.flatMap((round) => round.alike);
  const alarms = alike.filter(({ text }) => findSecrets(text).length > 0);
  const turns = values.data === undefined ? [] : realTurns(values.data);
  const startedAt = performance.now();
  const alarmedTurns = turns.filter((text) => findSecrets(text).length > 0);
  const chars = turns.reduce((sum, text) => sum + text.length, 0);
  const msPerMegabyte = ((performance.now() - startedAt) / chars) * 1e6;
  if (values.list === true) {
    for (const { kind, text } of missed) console.error(`missed  ${kind}  ${JSON.stringify(text)}`);
    for (const { kind, text } of alarms) console.error(`alarm  ${kind}  ${JSON.stringify(text)}`);
    for (const text of alarmedTurns)
      for (const { kind, start, end } of findSecrets(text))
        console.error(`turn  ${kind}  ${JSON.stringify(text.slice(Math.max(0, start - 40), end + 10))}`);
  }
  const shown = await showEverything(secrets);
  for (const what of shown.leaks) console.error(`shown  ${what}`);
  return [
    rateFigure("found", secrets.length - missed.length, secrets.length),
    rateFigure("false_alarms", alarms.length, alike.length),
    rateFigure("false_alarms_turns", alarmedTurns.length, turns.length),
    figure("shown", shown.leaks.length, "answers", shown.answers),
    figure("ms_per_megabyte", turns.length === 0 ? null : msPerMegabyte, "ms", turns.length),
  ];
}

function realTurns(data: string): string[] {
  const file = join(data, "prompts-dev", "all_turns_unlabelled.jsonl");
  if (!existsSync(file)) throw new Error(`there is no ${file}: --data is the folder that holds prompts-dev`);
  return readJsonLines<{ prompt?: string }>(file).flatMap(({ prompt }) => prompt ?? []);
}
