import { describeCondition, describeGuard } from "../../guard/parse-guards.ts";
import type { GuardStep } from "../../guard/evaluate-guards.ts";
import { handleOf } from "../../memory/handle.ts";
import type { GuardInForce } from "../guard-tool-use.ts";
import { callOf, guardToolUse, guardedRules, guardsInForce } from "../guard-tool-use.ts";
import { protectRecords } from "../protect-records.ts";
import type { GuardTrial, TriedCall, TriedStep, GuardList } from "../../here/api/guard-reports.ts";
import type { Place } from "../../here/place.ts";
import { type Situation, openSituation } from "../situation.ts";
import { readSession } from "../../here/records/session-state.ts";

/** What would come of a tool use here, guard by guard, without leaving a trace. */
export async function tryGuards(place: Place, call: TriedCall): Promise<GuardTrial> {
  const { tool = "Bash", input } = call;
  const situation = await situationOf(place);
  const guards = guardsInForce(situation);
  const kept = protectRecords(situation, { tool, input }).answer.decision;
  if (!guards || kept) return { action: "allow", ...kept, steps: [] };
  const { evaluateGuards } = await import("../../guard/evaluate-guards.ts");
  const steps: GuardStep<GuardInForce>[] = [];
  const { action } = evaluateGuards(callOf(situation, { tool, input }), guards, steps);
  const { answer } = await guardToolUse(situation, { tool, input });
  const reason = answer.decision?.reason || answer.context || undefined;
  return {
    action,
    ...(reason !== undefined && { reason }),
    steps: steps.map(stepOf),
  };
}

function stepOf({ rule, text, answer, by }: GuardStep<GuardInForce>): TriedStep {
  return {
    handle: handleOf(rule.metadata),
    number: rule.index + 1,
    summary: describeGuard(rule.guard),
    text,
    verdict: answer === "yes" ? "fires" : answer,
    ...(by !== undefined && { by: typeof by === "string" ? by : describeCondition(by) }),
  };
}

/** Every guard of the stores that hold here: in force or not, and why. */
export async function listGuards(place: Place): Promise<GuardList> {
  const situation = await situationOf(place);
  const list: GuardList = { guards: [], problems: [] };
  for (const { metadata, reading, whyInert } of guardedRules(situation)) {
    const handle = handleOf(metadata);
    for (const { message, remedy } of reading.problems) list.problems.push({ handle, message, remedy });
    for (const { guard, index } of reading.guards) {
      list.guards.push({
        handle,
        number: index + 1,
        summary: describeGuard(guard),
        action: guard.action,
        isInForce: whyInert === undefined,
        ...(whyInert !== undefined && { whyNot: whyInert }),
      });
    }
  }
  return list;
}

/** A person asks, who can wait. */
const DEADLINE_MS = 10_000;

/** The situation of a person who asks, outside of any session. */
export function situationOf(place: Place): Promise<Situation> {
  return openSituation(place, readSession(place.places, ""), { mode: "typed", deadlineMs: DEADLINE_MS });
}
