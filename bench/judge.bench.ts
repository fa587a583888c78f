import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parseSelection } from "../src/optional/judge/judge-question.ts";
import { AnsweringServer, answerTo } from "./answering-server.ts";
import type { AnswerFolders } from "./answering-server.ts";
import type { Tally } from "./bootstrap.ts";
import { bootstrapInterval } from "./bootstrap.ts";
import type { Figure } from "./figure.ts";
import type { InjectionData, LabelledPrompt } from "./injection-data.ts";
import { readInjectionData } from "./injection-data.ts";
import { replayStore } from "./replay.ts";

/** What the judge was shown of one prompt, and what it chose, by the ids of memories. */
interface Judged {
  label: LabelledPrompt;
  shown: string[];
  /** Undefined: no answer is given to it, or one that is none. */
  chosen: string[] | undefined;
  characters: number;
}

/**
 * What the optional judge is asked on labelled prompts, by the code that asks it, and what it chooses. `judge_asked`: share
 * of the prompts that are put to it; `judge_shortlisted`: of the memories that must be told (grade 2) those that it is shown;
 * `judge_notes`, `judge_characters`: medians of a question. `--write-requests DIR`: one JSON a question with the very text,
 * `{id, system, user}`. `--answers DIR`: `ID.json` with `{"choose": ["heed:…"]}`, or `{"text": "…"}` with that in it; then
 * `judge_recall`, `judge_precision` and `judge_false_rate`, over the prompts that are answered or put to nobody.
 *
 * `--data DIR` (see readInjectionData). `--map auto`: as it is shipped, where what the map holds is never put; default `off`, as
 * for a store that no map holds.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string" },
      map: { type: "string", default: "off" },
      "write-requests": { type: "string" },
      answers: { type: "string" },
    },
  });
  if (values.data === undefined)
    throw new Error("give --data DIR, a folder with memories.jsonl and labels.jsonl");
  const folders = { writeRequests: values["write-requests"], answers: values.answers };
  const judged = await judgeAll(readInjectionData(values.data), folders, values.map);
  const asked = judged.filter(({ shown }) => shown.length > 0);
  const figures: Figure[] = [
    { name: "judge_asked", ...rateOf(judged, ({ shown }) => [shown.length > 0]) },
    {
      name: "judge_shortlisted",
      ...rateOf(judged, ({ label, shown }) => neededBy(label).map((id) => shown.includes(id))),
    },
    {
      name: "judge_notes",
      value: median(asked.map(({ shown }) => shown.length)),
      unit: "notes",
      n: asked.length,
    },
    {
      name: "judge_characters",
      value: median(asked.map(({ characters }) => characters)),
      unit: "characters",
      n: asked.length,
    },
  ];
  return values.answers === undefined ? figures : [...figures, ...answerFigures(judged)];
}

async function judgeAll(data: InjectionData, folders: AnswerFolders, map: string): Promise<Judged[]> {
  const server = await AnsweringServer.listen(folders, '{"choose": []}');
  const judged: Judged[] = [];
  try {
    for (const storeId of [...new Set(data.memories.map((memory) => memory.storeId))].sort()) {
      const store = await replayStore(
        data.memories.filter((memory) => memory.storeId === storeId),
        (home) => configure(home, server.url, map),
      );
      try {
        for (const label of data.prompts.filter((prompt) => prompt.storeId === storeId)) {
          const id = `${storeId}-${label.id}`;
          server.id = id;
          server.take();
          await store.begin(id);
          await store.say(id, label.prompt);
          const put = server.take();
          const notes = put === undefined ? [] : notesOf(put.user);
          const idsOf = (handles: readonly string[]): string[] =>
            handles
              .flatMap((handle) => store.idOf(handle.replace(/^heed:/, "")) ?? [])
              .filter((one) => !label.excluded.includes(one));
          const answer = put && answerTo(folders, id);
          const choice = answer === undefined ? undefined : parseSelection(answer, notes);
          judged.push({
            label,
            shown: idsOf(notes.map(({ handle }) => handle)),
            chosen: put === undefined ? [] : choice && idsOf(choice),
            characters: put === undefined ? 0 : put.system.length + put.user.length,
          });
        }
      } finally {
        await store.close();
      }
    }
  } finally {
    server.close();
  }
  return judged;
}

function configure(home: string, url: string, map: string): void {
  mkdirSync(join(home, "config"), { recursive: true });
  const judge = {
    provider: "openai",
    model: "answers",
    url,
    wait_ms: 700,
    calls: 10_000,
    tokens: 10_000_000,
  };
  writeFileSync(join(home, "config", "config.yaml"), `judge: ${JSON.stringify(judge)}\n`);
  writeFileSync(join(home, "memory", "config.yaml"), `store: user\nmap: ${map}\n`);
}

function notesOf(user: string): { handle: string; description: string }[] {
  return (JSON.parse(user) as { notes: { handle: string; description: string }[] }).notes;
}

function answerFigures(judged: readonly Judged[]): Figure[] {
  const answered = judged.flatMap((one) =>
    one.chosen === undefined ? [] : [{ ...one, chosen: one.chosen }],
  );
  const needless = answered.filter(({ label }) => label.relevant.length === 0);
  return [
    {
      name: "judge_recall",
      ...rateOf(answered, ({ label, chosen }) => neededBy(label).map((id) => chosen.includes(id))),
    },
    {
      name: "judge_precision",
      ...rateOf(answered, ({ label, chosen }) =>
        chosen.map((id) => label.relevant.some(({ memoryId }) => memoryId === id)),
      ),
    },
    { name: "judge_false_rate", ...rateOf(needless, ({ chosen }) => [chosen.length > 0]) },
  ];
}

function neededBy(label: LabelledPrompt): string[] {
  return label.relevant.flatMap(({ grade, memoryId }) => (grade === 2 ? [memoryId] : []));
}

/** A rate with its interval, drawn anew by store. */
function rateOf<T extends { label: LabelledPrompt }>(
  all: readonly T[],
  outcomes: (one: T) => readonly boolean[],
): Omit<Figure, "name"> {
  const tallies = new Map<string, Tally>();
  for (const one of all) {
    const tally = tallies.get(one.label.storeId) ?? { successes: 0, trials: 0 };
    for (const isSuccess of outcomes(one)) {
      tally.trials += 1;
      if (isSuccess) tally.successes += 1;
    }
    tallies.set(one.label.storeId, tally);
  }
  const n = [...tallies.values()].reduce((sum, { trials }) => sum + trials, 0);
  const right = [...tallies.values()].reduce((sum, { successes }) => sum + successes, 0);
  const ci95 = n === 0 ? undefined : bootstrapInterval([...tallies.values()]);
  return { value: n === 0 ? null : right / n, unit: "rate", n, ...(ci95 && { ci95 }) };
}

function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
}
