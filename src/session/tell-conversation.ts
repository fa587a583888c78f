import { conversationLine } from "../past/conversations/find-conversations.ts";
import type { Decision } from "../here/api/session-events.ts";
import { logTrouble } from "../here/trouble-log.ts";
import { type EventOutcome, type FactSituation, joinOutcomes, outcomeWith } from "./situation.ts";

/** Adds the line about the past conversation that a prompt is plainly about, once in a session. */
export function withConversation(
  { place, session }: FactSituation,
  asked: { prompt: string; session: string; deadlineAtMs: number },
  outcome: EventOutcome,
): EventOutcome {
  try {
    const { text, sessions, decisions } = conversationLine(place, asked);
    const what = sessions.map((id) => `conversation:${id}`);
    const isInjected = what.every((one) => session.noticed.has(one));
    const again = { form: "none", reason: "injected in this session already", chars: 0 } as const;
    const considered = [
      ...outcome.decisions,
      ...decisions.map((one): Decision => (isInjected && one.form !== "none" ? { ...one, ...again } : one)),
    ];
    if (isInjected) return { ...outcome, decisions: considered };
    const time = place.now().toISOString();
    const records = what.map((one) => ({ kind: "noticed", time, what: one }) as const);
    const told = joinOutcomes(outcome, outcomeWith({ answer: { context: text }, records }));
    return { ...told, decisions: considered };
  } catch (error) {
    logTrouble("history", error, place.env);
    return outcome;
  }
}
