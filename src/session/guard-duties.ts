import type { SessionRecord } from "../here/records/session-state.ts";
import type { HeardEvent } from "./normalise-event.ts";
import {
  callOf,
  dutiesOf,
  dutyKey,
  type GuardInForce,
  guardsInForce,
  reasonOf,
  receiptDecision,
} from "./guard-tool-use.ts";
import { type EventOutcome, NOTHING, type Situation, outcomeWith } from "./situation.ts";
import type { FiredGuard } from "../guard/evaluate-guards.ts";
import { handleOf } from "../memory/handle.ts";
import { memoryKey } from "../memory/memory.ts";

/** What a call did about duties, for the session's log. `isOk` undefined: nobody says whether it succeeded. */
export async function dutyRecords(
  situation: Situation,
  { tool, input }: { tool: string; input: Record<string, unknown> },
  isOk: boolean | undefined,
): Promise<SessionRecord[]> {
  const { stepsOf, decisionEnd } = await import("../guard/evaluate-guards.ts");
  const call = callOf(situation, { tool, input, untilMs: decisionEnd() });
  // What runs on says nothing yet.
  const isEnded = input["run_in_background"] === true ? undefined : isOk;
  const time = situation.place.now().toISOString();
  return (guardsInForce(situation)?.all ?? []).flatMap((rule): SessionRecord[] => {
    const steps = rule.guard.duty ? stepsOf(call, rule.guard.duty, isEnded) : [];
    return steps.length === 0
      ? []
      : [{ kind: "duty", time, rule: memoryKey(rule.metadata), index: rule.index, steps }];
  });
}

/** Sends the agent back once for all open duties of files changed in this turn; else tells the user. */
export async function endOfTurn(
  situation: Situation,
  { session, canSendBack, isContinued }: HeardEvent & { kind: "stop" },
): Promise<EventOutcome> {
  const rules = guardsInForce(situation)?.atTurnEnd ?? [];
  const { isMet, whyUnmet } = await import("../guard/evaluate-guards.ts");
  const duties = await dutiesOf(situation, rules);
  const fired = rules.flatMap((rule): FiredGuard<GuardInForce>[] => {
    const { duty, action } = rule.guard;
    const state = duties.get(rule.guard);
    const isOfTurn = situation.session.duties.get(dutyKey(rule))?.isThisTurn === true;
    if (!duty || !state || !isOfTurn || isMet(state) === "yes") return [];
    return [{ rule, action, text: "", route: [], because: whyUnmet(duty, state) }];
  });
  const stopping = fired.filter(({ rule: { guard } }) => {
    const state = duties.get(guard);
    return guard.action !== "warn" && (!state || isMet(state) === "no");
  });
  if (fired.length === 0) return NOTHING;
  // Without a log nobody knows that it was sent back before.
  const isBack = isContinued || situation.session.isSentBack;
  const isSent = canSendBack && session !== "" && !isBack && stopping.length > 0;
  const words = (isSent ? stopping : fired)
    .map(({ rule, because = "" }) => `${handleOf(rule.metadata)}: ${because}`)
    .join("; ");
  if (!isSent) {
    const although = isBack ? ", although the agent was sent back once" : "";
    return outcomeWith({
      answer: { notice: `heed: the turn ended${although}, and a rule is not kept: ${words}` },
    });
  }
  const time = situation.place.now().toISOString();
  const reasons = await Promise.all(stopping.slice(0, 3).map((one) => reasonOf(one, situation)));
  return outcomeWith({
    answer: { sendBack: reasons.join("\n\n"), notice: `heed: sent back once: ${words}` },
    records: [
      { kind: "sent-back", time },
      ...stopping.map(({ rule: { metadata }, because = "" }) => {
        const [rule, text] = [memoryKey(metadata), `the end of a turn: ${because}`];
        return { kind: "guarded" as const, time, rule, name: metadata.name, text };
      }),
    ],
    decisions: stopping.map((one) => receiptDecision(one, one.action, situation)),
  });
}
