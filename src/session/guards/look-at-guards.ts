import { describeCondition, describeGuard } from "../../guard/parse-guards.ts";
import type { GuardStep } from "../../guard/evaluate-guards.ts";
import { toolNameOf } from "../../guard/tools.ts";
import { handleOf } from "../../memory/handle.ts";
import { type GuardInForce, guardToolUse, guardedRules, guardsInForce } from "../guard-tool-use.ts";
import { protectRecords } from "../protect-records.ts";
import type { Place } from "../../here/place.ts";
import { readerSituation } from "../situation.ts";
import { readSession, listSessions } from "../../here/records/session-state.ts";
import type { ToolDecision } from "../../here/records/session-events.ts";
import type { PastRequest } from "./replay-guard.ts";
import { usesSince } from "../../here/records/use-log.ts";
import { type MemoryMetadata, memoryKey } from "../../memory/memory.ts";

export interface GuardReport {
  /** The memory's handle, and the guard's place in it, from 1. */
  handle: string;
  number: number;
  /** In one line: `deny git commit with --no-verify`. */
  summary: string;
  action: "deny" | "ask" | "warn";
  isInForce: boolean;
  whyNot?: string;
}

export interface GuardList {
  guards: GuardReport[];
  problems: { handle: string; message: string; remedy: string }[];
}

export interface TriedCall {
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
  const { input } = call;
  const tool = toolNameOf(call.tool ?? "Bash");
  await place.meetRepository();
  const situation = await readerSituation(place, { mode: "typed" });
  const kept = protectRecords(situation, { tool, input }).decision;
  if (kept) return { ...kept, steps: [] };
  const steps: GuardStep<GuardInForce>[] = [];
  const { decision, context } = await guardToolUse(situation, { tool, input }, steps);
  const said =
    decision ?? (context ? { action: "warn" as const, reason: context } : { action: "allow" as const });
  return { ...said, steps: steps.map(stepOf) };
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
  await place.meetRepository();
  const situation = await readerSituation(place, { mode: "typed" });
  const rules = guardedRules(situation).map((rule) => ({ ...rule, handle: handleOf(rule.metadata) }));
  return {
    guards: rules.flatMap(({ handle, reading, whyInert }) =>
      reading.guards.map(({ guard, index }) => ({
        handle,
        number: index + 1,
        summary: describeGuard(guard),
        action: guard.action,
        isInForce: whyInert === undefined,
        ...(whyInert !== undefined && { whyNot: whyInert }),
      })),
    ),
    problems: rules.flatMap(({ handle, reading }) =>
      reading.problems.map(({ message, remedy }) => ({ handle, message, remedy })),
    ),
  };
}

/** `injected` into its context; a call `stopped`, or `excepted` as the user allowed; `cited` in an answer. */
export type RuleOutcome = "injected" | "stopped" | "excepted" | "cited";

export interface RuleCount {
  sessions: number;
  times: number;
}

/** A rule that holds here, and what became of it. Only what is certain is counted. */
export interface RuleRecord extends Record<RuleOutcome, RuleCount> {
  handle: string;
  name: string;
  statement: string;
  isGuarded: boolean;
}

export interface RuleRecords {
  days: number;
  since: string;
  rules: RuleRecord[];
}

const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;
const OUTCOMES: readonly RuleOutcome[] = ["stopped", "excepted", "cited", "injected"];

/** What became of each rule that holds here, from heed's own logs: nothing is noted for it while a session runs. */
export async function readRuleRecords(
  place: Place,
  options: Pick<PastRequest, "days"> = {},
): Promise<RuleRecords> {
  const { days = DEFAULT_DAYS } = options;
  const situation = await readerSituation(place, { mode: "typed" });
  const rules = situation.memoriesInForce((injection) => injection === "always");
  const since = new Date(place.now().getTime() - days * DAY_MS).toISOString();
  const found = new Map<string, string[]>();
  const note = (outcome: RuleOutcome, rule: string, session: string, time: string): void => {
    const key = `${outcome} ${rule}`;
    if (time >= since) found.set(key, [...(found.get(key) ?? []), session]);
  };
  for (const { name: session } of listSessions(place.places)) {
    const { context, guarded, startedAt } = readSession(place.places, session);
    for (const { key, form } of context.injected.values())
      if (form === "rule") note("injected", key, session, startedAt);
    for (const { rule, time, allowedBy } of guarded)
      note(allowedBy === undefined ? "stopped" : "excepted", rule, session, time);
  }
  for (const { key, session, time, what } of usesSince(place.places, since))
    if (what === "cited") note("cited", key, session, time);
  const guardedKeys = new Set(guardsInForce(situation).map(({ metadata }) => memoryKey(metadata)));
  const recordOf = (metadata: MemoryMetadata): RuleRecord => {
    const key = memoryKey(metadata);
    const counts = OUTCOMES.map((outcome) => {
      const sessions = found.get(`${outcome} ${key}`) ?? [];
      return [outcome, { sessions: new Set(sessions).size, times: sessions.length }];
    });
    const { name, statement } = metadata;
    return {
      handle: handleOf(metadata),
      name,
      statement,
      isGuarded: guardedKeys.has(key),
      ...(Object.fromEntries(counts) as Record<RuleOutcome, RuleCount>),
    };
  };
  return { days, since, rules: rules.map(recordOf).sort(inOrder) };
}

function inOrder(a: RuleRecord, b: RuleRecord): number {
  const outcome = OUTCOMES.find((one) => a[one].times !== b[one].times);
  return outcome ? b[outcome].times - a[outcome].times : a.name.localeCompare(b.name, "en");
}
