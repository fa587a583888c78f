import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { bootstrapOf } from "./bootstrap.ts";
import type { Figure } from "./figure.ts";
import { grepRanker, heedRanker, plainRanker } from "./rankers.ts";
import type { RecallCollection, RecallQuestion } from "./recall-data.ts";
import { ADVERSARIAL, readRecallData } from "./recall-data.ts";

/** As many hits are asked for as the deepest measure looks at, and enough to find ten sessions. */
const DEPTH = 100;
const COMMITTED = "bench/committed-figures.json";
/** So much below what is committed a figure may fall before it is called a regression: floats and ties, no more. */
const TOLERANCE = 0.005;

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
const ofEach = <T>(make: (ranker: RankerName) => T): Record<RankerName, T> => ({
  heed: make("heed"),
  bm25: make("bm25"),
  grep: make("grep"),
});

type Measure = (answer: Answer, ranker: RankerName) => number;

/**
 * Ranks the texts of each collection for its questions, and measures how high what answers them stands. Turns are the
 * documents themselves; of dialogue, sessions are ranked by their best turn. Turn figures leave out adversarial
 * questions, whose evidence is about somebody else than the one asked about; session figures hold all. Intervals by
 * bootstrap over collections; the baseline is plain BM25, with `bm25_` and `grep_` beside it.
 *
 * `--data DIR` (see readRecallData), `--only ID,ID` of its collections, `--name NAME` of the data in bench/committed-figures.json, to compare
 * with what is committed there.
 */
export function run(args: string[]): Figure[] {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string" },
      only: { type: "string" },
      name: { type: "string" },
    },
  });
  if (values.data === undefined) throw new Error("give --data DIR, a folder with texts and questions");
  const only = values.only?.split(",");
  const collections = readRecallData(values.data).filter(({ id }) => only?.includes(id) ?? true);
  if (collections.length === 0) throw new Error(`nothing to rank in ${values.data}`);
  const all = collections.flatMap(answersIn);
  const turns = all.filter(({ question }) => question.category !== ADVERSARIAL);
  const figures = [
    ...turnFigures(turns),
    ...sessionFigures(all),
    ...[...new Set(all.map(({ question }) => question.category))].sort().flatMap((category) => {
      const answers = all.filter(({ question }) => question.category === category);
      return [
        figure(`turn_recall_at_10 ${category}`, answers, (answer, ranker) => recallOf(answer, ranker, 10)),
        figure(`turn_ndcg_at_10 ${category}`, answers, (answer, ranker) => ndcgOf(answer, ranker)),
      ];
    }),
    // Question by question: the interval says whether it could be none.
    value("turn_ndcg_at_10_gain", turns, (answer) => ndcgOf(answer, "heed") - ndcgOf(answer, "bm25")),
  ];
  return values.name === undefined ? figures : compareWithCommitted(values.name, figures);
}

function answersIn(collection: RecallCollection): Answer[] {
  const rankers = ofEach((name) => RANKERS[name](collection));
  const sessionOf = new Map(collection.documents.map(({ id, session }) => [id, session]));
  const sessionsOf = (ids: readonly string[]): string[] => [
    ...new Set(ids.flatMap((id) => sessionOf.get(id) ?? [])),
  ];
  return collection.questions.map((question): Answer => {
    const ranked = ofEach((name) => rankers[name](question.text, DEPTH));
    return {
      collection: collection.id,
      question,
      ranked,
      sessions: ofEach((name) => sessionsOf(ranked[name])),
      relevantSessions: sessionsOf(question.relevant),
    };
  });
}

/** The share of the relevant documents among the first `k`. */
function recallAtK(ranked: readonly string[], relevant: readonly string[], k: number): number {
  const first = new Set(ranked.slice(0, k));
  return relevant.filter((id) => first.has(id)).length / relevant.length;
}

/** Normalised discounted cumulative gain of the first `k`, relevance being yes or no (Järvelin and Kekäläinen, 2002). */
function ndcgAtK(ranked: readonly string[], relevant: readonly string[], k: number): number {
  const wanted = new Set(relevant);
  const discount = (place: number): number => 1 / Math.log2(place + 2);
  let gain = 0;
  for (const [place, id] of ranked.slice(0, k).entries()) if (wanted.has(id)) gain += discount(place);
  let ideal = 0;
  for (let place = 0; place < Math.min(k, wanted.size); place++) ideal += discount(place);
  return gain / ideal;
}

/** One over the place of the first relevant document; 0 when none is found. */
function reciprocalRank(ranked: readonly string[], relevant: readonly string[]): number {
  const place = ranked.findIndex((id) => relevant.includes(id));
  return place < 0 ? 0 : 1 / (place + 1);
}

const recallOf = ({ ranked, question }: Answer, ranker: RankerName, k: number): number =>
  recallAtK(ranked[ranker], question.relevant, k);
const ndcgOf: Measure = ({ ranked, question }, ranker) => ndcgAtK(ranked[ranker], question.relevant, 10);

function turnFigures(answers: readonly Answer[]): Figure[] {
  return [
    ...[1, 5, 10].map((k) =>
      figure(`turn_recall_at_${k}`, answers, (answer, ranker) => recallOf(answer, ranker, k)),
    ),
    figure("turn_ndcg_at_10", answers, ndcgOf),
    figure("turn_mrr", answers, ({ ranked, question }, ranker) =>
      reciprocalRank(ranked[ranker], question.relevant),
    ),
    ...NAMES.filter((name) => name !== "heed").flatMap((name) => [
      value(`${name}_turn_recall_at_10`, answers, (answer) => recallOf(answer, name, 10)),
      value(`${name}_turn_ndcg_at_10`, answers, (answer) => ndcgOf(answer, name)),
    ]),
  ];
}

/** A session is hit when one that holds evidence is among the first k. */
const isHit =
  (k: number): Measure =>
  ({ sessions, relevantSessions }, ranker) =>
    recallAtK(sessions[ranker], relevantSessions, k) > 0 ? 1 : 0;

function sessionFigures(answers: readonly Answer[]): Figure[] {
  const inSessions = answers.filter(({ relevantSessions }) => relevantSessions.length > 0);
  if (inSessions.length === 0) return [];
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

/** The mean over the questions, with an interval over the collections and the baseline's mean beside it. */
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

/**
 * Adds to each figure what is committed for it under the name of a data set, and fails the process (exit 1) when one
 * fell below: rankings do not get worse unnoticed.
 */
function compareWithCommitted(dataName: string, figures: readonly Figure[]): Figure[] {
  const all = existsSync(COMMITTED)
    ? (JSON.parse(readFileSync(COMMITTED, "utf8")) as Record<string, Record<string, number>>)
    : {};
  const committed = all[dataName];
  if (!committed)
    throw new Error(
      `nothing is committed under "${dataName}" in ${COMMITTED}: ${Object.keys(all).join(", ")}`,
    );
  return figures.map((figure) => {
    const before = committed[figure.name];
    if (before === undefined || figure.value === null) return figure;
    if (figure.value >= before - TOLERANCE) return { ...figure, note: `committed ${before}` };
    process.exitCode = 1;
    return { ...figure, note: `WORSE than the committed ${before}` };
  });
}
