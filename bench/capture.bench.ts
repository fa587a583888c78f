import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import type { Found } from "../src/capture/proposals/find-proposals.ts";
import { findProposals, MIN_LOG_ODDS } from "../src/capture/proposals/find-proposals.ts";
import { scoreSentences } from "../src/capture/proposals/score-sentence.ts";
import type { UserTurn } from "../src/capture/digest/session-digest.ts";
import { userWords } from "../src/capture/transcript/user-words.ts";
import type { LabelledTurn } from "./extraction-data.ts";
import { readLabelledTurns, readUnlabelledTurns } from "./extraction-data.ts";
import type { Figure } from "./figure.ts";
import { fitRows, fitWeights, logOddsOf, weightLines } from "./fit-cues.ts";
import { exactInterval } from "./statistics.ts";
import { svgPlot } from "./svg-plot.ts";

/** A labelled turn with what was proposed from it; undefined: nothing. */
interface TurnOutcome {
  turn: LabelledTurn;
  found: Found | undefined;
}

const CLASSES = ["feedback-correction", "feedback-confirmation", "user-fact", "project-fact", "reference"];
const FOLDS = 10;

/**
 * Proposals against labelled turns. Right is a proposal from a turn of strength 2 that has the label's class or another
 * accepted one; wrong is one from a turn that holds nothing, or of another class. Turns of strength 1 are borderline:
 * neither in `precision`, right in `precision_any`, wrong in `precision_strict`. Turns that a second person might label
 * otherwise are left out.
 *
 * `--turns DIR`: unlabelled turns (default: see turnsBeside), for the rate of proposals on real prompts. `--fit`: prints weights anew.
 * `--list`: prints every proposal. `--plot FILE`: where the curve is drawn (default bench/out/capture.svg).
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string" },
      turns: { type: "string" },
      fit: { type: "boolean" },
      list: { type: "boolean" },
      plot: { type: "string", default: "bench/out/capture.svg" },
    },
  });
  if (values.data === undefined) throw new Error("give --data DIR, a folder with turns.jsonl");
  const turns = readLabelledTurns(values.data).filter(({ isAmbiguous }) => !isAmbiguous);
  if (turns.length === 0) throw new Error(`no labelled turns in ${values.data}/turns.jsonl`);
  if (values.fit) console.log(weightLines(fitWeights(fitRows(turns))));
  const outcomes = turns.map((turn): TurnOutcome => ({ turn, found: proposalOf(turn.user, turn.before) }));
  if (values.list) for (const { turn, found } of outcomes) if (found) printProposal(turn, found);
  const curve = curveOf(turns);
  printCurve(curve);
  mkdirSync(dirname(values.plot), { recursive: true });
  writeFileSync(values.plot, drawCurve(curve));
  const natural = outcomes.filter(({ turn }) => turn.sampling === "natural");
  const mined = outcomes.filter(({ turn }) => turn.sampling === "mined");
  return [
    ...precisionFigures("", outcomes),
    recallFigure("recall", outcomes, (turn) => turn.strength === 2),
    recallFigure("recall_borderline", outcomes, (turn) => turn.strength === 1),
    recallFigure("mined_recall", mined, (turn) => turn.strength === 2),
    recallFigure("natural_recall", natural, (turn) => turn.strength === 2),
    ...CLASSES.flatMap((name) => classFigures(name, outcomes)),
    rate(
      "right_type",
      outcomes.filter(isRightClass).length,
      outcomes.filter(({ turn, found }) => found && turn.strength > 0).length,
    ),
    ...precisionFigures("mined_", mined),
    ...precisionFigures("natural_", natural),
    recallFigure("natural_recall_any", natural, (turn) => turn.strength > 0),
    ...crossValidated(turns),
    ...junkFigures(readUnlabelledTurns(values.data, values.turns), natural),
  ];
}

function proposalOf(user: string, before: string, minLogOdds?: number): Found | undefined {
  const words = userWords(user);
  const turn: UserTurn = { id: "", time: "", said: words.said, prose: words.prose, before, written: [] };
  return findProposals(turn, minLogOdds).find((one) => one.kind === "remember");
}

function isRightClass({ turn, found }: TurnOutcome): boolean {
  return found !== undefined && (turn.label === found.class || turn.altLabels.includes(found.class));
}

function precisionFigures(prefix: string, outcomes: readonly TurnOutcome[]): Figure[] {
  const proposed = outcomes.filter(({ found }) => found !== undefined);
  const clear = proposed.filter(({ turn }) => turn.strength !== 1);
  const right = proposed.filter(isRight).length;
  const any = proposed.filter((one) => one.turn.strength > 0 && isRightClass(one)).length;
  return [
    rate(`${prefix}precision`, right, clear.length),
    rate(`${prefix}precision_any`, any, proposed.length),
    rate(`${prefix}precision_strict`, right, proposed.length),
  ];
}

function isRight(one: TurnOutcome): boolean {
  return one.turn.strength === 2 && isRightClass(one);
}

function recallFigure(
  name: string,
  outcomes: readonly TurnOutcome[],
  isWanted: (turn: LabelledTurn) => boolean,
): Figure {
  const wanted = outcomes.filter(({ turn }) => isWanted(turn));
  return rate(name, wanted.filter(isRightClass).length, wanted.length);
}

/** Of the proposals of a class those from turns that are worth it; of the clear turns of that class those proposed. */
function classFigures(name: string, outcomes: readonly TurnOutcome[]): Figure[] {
  const proposed = outcomes.filter(({ found }) => found?.class === name);
  const clear = proposed.filter(({ turn }) => turn.strength !== 1);
  const wanted = outcomes.filter(({ turn }) => turn.label === name && turn.strength === 2);
  return [
    rate(`precision_${name}`, clear.filter(isRight).length, clear.length),
    rate(`precision_strict_${name}`, proposed.filter(isRight).length, proposed.length),
    rate(`recall_${name}`, wanted.filter(isRightClass).length, wanted.length),
  ];
}

