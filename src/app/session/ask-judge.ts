import { logTrouble } from "../place/trouble-log.ts";
import { readSession } from "../records/session-state.ts";
import type { EventOutcome } from "../records/event-outcome.ts";
import { shortlistOf, withChoice } from "./judged-facts.ts";
import type { RecalledFacts } from "./recall-facts.ts";
import { withoutSuperseded } from "./superseded.ts";
import type { FactSituation } from "./situation.ts";
import { lookAround } from "./situation.ts";

/** The prompt that is put to the judge. */
export interface JudgedPrompt {
  session: string;
  text: string;
  /** By `performance.now()`. */
  deadlineAtMs: number;
}

/** Nobody waits for a late choice; opening the stores takes a few milliseconds. */
const LATE_OPENING_MS = 2000;

/**
 * What recall found, as the judge sees it when it answers while the prompt waits. What it chooses later is told by
 * `tell`, as the session is then, and kept for the next tool use: it runs beside the turn.
 */
export async function askJudge(
  situation: FactSituation,
  { session, text, deadlineAtMs }: JudgedPrompt,
  recalled: RecalledFacts,
  tell: (situation: FactSituation, recalled: RecalledFacts) => Promise<EventOutcome>,
): Promise<RecalledFacts> {
  const { place, mode } = situation;
  const { judge } = place.workspace.optional;
  const shortlist = shortlistOf(recalled.candidates, situation);
  if (judge === undefined || shortlist.length === 0) return recalled;
  const keepLater = async (by: string, handles: ReadonlySet<string>): Promise<void> => {
    const now = await lookAround(place, readSession(place.places, session), mode, LATE_OPENING_MS);
    const candidates = withChoice(recalled.candidates, shortlist, { by, handles }).slice(0, handles.size);
    const outcome = await tell(now, {
      ...recalled,
      refused: [],
      candidates: withoutSuperseded(candidates, now),
    });
    if (outcome.answer.context !== undefined) judge.keep(session, outcome);
  };
  const choice = await judge.choose({ session, prompt: text, shortlist, deadlineAtMs }, ({ by, handles }) => {
    keepLater(by, handles).catch((error: unknown) => logTrouble("judge", error, place.env));
  });
  if (choice === undefined) return recalled;
  const candidates = withChoice(recalled.candidates, shortlist, choice);
  return { ...recalled, candidates: withoutSuperseded(candidates, situation) };
}
