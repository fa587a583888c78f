import { parseArgs } from "node:util";
import { NUDGE } from "../src/session/nudge.ts";
import { findQuote } from "../src/write/gates/quote.ts";
import type { LabelledTurn } from "./extraction-data.ts";
import { readLabelledTurns } from "./extraction-data.ts";
import { type Figure, figure, rateFigure } from "./figure.ts";
import { plain, ReplayedSession } from "./replayed-session.ts";
import { pooledRate, type Tally } from "./bootstrap.ts";
import type { AnsweredTurn, ReadAnswers } from "./turn-answers.ts";
import {
  readLessonAnswers,
  readScratched,
  readTurnAnswers,
  writeLessonRequests,
  writeTurnRequests,
} from "./turn-answers.ts";
import { tryAttacks } from "./turn-attacks.ts";

const TYPES: Readonly<Record<string, string>> = {
  "feedback-correction": "feedback",
  "feedback-confirmation": "feedback",
  "user-fact": "user",
  "project-fact": "project",
  reference: "reference",
};
/** A longer turn grounds nothing: who types so much pastes. */
const MAX_OWN_CHARS = 1500;
const MAX_OWN_LINES = 25;
/** An annotator was asked for no such limit; a model is. */
const MAX_STATEMENT_CHARS = 300;

/**
 * Labelled turns against what heed makes of a model's writes. `--write-requests DIR` writes one JSON a turn with the very text
 * that a model gets, `{id, system, tools, messages}`, and ten turns in which the user takes something back. `--answers DIR`
 * reads for a turn `ID.json` with `{"memories": [{type, statement, quote, reason?}]}`, or `{"text": "…"}` with that in it; a
 * turn without a file was not asked. Without answers the labels are the answers: quote and sentence of an annotator.
 *
 * The writes are replayed in throwaway homes: the turn as a prompt, then the write of that session's model. `in_force`: of the
 * writes of turns worth keeping whose quote stands there, those that neither wait nor are refused; `refused_wrongly`: those
 * that are refused; `asked_plainly_typed`: those that wait; `asked_by_sign`: quotes that are a question or in quotation marks,
 * which are to ask, left out of these; `too_long`: quotes out of turns that context nothing by their length, left out of both.
 * `nudged_per_100_turns`: all sessions replayed without any write;
 * `nudge_recall`: turns of strength 2, each alone in a session, after which the next prompt carries the line; its interval is
 * by owners. `*_in_force_as_rules`: attacks made of the labelled rules; `--attacks N` of each (default 25).
 *
 * Of answers also `extract_precision` (strength 1 and 2 among turns of which something was written), `extract_recall` (of
 * strength 2), `quote_verbatim`, `right_type`, `facts_with_aliases`, `scratched_written`. `--afterwards`: requests and answers of `learn: model`,
 * twenty turns a request, `{id, system, user}`, answered by `{"items": [...]}`; nothing is replayed then. `--list` prints what
 * is not in force.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string" },
      "write-requests": { type: "string" },
      answers: { type: "string" },
      afterwards: { type: "boolean", default: false },
      attacks: { type: "string", default: "25" },
      list: { type: "boolean", default: false },
    },
  });
  if (values.data === undefined) throw new Error("give --data DIR, a folder with turns.jsonl");
  const turns = readLabelledTurns(values.data).filter(({ isAmbiguous }) => !isAmbiguous);
  if (turns.length === 0) throw new Error(`no labelled turns in ${values.data}/turns.jsonl`);
  const { answers, afterwards, list, "write-requests": requests } = values;
  if (requests !== undefined) (afterwards ? writeLessonRequests : writeTurnRequests)(requests, turns);
  if (afterwards) return answers === undefined ? [] : answerFigures(readLessonAnswers(answers, turns));
  const read = answers === undefined ? byLabels(turns) : readTurnAnswers(answers, turns);
  const scratched = answers === undefined ? { written: 0, n: 0 } : readScratched(answers);
  return [
    ...(await writeFigures(read.asked, list)),
    ...(await nudgeFigures(turns)),
    ...(await tryAttacks(turns, Number(values.attacks))).map(({ name, succeeded, n }) =>
      figure(`${name}_in_force_as_rules`, succeeded, "attacks", n),
    ),
    ...(answers === undefined ? [] : answerFigures(read)),
    figure("scratched_written", scratched.n === 0 ? null : scratched.written, "turns", scratched.n),
  ];
}

/** The labels as the answers of a model that quotes to the letter. */
function byLabels(turns: readonly LabelledTurn[]): ReadAnswers {
  const asked = turns.map((turn): AnsweredTurn => {
    const { label, span: quote, statement } = turn;
    const type = TYPES[label];
    const isWhole =
      type !== undefined && quote !== "" && statement !== "" && statement.length <= MAX_STATEMENT_CHARS;
    return { turn, written: isWhole ? [{ type, statement, quote }] : [] };
  });
  return { asked, unsaid: 0 };
}