/** The same with weights that were fitted without the repositories at hand, or without the turns at hand. */
function crossValidated(turns: readonly LabelledTurn[]): Figure[] {
  const rows = fitRows(turns);
  const byFold = (key: (turn: LabelledTurn) => string): { turn: LabelledTurn; logOdds: number }[] => {
    const folds = [...new Set(turns.map(key))];
    return folds.flatMap((fold) => {
      const fitted = fitWeights(rows.filter(({ turn }) => key(turn) !== fold));
      return turns
        .filter((turn) => key(turn) === fold)
        .map((turn) => ({
          turn,
          logOdds: Math.max(
            -99,
            ...scoreSentences(userWords(turn.user).prose).map(({ cues }) => logOddsOf(cues, fitted)),
          ),
        }));
    });
  };
  const figures = (name: string, scored: { turn: LabelledTurn; logOdds: number }[]): Figure[] => {
    const proposed = scored.filter(({ logOdds }) => logOdds >= MIN_LOG_ODDS);
    const of = (strength: number): number => proposed.filter(({ turn }) => turn.strength === strength).length;
    return [
      rate(`precision_${name}`, of(2), of(2) + of(0)),
      rate(`recall_${name}`, of(2), turns.filter(({ strength }) => strength === 2).length),
    ];
  };
  return [
    ...figures(
      "cross_turns",
      byFold((turn) => String(hashOf(turn.id) % FOLDS)),
    ),
    ...figures(
      "cross_repos",
      byFold((turn) => turn.repo),
    ),
  ];
}

function hashOf(id: string): number {
  let hash = 7;
  for (const char of id) hash = (hash * 31 + char.charCodeAt(0)) >>> 0;
  return hash;
}

