import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { bootstrapOf } from "./bootstrap.ts";
import { compareWithCommitted } from "./committed-figures.ts";
import type { Ranker } from "./dialogue-search.ts";
import type { Figure } from "./figure.ts";
import { ADVERSARIAL } from "./locomo-data.ts";
import { ndcgAtK, recallAtK, reciprocalRank } from "./ranking-measures.ts";
import { grepRanker, heedRanker, plainRanker } from "./rankers.ts";
import type { RecallCollection, RecallQuestion } from "./recall-data.ts";
import { readRecallData } from "./recall-data.ts";
import { svgPlot } from "./svg-plot.ts";

/** As many hits are asked for as the deepest measure looks at, and enough to find ten sessions. */
const DEPTH = 100;
const PLOT_DEPTH = 20;

/** What each ranker gave for one question. */
interface Answer {
  collection: string;
  question: RecallQuestion;
  ranked: Readonly<Record<RankerName, readonly string[]>>;
  sessions: Readonly<Record<RankerName, readonly string[]>>;
  relevantSessions: readonly string[];
}

const RANKERS = { heed: heedRanker, bm25: plainRanker, grep: grepRanker } as const;
type RankerName = keyof typeof RANKERS;
const NAMES = Object.keys(RANKERS) as RankerName[];

type Measure = (answer: Answer, ranker: RankerName) => number;

/**
 * Ranks the texts of each collection for its questions, and measures how high what answers them stands. Turns are the
 * documents themselves; of dialogue, sessions are ranked by their best turn. Turn figures leave out adversarial
 * questions, whose evidence is about somebody else than the one asked about; session figures hold all. Intervals by
 * bootstrap over collections; the baseline is plain BM25, with `bm25_` and `grep_` beside it.
 *
 * `--data DIR` (see readRecallData), `--plot FILE` (default bench/out/recall.svg), `--name NAME` of the data in
 * bench/committed-figures.json, to compare with what is committed there.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string" },
      plot: { type: "string", default: "bench/out/recall.svg" },
      name: { type: "string" },
    },
  });
  if (values.data === undefined) throw new Error("give --data DIR, a folder with texts and questions");
  const collections = readRecallData(values.data);
  if (collections.length === 0) throw new Error(`nothing to rank in ${values.data}`);
  const all = collections.flatMap(answersIn);
  const turns = all.filter(({ question }) => question.category !== ADVERSARIAL);
  savePlot(values.plot, turns);
  const figures = [
    ...turnFigures("turn", turns),
    ...sessionFigures(all),
    ...[...new Set(all.map(({ question }) => question.category))].sort().flatMap((category) => {
      const answers = all.filter(({ question }) => question.category === category);
      return [
        figure(`turn_recall_at_10 ${category}`, answers, (answer, ranker) => recallOf(answer, ranker, 10)),
        figure(`turn_ndcg_at_10 ${category}`, answers, (answer, ranker) => ndcgOf(answer, ranker)),
      ];
    }),
    pairedDifference("turn_ndcg_at_10_gain", turns, ndcgOf),
  ];
  return values.name === undefined ? figures : compareWithCommitted(values.name, figures);
}

function answersIn(collection: RecallCollection): Answer[] {
  const rankers = Object.fromEntries(NAMES.map((name) => [name, RANKERS[name](collection)])) as Record<
    RankerName,
    Ranker
  >;
  const sessionOf = new Map(collection.documents.map(({ id, session }) => [id, session]));
  const sessionsOf = (ids: readonly string[]): string[] => [
    ...new Set(ids.flatMap((id) => sessionOf.get(id) ?? [])),
  ];
  return collection.questions.map((question) => {
    const ranked = Object.fromEntries(
      NAMES.map((name) => [name, rankers[name](question.text, DEPTH)]),
    ) as Record<RankerName, string[]>;
    const sessions = Object.fromEntries(NAMES.map((name) => [name, sessionsOf(ranked[name])])) as Record<
      RankerName,
      string[]
    >;
    return {
      collection: collection.id,
      question,
      ranked,
      sessions,
      relevantSessions: sessionsOf(question.relevant),
    };
  });
}

const recallOf = ({ ranked, question }: Answer, ranker: RankerName, k: number): number =>
  recallAtK(ranked[ranker], question.relevant, k);
const ndcgOf: Measure = ({ ranked, question }, ranker) => ndcgAtK(ranked[ranker], question.relevant, 10);

function turnFigures(prefix: string, answers: readonly Answer[]): Figure[] {
  return [
    ...[1, 5, 10].map((k) =>
      figure(`${prefix}_recall_at_${k}`, answers, (answer, ranker) => recallOf(answer, ranker, k)),
    ),
    figure(`${prefix}_ndcg_at_10`, answers, ndcgOf),
    figure(`${prefix}_mrr`, answers, ({ ranked, question }, ranker) =>
      reciprocalRank(ranked[ranker], question.relevant),
    ),
    ...NAMES.filter((name) => name !== "heed").flatMap((name) => [
      value(`${name}_${prefix}_recall_at_10`, answers, (answer) => recallOf(answer, name, 10)),
      value(`${name}_${prefix}_ndcg_at_10`, answers, (answer) => ndcgOf(answer, name)),
    ]),
  ];
}

/** A session is hit when one that holds evidence is among the first k. */
function sessionFigures(answers: readonly Answer[]): Figure[] {
  const inSessions = answers.filter(({ relevantSessions }) => relevantSessions.length > 0);
  if (inSessions.length === 0) return [];
  const isHit =
    (k: number): Measure =>
    ({ sessions, relevantSessions }, ranker) =>
      recallAtK(sessions[ranker], relevantSessions, k) > 0 ? 1 : 0;
  return [
    ...[1, 5, 10].map((k) => figure(`session_hit_at_${k}`, inSessions, isHit(k))),
    ...[1, 5, 10].map((k) =>
      figure(`session_recall_at_${k}`, inSessions, ({ sessions, relevantSessions }, ranker) =>
        recallAtK(sessions[ranker], relevantSessions, k),
      ),
    ),
    value("grep_session_hit_at_5", inSessions, (answer) => isHit(5)(answer, "grep")),
  ];
}

