import { CUES } from "../src/capture/proposals/cues.ts";
import { BIAS, WEIGHTS } from "../src/capture/proposals/weights.ts";
import { scoreSentences } from "../src/capture/proposals/score-sentence.ts";
import { userWords } from "../src/capture/transcript/user-words.ts";
import type { LabelledTurn } from "./extraction-data.ts";

/** A sentence of a labelled turn, as the fit sees it. */
export interface FitRow {
  turn: LabelledTurn;
  cues: string[];
  /** 1: the sentence that the label is about; 0: a sentence of a turn that holds nothing; others are left out. */
  target: 0 | 1;
}

/** Weights by cue, and the log odds without any. */
export interface FittedWeights {
  weights: Map<string, number>;
  bias: number;
}

/** How firmly the fit is held to the guess: weight of the squared distance, in turns. Chosen by cross-validation. */
const HOLD = 5;
const ROUNDS = 600;
const STEP = 5;
/** A clear label counts three times a borderline one. */
const weightOf = ({ target, turn }: FitRow): number => (target === 1 && turn.strength === 2 ? 3 : 1);

/** The sentences of labelled turns with their cues. */
export function fitRows(turns: readonly LabelledTurn[]): FitRow[] {
  return turns.flatMap((turn) => {
    const span = fold(turn.span);
    return scoreSentences(userWords(turn.user).prose).flatMap(({ sentence, cues }): FitRow[] => {
      if (turn.label === "none") return [{ turn, cues, target: 0 }];
      const isMeant =
        span !== "" &&
        (fold(sentence).includes(span.slice(0, 30)) || span.includes(fold(sentence).slice(0, 40)));
      return isMeant ? [{ turn, cues, target: 1 }] : [];
    });
  });
}

function fold(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Logistic regression by gradient descent, held close to the guessed weights. */
export function fitWeights(rows: readonly FitRow[]): FittedWeights {
  const weights = new Map(CUES.map(({ name }) => [name, WEIGHTS[name]?.[0] ?? 0]));
  const guessed = new Map(weights);
  let bias: number = BIAS[0];
  const total = rows.reduce((sum, row) => sum + weightOf(row), 0);
  for (let round = 0; round < ROUNDS; round++) {
    const slopes = new Map<string, number>();
    let biasSlope = 0;
    for (const row of rows) {
      const miss = (1 / (1 + Math.exp(-logOddsOf(row.cues, { weights, bias }))) - row.target) * weightOf(row);
      biasSlope += miss;
      for (const cue of row.cues) slopes.set(cue, (slopes.get(cue) ?? 0) + miss);
    }
    bias -= (STEP * biasSlope) / total;
    for (const [name, weight] of weights) {
      const pull = HOLD * (weight - (guessed.get(name) ?? 0));
      weights.set(name, weight - (STEP * ((slopes.get(name) ?? 0) + pull)) / total);
    }
  }
  return { weights, bias };
}

/** Log odds of a sentence with these cues. */
export function logOddsOf(cues: readonly string[], { weights, bias }: FittedWeights): number {
  return cues.reduce((sum, cue) => sum + (weights.get(cue) ?? 0), bias);
}

/** The weights as the lines of `weights.ts`. */
export function weightLines({ weights, bias }: FittedWeights): string {
  const lines = [...weights].map(([name, weight]) => {
    const key = /\W/.test(name) ? JSON.stringify(name) : name;
    return `  ${key}: [${WEIGHTS[name]?.[0] ?? 0}, ${Number(weight.toFixed(2))}],`;
  });
  return [...lines, `BIAS: [${BIAS[0]}, ${bias.toFixed(2)}]`].join("\n");
}