/** How much is proposed on real turns, beside the share of naturally sampled turns that hold something. */
function junkFigures(
  turns: readonly { prompt: string; before: string }[],
  natural: readonly TurnOutcome[],
): Figure[] {
  if (turns.length === 0) return [{ name: "proposals_per_100_turns", value: null, unit: "per 100", n: 0 }];
  const proposed = turns.filter(({ prompt, before }) => proposalOf(prompt, before) !== undefined).length;
  const worth = natural.filter(({ turn }) => turn.strength > 0).length;
  return [
    {
      name: "proposals_per_100_turns",
      value: (100 * proposed) / turns.length,
      unit: "per 100",
      n: turns.length,
      baseline: natural.length === 0 ? 0 : (100 * worth) / natural.length,
      note: "turns of the natural sample that hold anything, per 100",
    },
  ];
}

/** What is proposed from these log odds on. */
interface CurvePoint {
  threshold: number;
  right: number;
  /** From a turn that holds nothing, or of another class. */
  wrong: number;
  borderline: number;
  recall: number;
}

/** Precision and recall on clear turns at each threshold. */
function curveOf(turns: readonly LabelledTurn[]): CurvePoint[] {
  const outcomes = turns.map((turn): TurnOutcome => ({
    turn,
    found: proposalOf(turn.user, turn.before, -99),
  }));
  const clear = turns.filter(({ strength }) => strength === 2).length;
  return Array.from({ length: 15 }, (_, i) => 3 - i * 0.25).map((threshold) => {
    const over = outcomes.filter(({ found }) => found !== undefined && found.logOdds >= threshold);
    const right = over.filter(isRight).length;
    const borderline = over.filter(({ turn }) => turn.strength === 1).length;
    return { threshold, right, borderline, wrong: over.length - right - borderline, recall: right / clear };
  });
}

/** On stderr, beside the figures. */
function printCurve(curve: readonly CurvePoint[]): void {
  console.error("log odds   precision     strict     recall   right/wrong/borderline");
  for (const { threshold, right, wrong, borderline, recall } of curve) {
    const cells = [right / (right + wrong), right / (right + wrong + borderline), recall];
    const row = [threshold, ...cells].map((cell) => cell.toFixed(2).padStart(8)).join("   ");
    console.error(`${row}   ${right}/${wrong}/${borderline}`);
  }
  console.error("");
}

function drawCurve(curve: readonly CurvePoint[]): string {
  const line = (share: (point: CurvePoint) => number): [number, number][] =>
    curve.map((point): [number, number] => [point.recall, share(point)]);
  const here = curve.find(({ threshold }) => threshold === MIN_LOG_ODDS);
  return svgPlot({
    title: "Proposals from turns of the user",
    xLabel: "recall on turns that clearly hold something",
    yLabel: "precision",
    maxX: 1,
    lines: [
      {
        label: "borderline turns left out",
        colour: "#1f6feb",
        points: line(({ right, wrong }) => right / (right + wrong)),
      },
      {
        label: "borderline turns count as wrong",
        colour: "#b35900",
        points: line(({ right, wrong, borderline }) => right / (right + wrong + borderline)),
      },
    ],
    ...(here && {
      marks: [
        {
          label: `from ${MIN_LOG_ODDS} on`,
          colour: "#1f6feb",
          at: [here.recall, here.right / (here.right + here.wrong)],
        },
      ],
    }),
  });
}

function printProposal(turn: LabelledTurn, found: Found): void {
  const mark = turn.strength === 0 ? "WRONG" : isRightClass({ turn, found }) ? "ok" : "type?";
  console.log(
    `${mark}  ${turn.label} ${turn.strength} -> ${found.class} ${found.logOdds.toFixed(1)}  ${found.draft.description}`,
  );
}

function rate(name: string, successes: number, n: number): Figure {
  return { name, value: n === 0 ? null : successes / n, unit: "rate", n, ci95: exactInterval(successes, n) };
}