/** The mean over the questions, with an interval over the collections and plain BM25's mean beside it. */
function figure(name: string, answers: readonly Answer[], measure: Measure): Figure {
  return {
    ...value(name, answers, (answer) => measure(answer, "heed")),
    baseline: meanOf(answers, (answer) => measure(answer, "bm25")) ?? Number.NaN,
  };
}

function value(name: string, answers: readonly Answer[], measure: (answer: Answer) => number): Figure {
  const ci95 = bootstrapOf(byCollection(answers), (sample) => meanOf(sample.flat(), measure));
  return {
    name,
    value: meanOf(answers, measure) ?? null,
    unit: "share",
    n: answers.length,
    ...(ci95 && { ci95 }),
  };
}

/** How much better than plain BM25, question by question: the interval says whether it could be none. */
function pairedDifference(name: string, answers: readonly Answer[], measure: Measure): Figure {
  return value(name, answers, (answer) => measure(answer, "heed") - measure(answer, "bm25"));
}

function byCollection(answers: readonly Answer[]): Answer[][] {
  const groups = new Map<string, Answer[]>();
  for (const answer of answers)
    groups.set(answer.collection, [...(groups.get(answer.collection) ?? []), answer]);
  return [...groups.values()];
}

function meanOf(answers: readonly Answer[], measure: (answer: Answer) => number): number | undefined {
  if (answers.length === 0) return undefined;
  return answers.reduce((sum, answer) => sum + measure(answer), 0) / answers.length;
}

function savePlot(file: string, answers: readonly Answer[]): void {
  const colours: Record<RankerName, string> = { heed: "#1f6f5c", bm25: "#b07d2b", grep: "#8a8a8a" };
  const lines = NAMES.map((ranker) => ({
    label: ranker === "bm25" ? "plain BM25" : ranker,
    colour: colours[ranker],
    points: Array.from({ length: PLOT_DEPTH }, (_, i): [number, number] => [
      (i + 1) / PLOT_DEPTH,
      meanOf(answers, (answer) => recallOf(answer, ranker, i + 1)) ?? 0,
    ]),
  }));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    svgPlot({
      title: "What answers a question, among the first k",
      xLabel: `k, from 1 to ${PLOT_DEPTH}`,
      yLabel: "share found",
      maxX: 1,
      xTicks: Array.from({ length: 5 }, (_, i) => [((i + 1) * 4) / PLOT_DEPTH, String((i + 1) * 4)] as const),
      lines,
    }),
  );
}
