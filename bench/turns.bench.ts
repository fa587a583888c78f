import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { ExplicitWords } from "../src/capture/explicit/find-explicit.ts";
import { findExplicit } from "../src/capture/explicit/find-explicit.ts";
import { ownWords } from "../src/capture/transcript/user-words.ts";
import { isSaidIn } from "../src/curate/users-words.ts";
import { WRITE_GUIDE } from "../src/memory/write-guide.ts";
import type { LabelledTurn } from "./extraction-data.ts";
import { readLabelledTurns } from "./extraction-data.ts";
import type { Figure } from "./figure.ts";
import { exactInterval } from "./statistics.ts";

/** A memory that a model wrote of a turn, in the fields of the tool. */
interface Written {
  type: string;
  statement: string;
  quote?: string;
  reason?: string;
}

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
 * `--write-requests DIR`: one JSON a turn with the text that a model would get, `{id, system, tool, messages}`. `--answers
 * DIR`: for a turn `ID.json` with `{"memories": [{type, statement, quote, reason?}]}`; a turn without a file was not asked.
 * `--list`: prints what is kept.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string" },
      "write-requests": { type: "string" },
      answers: { type: "string" },
      list: { type: "boolean" },
    },
  });
  if (values.data === undefined) throw new Error("give --data DIR, a folder with turns.jsonl");
  const turns = readLabelledTurns(values.data).filter(({ isAmbiguous }) => !isAmbiguous);
  if (turns.length === 0) throw new Error(`no labelled turns in ${values.data}/turns.jsonl`);
  if (values["write-requests"] !== undefined) writeRequests(values["write-requests"], turns);
  const figures = explicitFigures(turns, values.list === true);
  return values.answers === undefined ? figures : [...figures, ...answerFigures(values.answers, turns)];
}

/**
 * The words by which people say that something is to hold: the turns of which a formula could tell at all. Wider than what
 * is read as one: "as far as I remember" and "it is always truthy" count here and are none.
 */
const SAYS_SO =
  /\b(?:rem+e?m*e?b(?:er|re|r)|memori[sz]e|from now on|going forward|in (?:the )?future|never|always|stop \w+ing|(?:do not|don['’]?t|dont) (?:ever|use|forget)|not\b.{0,20}\bany ?more|every time|whenever you|(?:before|after) (?:\w+ing )?(?:any|each|every)|when writing|i prefer|as a rule|a rule\b|keep .{2,60}\b(?:updated|up[- ]to[- ]date)|instead of|rather than)\b|\bno \w[^.!?]{2,30} only\b|,? no \w+[^.!?]{0,20}!/i;

function explicitFigures(turns: readonly LabelledTurn[], isListed: boolean): Figure[] {
  const kept = turns.flatMap((turn) => {
    const own = ownWords(turn.user);
    const words = findExplicit(own).flatMap((one) => (one.kind === "keep" ? [one] : []));
    return words.length === 0 ? [] : [{ turn, own, words }];
  });
  if (isListed)
    for (const { turn, words } of kept)
      for (const { type, statement } of words)
        console.log(`${turn.strength} ${turn.label} -> ${type}: ${statement}`);
  const worth = kept.filter(({ turn }) => turn.strength > 0);
  const saying = turns.filter(({ strength, user }) => strength > 0 && SAYS_SO.test(ownWords(user)));
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

function answerFigures(folder: string, turns: readonly LabelledTurn[]): Figure[] {
  const asked = turns.flatMap((turn) => {
    const file = join(folder, `${turn.id}.json`);
    return existsSync(file) ? [{ turn, written: readAnswer(file) }] : [];
  });
  const wrote = asked.filter(({ written }) => written.length > 0);
  const clear = asked.filter(({ turn }) => turn.strength === 2);
  const all = wrote.flatMap(({ turn, written }) => written.map((one) => ({ turn, one })));
  const quoted = all.filter(({ one }) => one.quote !== undefined);
  const worth = wrote.filter(({ turn }) => turn.strength > 0);
  return [
    rate("extract_precision", worth.length, wrote.length),
    rate("extract_recall", clear.filter(({ written }) => written.length > 0).length, clear.length),
    rate(
      "quote_verbatim",
      quoted.filter(({ turn, one }) => isSaidIn(ownWords(turn.user), one.quote ?? "")).length,
      quoted.length,
    ),
    rate(
      "right_type",
      worth.filter(({ turn, written }) => written.some(({ type }) => isType(turn, type))).length,
      worth.length,
    ),
    rate("reasons_given", all.filter(({ one }) => one.reason !== undefined).length, all.length),
  ];
}

function readAnswer(file: string): Written[] {
  const { memories } = JSON.parse(readFileSync(file, "utf8")) as { memories?: unknown };
  if (!Array.isArray(memories)) throw new Error(`${file}: give {"memories": [...]}, empty for none`);
  return memories as Written[];
}

/** What a model at work would have before it when the turn comes: the guide, the tool, the end of its own last message. */
function writeRequests(folder: string, turns: readonly LabelledTurn[]): void {
  mkdirSync(folder, { recursive: true });
  for (const { id, before, user } of turns) {
    const messages = [
      ...(before === "" ? [] : [{ role: "assistant", content: before }]),
      { role: "user", content: user },
    ];
    const tool = {
      name: "memory_write",
      fields: { type: Object.values(TYPES), statement: "text", quote: "text", reason: "text, optional" },
    };
    writeFileSync(
      join(folder, `${id}.json`),
      `${JSON.stringify({ id, system: WRITE_GUIDE, tool, messages }, null, 1)}\n`,
    );
  }
}

function isType({ label, altLabels }: LabelledTurn, type: string): boolean {
  return [label, ...altLabels].some((name) => TYPES[name] === type);
}

function rate(name: string, right: number, n: number): Figure {
  return n === 0
    ? { name, value: null, unit: "share", n }
    : { name, value: right / n, unit: "share", n, ci95: exactInterval(right, n) };
}
