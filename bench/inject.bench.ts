import { parseArgs } from "node:util";
import type { Figure } from "./figure.ts";
import type { InjectionData, LabelledPrompt } from "./injection-data.ts";
import { readInjectionData } from "./injection-data.ts";
import type { Told } from "./replay.ts";
import { replayStore } from "./replay.ts";
import { exactInterval } from "./statistics.ts";

/** One replayed prompt with what it was given. */
interface Replay {
  label: LabelledPrompt;
  told: Told;
}

/**
 * Replays labelled prompts against the stores they were labelled for, and unlabelled turns against all stores in
 * turn, and counts: what should be told and was, what should not and was, and rules that reach the model.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({ args, options: { data: { type: "string" }, turns: { type: "string" } } });
  if (values.data === undefined)
    throw new Error("give --data DIR, a folder with memories.jsonl and labels.jsonl");
  const data = readInjectionData(values.data, values.turns);
  if (data.memories.length === 0) throw new Error(`no memories.jsonl in ${values.data}`);
  const { replays, turnsTold, rules } = await replayAll(data);
  const natural = replays.filter(({ label }) => label.isNatural);
  return [
    ...recallFigures(replays),
    ...falseFigures("", replays),
    rate("turn_injection_rate", turnsTold, data.turns.length),
    rate("rule_coverage", rules.shown, rules.apply),
    recall(
      "natural_recall",
      natural,
      () => true,
      (told, id) => told.bodies.has(id) || told.pointers.has(id),
    ),
    ...falseFigures("natural_", natural),
  ];
}

async function replayAll(
  data: InjectionData,
): Promise<{ replays: Replay[]; turnsTold: number; rules: { shown: number; apply: number } }> {
  const storeIds = [...new Set(data.memories.map((memory) => memory.storeId))].sort();
  const replays: Replay[] = [];
  const rules = { shown: 0, apply: 0 };
  let turnsTold = 0;
  for (const [i, storeId] of storeIds.entries()) {
    const store = await replayStore(data.memories.filter((memory) => memory.storeId === storeId));
    try {
      const shown = await store.rules();
      for (const label of data.prompts.filter((prompt) => prompt.storeId === storeId)) {
        replays.push({ label, told: await store.tell(label.prompt) });
        rules.apply += label.applies.length;
        rules.shown += label.applies.filter((id) => shown.has(id)).length;
      }
      for (const turn of data.turns.filter((_, n) => n % storeIds.length === i)) {
        const told = await store.tell(turn.prompt);
        if (told.bodies.size + told.pointers.size > 0) turnsTold += 1;
      }
    } finally {
      await store.close();
    }
  }
  return { replays, turnsTold, rules };
}

function recallFigures(replays: readonly Replay[]): Figure[] {
  const any = (told: Told, id: string): boolean => told.bodies.has(id) || told.pointers.has(id);
  const body = (told: Told, id: string): boolean => told.bodies.has(id);
  const types = new Set(replays.flatMap(({ label }) => label.relevant.map((item) => item.type)));
  return [
    recall("recall", replays, () => true, any),
    recall("recall_body", replays, () => true, body),
    ...[...types]
      .sort()
      .flatMap((type) => [
        recall(`recall_${type}`, replays, (candidate) => candidate === type, any),
        recall(`recall_body_${type}`, replays, (candidate) => candidate === type, body),
      ]),
  ];
}

/** Share of the memories that must be told (grade 2) and were. */
function recall(
  name: string,
  replays: readonly Replay[],
  ofType: (type: string) => boolean,
  isTold: (told: Told, id: string) => boolean,
): Figure {
  const wanted = replays.flatMap(({ label, told }) =>
    label.relevant
      .filter((item) => item.grade === 2 && ofType(item.type))
      .map((item) => isTold(told, item.memoryId)),
  );
  return rate(name, wanted.filter(Boolean).length, wanted.length);
}

/** Share of the prompts that need no fact and were given one, by form. */
function falseFigures(prefix: string, replays: readonly Replay[]): Figure[] {
  const negatives = replays.filter(({ label }) => label.relevant.length === 0);
  return [
    rate(
      `${prefix}false_body_rate`,
      negatives.filter(({ told }) => told.bodies.size > 0).length,
      negatives.length,
    ),
    rate(
      `${prefix}false_pointer_rate`,
      negatives.filter(({ told }) => told.pointers.size > 0).length,
      negatives.length,
    ),
  ];
}

function rate(name: string, successes: number, n: number): Figure {
  return { name, value: n === 0 ? null : successes / n, unit: "rate", n, ci95: exactInterval(successes, n) };
}
