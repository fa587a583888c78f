import { parseArgs } from "node:util";
import type { Found } from "../src/capture/proposals/find-proposals.ts";
import { findProposals, MIN_LOG_ODDS } from "../src/capture/proposals/find-proposals.ts";
import { scoreSentences } from "../src/capture/proposals/score-sentence.ts";
import type { UserTurn } from "../src/capture/session-digest.ts";
import { userWords } from "../src/capture/transcript/user-words.ts";
import type { LabelledTurn } from "./extraction-data.ts";
import { readLabelledTurns, readUnlabelledTurns } from "./extraction-data.ts";
import type { Figure } from "./figure.ts";
import { fitRows, fitWeights, logOddsOf, weightLines } from "./fit-cues.ts";
import { exactInterval } from "./statistics.ts";

/** A labelled turn with what was proposed from it; undefined: nothing. */
interface Judged {
  turn: LabelledTurn;
  found: Found | undefined;
}

const CLASSES = ["feedback-correction", "feedback-confirmation", "user-fact", "project-fact", "reference"];
const FOLDS = 10;

/**
 * Proposals against labelled turns. Right is a proposal from a turn of strength 2; wrong is one from a turn that holds
 * nothing; turns of strength 1 are borderline and count as neither in `precision`, as right in `precision_any` and as
 * wrong in `precision_strict`. Turns that a second person might label otherwise are left out.
 *
 * `--turns DIR`: unlabelled turns, for the rate of proposals on real prompts. `--fit`: prints weights anew.
 * `--list`: prints every proposal.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string" },
      turns: { type: "string" },
      fit: { type: "boolean" },
      list: { type: "boolean" },
    },
  });
  if (values.data === undefined) throw new Error("give --data DIR, a folder with turns.jsonl");
  const turns = readLabelledTurns(values.data).filter(({ isAmbiguous }) => !isAmbiguous);
  if (values.fit) console.log(weightLines(fitWeights(fitRows(turns))));
  const judged = turns.map((turn): Judged => ({ turn, found: proposalOf(turn.user, turn.before) }));
  if (values.list) for (const { turn, found } of judged) if (found) printProposal(turn, found);
  printCurve(turns);
  const natural = judged.filter(({ turn }) => turn.sampling === "natural");
  const mined = judged.filter(({ turn }) => turn.sampling === "mined");
  return [
    ...precisionFigures("", judged),
    recallFigure("recall", judged, (turn) => turn.strength === 2),
    recallFigure("recall_borderline", judged, (turn) => turn.strength === 1),
    ...CLASSES.flatMap((name) => classFigures(name, judged)),
    rate(
      "right_type",
      judged.filter(isRightClass).length,
      judged.filter(({ turn, found }) => found && turn.strength > 0).length,
    ),
    ...precisionFigures("mined_", mined),
    ...precisionFigures("natural_", natural),
    recallFigure("natural_recall_any", natural, (turn) => turn.strength > 0),
    ...crossValidated(turns),
    ...junkFigures(values.turns ?? `${values.data}/../prompts-dev`, natural),
  ];
}

function proposalOf(user: string, before: string): Found | undefined {
  const words = userWords(user);
  const turn: UserTurn = { id: "", time: "", said: words.said, prose: words.prose, before, written: [] };
  return findProposals(turn).find((one) => one.kind === "remember");
}

function isRightClass({ turn, found }: Judged): boolean {
  return found !== undefined && (turn.label === found.class || turn.altLabels.includes(found.class));
}

function precisionFigures(prefix: string, judged: readonly Judged[]): Figure[] {
  const proposed = judged.filter(({ found }) => found !== undefined);
  const of = (strength: number): number => proposed.filter(({ turn }) => turn.strength === strength).length;
  return [
    rate(`${prefix}precision`, of(2), of(2) + of(0)),
    rate(`${prefix}precision_any`, of(2) + of(1), proposed.length),
    rate(`${prefix}precision_strict`, of(2), proposed.length),
  ];
}

function recallFigure(
  name: string,
  judged: readonly Judged[],
  isWanted: (turn: LabelledTurn) => boolean,
): Figure {
  const wanted = judged.filter(({ turn }) => isWanted(turn));
  return rate(name, wanted.filter(({ found }) => found !== undefined).length, wanted.length);
}

/** Of the proposals of a class those from turns that are worth it; of the clear turns of that class those proposed. */
function classFigures(name: string, judged: readonly Judged[]): Figure[] {
  const proposed = judged.filter(({ found, turn }) => found?.class === name && turn.strength !== 1);
  const wanted = judged.filter(({ turn }) => turn.label === name && turn.strength === 2);
  return [
    rate(`precision_${name}`, proposed.filter(({ turn }) => turn.strength === 2).length, proposed.length),
    rate(`recall_${name}`, wanted.filter(({ found }) => found !== undefined).length, wanted.length),
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
function junkFigures(folder: string, natural: readonly Judged[]): Figure[] {
  const turns = readUnlabelledTurns(folder);
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

/** Precision and recall on clear turns at each threshold; on stderr, beside the figures. */
function printCurve(turns: readonly LabelledTurn[]): void {
  const scored = turns
    .map((turn) => ({
      turn,
      logOdds: Math.max(-99, ...scoreSentences(userWords(turn.user).prose).map((one) => one.logOdds)),
    }))
    .filter(({ turn }) => turn.strength !== 1);
  const clear = scored.filter(({ turn }) => turn.strength === 2).length;
  console.error("log odds   precision   recall   right/wrong");
  for (let threshold = 3; threshold >= -0.5; threshold -= 0.5) {
    const over = scored.filter(({ logOdds }) => logOdds >= threshold);
    const right = over.filter(({ turn }) => turn.strength === 2).length;
    const row = [threshold.toFixed(1), (right / over.length).toFixed(2), (right / clear).toFixed(2)];
    console.error(`${row.map((cell) => cell.padStart(8)).join("   ")}   ${right}/${over.length - right}`);
  }
  console.error("");
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
