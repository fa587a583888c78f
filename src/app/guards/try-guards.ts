import { describeCondition, describeGuard } from "../../guard/describe-guard.ts";
import type { GuardStep, GuardTrace } from "../../guard/evaluate-guards.ts";
import { shownCommand } from "../../guard/shell/shell-command.ts";
import { handleOf } from "../../memory/handle.ts";
import type { GuardInForce } from "../session/guards-here.ts";
import { guardedRules, guardsInForce } from "../session/guards-here.ts";
import { callOf, guardToolUse } from "../session/guard-tool-use.ts";
import { protectRecords } from "../session/protect-records.ts";
import type { GuardTrial, TriedCall, TriedStep } from "../api/guard-reports.ts";
import type { Place } from "../place/place.ts";
import { situationOf } from "./list-guards.ts";

/** What would come of a tool use here, step by step, without leaving a trace. */
export async function tryGuards(place: Place, { tool = "Bash", input }: TriedCall): Promise<GuardTrial> {
  const situation = await situationOf(place);
  const guards = guardsInForce(situation);
  const kept = (await protectRecords(situation, { tool, input })).answer.decision;
  const trial: GuardTrial = {
    action: "allow",
    commands: [],
    blindSpots: [],
    notAsked: 0,
    steps: [],
    unevaluated: [],
    ...(kept && { action: kept.action, reason: kept.reason }),
  };
  if (!guards || kept) return trial;
  const { evaluateGuards } = await import("../../guard/evaluate-guards.ts");
  const trace: GuardTrace<GuardInForce> = { steps: [] };
  const decision = evaluateGuards(callOf(situation, { tool, input }), guards, trace);
  const { answer } = await guardToolUse(situation, { tool, input });
  const reason = answer.decision?.reason ?? answer.context;
  const all = guardedRules(situation).filter((rule) => rule.whyInert === undefined);
  const asked = new Set(trace.steps.map(({ rule }) => rule));
  return {
    action: decision.action,
    ...(reason !== undefined && { reason }),
    commands: (trace.reading?.commands ?? []).map((command) => ({
      text: shownCommand(command),
      route: [...command.route],
    })),
    blindSpots: [...(trace.reading?.blindSpots ?? [])],
    notAsked: all.reduce((sum, { reading }) => sum + reading.guards.length, 0) - asked.size,
    steps: trace.steps.map(stepOf),
    unevaluated: decision.unevaluated.map(({ rule, reason: why }) =>
      rule ? `${handleOf(rule.card)}: ${why}` : why,
    ),
  };
}

function stepOf({ rule, text, route, parts, answer, exception }: GuardStep<GuardInForce>): TriedStep {
  const unless = exception === undefined ? undefined : rule.guard.unless[exception];
  return {
    handle: handleOf(rule.card),
    number: rule.index + 1,
    summary: describeGuard(rule.guard),
    text,
    route: [...route],
    parts: parts.map(({ part, answer: verdict }) => ({ part, verdict })),
    verdict: unless ? "excepted" : answer === "yes" ? "fires" : answer,
    ...(unless && { exception: describeCondition(unless) }),
  };
}
