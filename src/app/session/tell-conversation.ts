import { conversationLine } from "../conversations/find-conversations.ts";
import { logTrouble } from "../place/trouble-log.ts";
import type { EventOutcome, FactSituation } from "./situation.ts";

/** Adds the line about the past conversation that a prompt is plainly about, once in a session. */
export function withConversation(
  { place, session }: FactSituation,
  asked: { prompt: string; session: string; deadlineAtMs: number },
  outcome: EventOutcome,
): EventOutcome {
  try {
    const line = conversationLine(place, asked);
    const what = line?.sessions.map((id) => `conversation:${id}`) ?? [];
    if (!line || what.every((one) => session.noticed.has(one))) return outcome;
    const context = [outcome.answer.context ?? "", line.text].filter((text) => text !== "").join("\n\n");
    const time = place.now().toISOString();
    const records = what.map((one) => ({ kind: "noticed", time, what: one }) as const);
    return {
      ...outcome,
      answer: { ...outcome.answer, context },
      records: [...outcome.records, ...records],
    };
  } catch (error) {
    logTrouble("history", error, place.env);
    return outcome;
  }
}
