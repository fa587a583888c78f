import { parseArgs } from "node:util";
import type { ExplicitWords } from "../src/capture/explicit/find-explicit.ts";
import { findExplicit } from "../src/capture/explicit/find-explicit.ts";
import { ownPart } from "../src/capture/transcript/own-part.ts";
import { isSaidIn } from "../src/curate/users-words.ts";
import type { LabelledTurn } from "./extraction-data.ts";
import { readLabelledTurns } from "./extraction-data.ts";
import type { Figure } from "./figure.ts";
import { exactInterval } from "./statistics.ts";
import type { ReadAnswers } from "./turn-answers.ts";
import {
  readLessonAnswers,
  readTurnAnswers,
  writeLessonRequests,
  writeTurnRequests,
} from "./turn-answers.ts";

const TYPES: Readonly<Record<string, string>> = {
  "feedback-correction": "feedback",
  "feedback-confirmation": "feedback",
  "user-fact": "user",
  "project-fact": "project",
  reference: "reference",
};

/**
 * Labelled turns against what heed keeps of them by itself, which are explicit words alone, and against what a model
 * writes, where its answers are given. Without a model: `explicit_precision` (turns of strength 1 and 2 among those of
 * which something is kept), `explicit_recall` (kept among the turns worth keeping that say so in words: see SAYS_SO),
 * `kept_per_100_turns`, `filled_fields` (of what is kept, fields that hold other than the user's words: none).
 *
 * `--write-requests DIR`: one JSON a turn with the very text that a model gets, `{id, system, tools, messages}`. `--answers
 * DIR`: for a turn `ID.json` with `{"memories": [{type, statement, quote, reason?}]}`, or `{"text": "…"}` with that in it; a
 * turn without a file was not asked. `--afterwards`: the same for what is asked after a session, twenty turns a request,
 * `{id, system, user}`, answered by `{"items": [...]}`. Of answers: `extract_precision` (strength 1 and 2 among turns of
 * which something was written), `extract_recall` (strength 2), `quote_verbatim`, `right_type`, `reasons_verbatim`.
 * `--list`: prints what is kept.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string" },
      "write-requests": { type: "string" },
      answers: { type: "string" },
      afterwards: { type: "boolean" },
      list: { type: "boolean" },
    },
  });
  if (values.data === undefined) throw new Error("give --data DIR, a folder with turns.jsonl");
  const turns = readLabelledTurns(values.data).filter(({ isAmbiguous }) => !isAmbiguous);
  if (turns.length === 0) throw new Error(`no labelled turns in ${values.data}/turns.jsonl`);
  const { answers, afterwards = false, "write-requests": requests } = values;
  if (requests !== undefined)
    await (afterwards ? writeLessonRequests(requests, turns) : writeTurnRequests(requests, turns));
  const figures = explicitFigures(turns, values.list === true);
  if (answers === undefined) return figures;
  return [...figures, ...answerFigures((afterwards ? readLessonAnswers : readTurnAnswers)(answers, turns))];
}

/**
 * The words by which people say that something is to hold: the turns of which a formula could tell at all. Wider than what
 * is read as one: "as far as I remember" and "it is always truthy" count here and are none.
 */
const SAYS_SO =
  /\b(?:rem+e?m*e?b(?:er|re|r)|memori[sz]e|from now on|going forward|in (?:the )?future|never|always|stop \w+ing|(?:do not|don['’]?t|dont) (?:ever|use|forget)|not\b.{0,20}\bany ?more|every time|whenever you|(?:before|after) (?:\w+ing )?(?:any|each|every)|when writing|i prefer|as a rule|a rule\b|keep .{2,60}\b(?:updated|up[- ]to[- ]date)|instead of|rather than)\b|\bno \w[^.!?]{2,30} only\b|,? no \w+[^.!?]{0,20}!/i;

function explicitFigures(turns: readonly LabelledTurn[], isListed: boolean): Figure[] {
  const kept = turns.flatMap((turn) => {
    const own = ownPart(turn.user);
    const words = findExplicit(own).flatMap((one) => (one.kind === "keep" ? [one] : []));
    return words.length === 0 ? [] : [{ turn, own, words }];
  });
  if (isListed)
    for (const { turn, words } of kept)
      for (const { type, statement } of words)
        console.log(`${turn.strength} ${turn.label} -> ${type}: ${statement}`);
  const worth = kept.filter(({ turn }) => turn.strength > 0);
  const saying = turns.filter(({ strength, user }) => strength > 0 && SAYS_SO.test(ownPart(user)));
  const said = new Set(kept.map(({ turn }) => turn.id));
  const filled = kept.flatMap(({ own, words }) => words.flatMap((one) => fieldsFilled(one, own)));
  return [
    rate("explicit_precision", worth.length, kept.length),
    rate("explicit_recall", saying.filter(({ id }) => said.has(id)).length, saying.length),
    {
      name: "kept_per_100_turns",
      value: (100 * kept.length) / turns.length,
      unit: "per 100",
      n: turns.length,
    },
    { name: "filled_fields", value: filled.length, unit: "fields", n: kept.length },
    rate(
      "explicit_right_type",
      worth.filter(({ turn, words }) => words.some(({ type }) => isType(turn, type))).length,
      worth.length,
    ),
  ];
}

/** The fields that hold what the user did not say. */
function fieldsFilled(
  { statement, quote, reason }: Extract<ExplicitWords, { kind: "keep" }>,
  own: string,
): string[] {
  return [statement, quote, ...(reason === undefined ? [] : [reason])].filter((text) => !isSaidIn(own, text));
}

function answerFigures({ asked, unsaid }: ReadAnswers): Figure[] {
  const wrote = asked.filter(({ written }) => written.length > 0);
  const clear = asked.filter(({ turn }) => turn.strength === 2);
  const all = wrote.flatMap(({ turn, written }) => written.map((one) => ({ turn, one })));
  const quoted = all.filter(({ one }) => one.quote !== undefined);
  const verbatim = quoted.filter(({ turn, one }) => isSaidIn(ownPart(turn.user), one.quote ?? ""));
  const reasons = all.filter(({ one }) => one.reason !== undefined);
  const worth = wrote.filter(({ turn }) => turn.strength > 0);
  const named = worth.filter(({ turn, written }) => written.some(({ type }) => isType(turn, type)));
  const given = reasons.filter(({ turn, one }) => isSaidIn(ownPart(turn.user), one.reason ?? ""));
  return [
    rate("extract_precision", worth.length, wrote.length),
    rate("extract_recall", clear.filter(({ written }) => written.length > 0).length, clear.length),
    rate("quote_verbatim", verbatim.length, quoted.length + unsaid),
    rate("right_type", named.length, worth.length),
    rate("reasons_verbatim", given.length, reasons.length),
  ];
}

function isType({ label, altLabels }: LabelledTurn, type: string): boolean {
  return [label, ...altLabels].some((name) => TYPES[name] === type);
}

function rate(name: string, right: number, n: number): Figure {
  return n === 0
    ? { name, value: null, unit: "share", n }
    : { name, value: right / n, unit: "share", n, ci95: exactInterval(right, n) };
}
