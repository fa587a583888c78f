import { parseArgs } from "node:util";
import { askWhatIsOpened } from "./open-answers.ts";
import { aliasFigures } from "./other-words.ts";
import { pooledRate, tallyBy } from "./bootstrap.ts";
import type { Tally } from "./bootstrap.ts";
import { type Figure, figure } from "./figure.ts";
import type { InjectionData, LabelledPrompt } from "./injection-data.ts";
import { readInjectionData } from "./injection-data.ts";
import type { Injected } from "./replay.ts";
import { replayStore } from "./replay.ts";
import { median, upperBound } from "./statistics.ts";

interface Replay {
  label: LabelledPrompt;
  injected: Injected;
  /** The memories with a line in the map. */
  map: ReadonlySet<string>;
}

interface Replays {
  labelled: Replay[];
  /** Of each project that unlabelled turns were typed in: how many of them were given anything. */
  turns: Map<string, Tally>;
  rules: Tally;
  maps: number[];
}

/**
 * Replays labelled prompts against the stores they were labelled for, and unlabelled turns against the stores in turn,
 * and counts: what should be told and was, what should not and was, and rules that reach the model. Intervals are by
 * bootstrap over stores; false rates also have an exact one-sided 95 % upper bound over prompts.
 *
 * `--data DIR`, `--turns FILE` (see readInjectionData). `--aliases FILE`: only what those aliases are worth to search.
 * `--write-requests DIR`, `--answers DIR`: only what a model opens, see {@link askWhatIsOpened}.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string" },
      turns: { type: "string" },
      aliases: { type: "string" },
      "write-requests": { type: "string" },
      answers: { type: "string" },
    },
  });
  if (values.data === undefined)
    throw new Error("give --data DIR, a folder with memories.jsonl and labels.jsonl");
  const data = readInjectionData(values.data, values.turns);
  if (data.memories.length === 0) throw new Error(`no memories.jsonl in ${values.data}`);
  if (values.aliases !== undefined) return aliasFigures(data, values.aliases);
  const { answers, "write-requests": requests } = values;
  if (answers !== undefined || requests !== undefined) return askWhatIsOpened(data, { requests, answers });
  const { labelled, turns, rules, maps } = await replayAll(data);
  return [
    ...mapFigures(labelled, maps),
    recallOf("recall", labelled, isInjectedAtAll),
    recallOf("recall_body", labelled, isInjectedWhole),
    ...falseRates(labelled),
    // Drawn again by project.
    pooledRate("turn_injection_rate", [...turns.values()]),
    pooledRate("rule_coverage", [rules]),
  ];
}

async function replayAll(data: InjectionData): Promise<Replays> {
  const storeIds = [...new Set(data.memories.map((memory) => memory.storeId))].sort();
  const replays: Replays = {
    labelled: [],
    turns: new Map(),
    rules: { successes: 0, trials: 0 },
    maps: [],
  };
  for (const [i, storeId] of storeIds.entries()) {
    const own = data.memories.filter((memory) => memory.storeId === storeId);
    const store = await replayStore(own);
    try {
      const { rules: shown } = await store.opening();
      const map = await store.map();
      replays.maps.push(map.text.length);
      for (const label of data.prompts.filter((prompt) => prompt.storeId === storeId)) {
        const injected = without(await store.tell(label.prompt), label.excluded);
        replays.labelled.push({ label, injected, map: map.ids });
        replays.rules.trials += label.applies.length;
        replays.rules.successes += label.applies.filter((id) => shown.has(id)).length;
      }
      for (const { prompt, repo = "" } of data.turns.filter((_, n) => n % storeIds.length === i)) {
        const injected = await store.tell(prompt);
        const tally = replays.turns.get(repo) ?? { successes: 0, trials: 0 };
        tally.trials += 1;
        if (injected.bodies.size + injected.pointers.size > 0) tally.successes += 1;
        replays.turns.set(repo, tally);
      }
    } finally {
      await store.close();
    }
  }
  return replays;
}

const isInjectedWhole = (injected: Injected, id: string): boolean => injected.bodies.has(id);
const isInjectedAtAll = (injected: Injected, id: string): boolean =>
  injected.bodies.has(id) || injected.pointers.has(id);
const isNegative = ({ label }: Replay): boolean => label.relevant.length === 0;

/** What was not there yet when the prompt was typed is left out. */
function without(injected: Injected, excluded: readonly string[]): Injected {
  for (const id of excluded) {
    injected.bodies.delete(id);
    injected.pointers.delete(id);
  }
  return injected;
}

/** What the map brings within reach, what it takes, and how many lines prompts add to it. */
function mapFigures(replays: readonly Replay[], maps: readonly number[]): Figure[] {
  const reach = tallyByStore(replays, ({ label, injected, map }) =>
    label.relevant
      .filter(({ grade }) => grade === 2)
      .map(({ memoryId }) => map.has(memoryId) || isInjectedAtAll(injected, memoryId)),
  );
  const lines = replays.reduce((sum, { injected }) => sum + injected.pointers.size, 0);
  const n = replays.length;
  return [
    pooledRate("map_reach", reach),
    figure("map_characters", median(maps), "characters", maps.length),
    figure("lines_per_100_prompts", n === 0 ? null : (100 * lines) / n, "lines", n),
  ];
}

/** Share of the memories that must be told (grade 2) and were. */
function recallOf(
  name: string,
  replays: readonly Replay[],
  isInjected: (injected: Injected, id: string) => boolean,
): Figure {
  const tallies = tallyByStore(replays, ({ label, injected }) =>
    label.relevant.filter(({ grade }) => grade === 2).map(({ memoryId }) => isInjected(injected, memoryId)),
  );
  return pooledRate(name, tallies);
}

/** Share of the prompts that need no fact and were given one, by form, with exact upper bounds. */
function falseRates(replays: readonly Replay[]): Figure[] {
  const negatives = replays.filter(isNegative);
  const forms: [string, (injected: Injected) => boolean][] = [
    ["false_body_rate", ({ bodies }) => bodies.size > 0],
    ["false_pointer_rate", ({ pointers }) => pointers.size > 0],
    ["false_rate", ({ bodies, pointers }) => bodies.size + pointers.size > 0],
  ];
  return forms.flatMap(([name, isGiven]) => {
    const tallies = tallyByStore(negatives, ({ injected }) => [isGiven(injected)]);
    const rate = pooledRate(name, tallies);
    const { n } = rate;
    const bound = n === 0 ? null : upperBound(Math.round((rate.value ?? 0) * n), n);
    return [rate, figure(`${name}_upper95`, bound, "rate", n)];
  });
}

function tallyByStore(replays: readonly Replay[], outcomes: (replay: Replay) => readonly boolean[]): Tally[] {
  return tallyBy(replays, ({ label }) => label.storeId, outcomes);
}