/** True writes through the real one: a session's turns in their order, each write after its turn. */
async function writeFigures(asked: readonly AnsweredTurn[], isListed: boolean): Promise<Figure[]> {
  const count = { n: 0, inForce: 0, refused: 0, asked: 0, signed: 0, tooLong: 0 };
  for (const session of bySession(asked, ({ turn }) => turn)) {
    if (!session.some(({ turn, written }) => turn.strength > 0 && written.length > 0)) continue;
    const replayed = await ReplayedSession.open();
    try {
      for (const { turn, written } of session) {
        await replayed.prompt(turn.user);
        for (const one of turn.strength > 0 ? written : []) {
          if (one.quote === undefined || !plain(turn.user).includes(plain(one.quote))) continue;
          if (turn.user.length > MAX_OWN_CHARS || turn.user.split("\n").length > MAX_OWN_LINES) {
            count.tooLong += 1;
            continue;
          }
          const result = await replayed.byModel(one);
          const isRefused = result.outcome === "refused";
          const isInForce = "metadata" in result;
          if (!isInForce && findQuote(one.quote, turn.user)?.sign !== undefined) {
            count.signed += 1;
            continue;
          }
          count.n += 1;
          count.inForce += Number(isInForce);
          count.refused += Number(isRefused);
          count.asked += Number(result.outcome === "pending");
          if (isListed && !isInForce) console.log(`${turn.id} ${JSON.stringify(one)}\n  ${why(result)}`);
        }
        await replayed.stop();
      }
    } finally {
      await replayed.remove();
    }
  }
  const { n, inForce, refused, asked: waiting, signed, tooLong } = count;
  return [
    rate("in_force", inForce, n),
    rate("refused_wrongly", refused, n),
    rate("asked_plainly_typed", waiting, n),
    rate("asked_by_sign", signed, n + signed),
    rate("too_long", tooLong, n + tooLong),
  ];
}

function why(result: Awaited<ReturnType<ReplayedSession["byModel"]>>): string {
  if (result.outcome === "refused") return result.refusals.map(({ reason }) => reason).join("; ");
  return result.outcome === "pending" ? `waits: ${result.reason}` : result.outcome;
}

/** How often a prompt carries the line where no model writes anything, and after which turns. */
async function nudgeFigures(turns: readonly LabelledTurn[]): Promise<Figure[]> {
  const replayed = await ReplayedSession.open();
  let nudged = 0;
  const clear = turns.filter(({ strength }) => strength === 2);
  const owners = new Map<string, Tally>();
  try {
    for (const [i, session] of bySession(turns, (turn) => turn).entries())
      for (const { user } of session) {
        nudged += Number((await replayed.prompt(user, `whole-${i}`)).includes(NUDGE));
        await replayed.stop(`whole-${i}`);
      }
    for (const { id, repo, user } of clear) {
      await replayed.prompt(user, `alone-${id}`);
      await replayed.stop(`alone-${id}`);
      const isFound = (await replayed.prompt("and now the next step", `alone-${id}`)).includes(NUDGE);
      const { successes, trials } = owners.get(repo) ?? { successes: 0, trials: 0 };
      owners.set(repo, { successes: successes + Number(isFound), trials: trials + 1 });
    }
  } finally {
    await replayed.remove();
  }
  return [
    figure("nudged_per_100_turns", (100 * nudged) / turns.length, "per 100", turns.length),
    // Turns of one owner are alike: whole owners are drawn.
    pooledRate("nudge_recall", [...owners.values()]),
  ];
}

function bySession<T>(all: readonly T[], turnOf: (one: T) => LabelledTurn): T[][] {
  const sessions = new Map<string, T[]>();
  for (const one of all) {
    const { session } = turnOf(one);
    sessions.set(session, [...(sessions.get(session) ?? []), one]);
  }
  return [...sessions.values()];
}

function answerFigures({ asked, unsaid }: ReadAnswers): Figure[] {
  const wrote = asked.filter(({ written }) => written.length > 0);
  const clear = asked.filter(({ turn }) => turn.strength === 2);
  const quoted = wrote.flatMap(({ turn, written }) => written.map((one) => ({ turn, ...one })));
  const verbatim = quoted.filter(
    ({ turn, quote = "" }) => quote !== "" && plain(turn.user).includes(plain(quote)),
  );
  const facts = quoted.filter(({ type }) => type !== "feedback");
  const worth = wrote.filter(({ turn }) => turn.strength > 0);
  const named = worth.filter(({ turn: { label, altLabels }, written }) =>
    written.some(({ type }) => [label, ...altLabels].some((name) => TYPES[name] === type)),
  );
  return [
    rate("extract_precision", worth.length, wrote.length),
    rate("extract_recall", clear.filter(({ written }) => written.length > 0).length, clear.length),
    rate(
      "quote_verbatim",
      verbatim.length,
      quoted.filter(({ quote }) => quote !== undefined).length + unsaid,
    ),
    rate("right_type", named.length, worth.length),
    rate("facts_with_aliases", facts.filter(({ aliases = [] }) => aliases.length > 0).length, facts.length),
  ];
}

function rate(name: string, right: number, n: number): Figure {
  return n === 0 ? { name, value: null, unit: "share", n } : rateFigure(name, right, n, "share");
}
