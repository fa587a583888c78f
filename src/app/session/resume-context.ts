import type { EventOutcome } from "../records/event-outcome.ts";
import { changesSince } from "./changes-since.ts";
import type { Situation } from "./situation.ts";

/** A session that goes on in a context which already holds rules and map: only what changed since is told. */
export async function resumeContext(situation: Situation): Promise<EventOutcome> {
  const { text, memories, decisions, records } = await changesSince(situation, undefined);
  const { isCut } = situation.collection;
  if (text === "") return { answer: {}, records, decisions: [], isCut };
  const time = situation.place.now().toISOString();
  return {
    answer: { context: text },
    records: [{ kind: "told", time, isBlock: true, chars: text.length, memories }, ...records],
    decisions,
    isCut,
  };
}
