import { describeCondition, describeGuard } from "../../guard/parse-guards.ts";
import type { GuardStep } from "../../guard/evaluate-guards.ts";
import { handleOf } from "../../memory/handle.ts";
import { type GuardInForce, callOf, guardToolUse, guardedRules, guardsInForce } from "../guard-tool-use.ts";
import { protectRecords } from "../protect-records.ts";
import type { Place } from "../../here/place.ts";
import { type Situation, openSituation } from "../situation.ts";
import { readSession } from "../../here/records/session-state.ts";
import type { ToolDecision } from "../../here/api/session-events.ts";

/** A guard that some memory carries. */
export interface GuardReport {
  /** The memory's handle, and the guard's place in it, from 1. */
  handle: string;
  number: number;
  /** In one line: `deny git commit with --no-verify`. */
  summary: string;
  action: "deny" | "ask" | "warn";
  isInForce: boolean;
  /** Why it does nothing here. */
  whyNot?: string;
}

/** The guards of the stores that hold here. */
export interface GuardList {
  guards: GuardReport[];
  /** Guards that cannot be read, which do nothing. */
  problems: { handle: string; message: string; remedy: string }[];
}

/** A tool use to try. */
export interface TriedCall {
  /** Default `Bash`. */
  tool?: string;
  input: Record<string, unknown>;
}

/** One guard asked of one command or call. */
export interface TriedStep {
  handle: string;
  number: number;
  summary: string;
  /** The command, pipeline or input that it was asked about. */
  text: string;
  /** What the guard says of it; the word of the glossary is about freshness, the key is kept. */
  verdict: "fires" | "no" | "excepted";
  /** The part of its condition that does not hold, or its exception that does, in words. */
  by?: string;
}

/** What would come of a tool use, and why. */
export interface GuardTrial {
  action: "allow" | "deny" | "ask" | "warn";
  /** What the model would be told. */
  reason?: ToolDecision["reason"];
  /** The guards that are about such a tool and program, as they were asked. */
  steps: TriedStep[];
}

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
