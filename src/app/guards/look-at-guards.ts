import { describeCondition, describeGuard } from "../../guard/parse-guards.ts";
import type { GuardStep, GuardTrace } from "../../guard/evaluate-guards.ts";
import { shownCommand } from "../../guard/shell/shell-command.ts";
import { handleOf } from "../../memory/handle.ts";
import type { GuardInForce } from "../session/guard-tool-use.ts";
import {
  callOf,
  guardToolUse,
  guardedRules,
  guardsInForce,
  protectRecords,
} from "../session/guard-tool-use.ts";
import type { GuardTrial, TriedCall, TriedStep, GuardList, GuardReport } from "../api/guard-reports.ts";
import type { Place } from "../place/place.ts";
import { memoryKey } from "../../memory/memory.ts";
import { readGuardUses, useKey } from "../records/receipt-log.ts";
import { type Situation, lookAround } from "../session/situation.ts";
import { readSession } from "../records/session-state.ts";

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
      rule ? `${handleOf(rule.metadata)}: ${why}` : why,
    ),
  };
}

function stepOf({ rule, text, route, parts, answer, exception }: GuardStep<GuardInForce>): TriedStep {
  const unless = exception === undefined ? undefined : rule.guard.unless[exception];
  return {
    handle: handleOf(rule.metadata),
    number: rule.index + 1,
    summary: describeGuard(rule.guard),
    text,
    route: [...route],
    parts: parts.map(({ part, answer: verdict }) => ({ part, verdict })),
    verdict: unless ? "excepted" : answer === "yes" ? "fires" : answer,
    ...(unless && { exception: describeCondition(unless) }),
  };
}

/** Every guard of the stores that hold here: in force or not, how often it fired. */
export async function listGuards(place: Place): Promise<GuardList> {
  const situation = await situationOf(place);
  const uses = readGuardUses(place.places);
  const list: GuardList = { guards: [], problems: [] };
  for (const { metadata, reading, whyInert } of guardedRules(situation)) {
    const handle = handleOf(metadata);
    for (const { message, remedy } of reading.problems) list.problems.push({ handle, message, remedy });
    for (const { guard, index } of reading.guards) {
      const report: GuardReport = {
        handle,
        number: index + 1,
        summary: describeGuard(guard),
        tools: [...guard.tools],
        action: guard.action,
        isInForce: whyInert === undefined,
        ...(whyInert !== undefined && { whyNot: whyInert }),
        ...(uses.get(useKey(memoryKey(metadata), index)) ?? { fired: 0, wrong: 0 }),
      };
      list.guards.push(report);
    }
  }
  return list;
}

/** A person asks, who can wait. */
const DEADLINE_MS = 10_000;

/** The situation of a person who asks, outside of any session. */
export function situationOf(place: Place): Promise<Situation> {
  return lookAround(place, readSession(place.places, ""), "typed", DEADLINE_MS);
}
