import { describeCondition, describeGuard } from "../../guard/describe-guard.ts";
import type { GuardStep, GuardTrace } from "../../guard/evaluate-guards.ts";
import { parseGuards } from "../../guard/parse-guards.ts";
import { shownCommand } from "../../guard/shell/shell-command.ts";
import { suggestGuard } from "../../guard/suggest-guard.ts";
import type { Actor } from "../../memory/actor.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { handleOf } from "../../memory/handle.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import type { GuardInForce } from "../session/guards-here.ts";
import { guardedRules, guardsInForce } from "../session/guards-here.ts";
import { callOf, judgeToolUse } from "../session/guard-tool-use.ts";
import { protectRecords } from "../session/protect-records.ts";
import type { Situation } from "../session/situation.ts";
import { lookAround } from "../session/situation.ts";
import type {
  GuardList,
  GuardReport,
  GuardSuggestion,
  GuardTrial,
  TriedCall,
  TriedStep,
} from "../api/guard-reports.ts";
import { appendGuardEvents, readGuardUses, useKey } from "../records/guard-log.ts";
import { openedStore } from "../place/opened-stores.ts";
import { findReceipt } from "../records/receipt-log.ts";
import { readSession } from "../records/session-state.ts";
import { MemoryWriter } from "../writing/memory-writer.ts";
import type { Place } from "../place/place.ts";
import { findMemory } from "../place/find-memory.ts";
import { changeMade } from "../place/change-made.ts";
import type { Change } from "../api/history.ts";

/** A person asks, who can wait, in milliseconds. */
const DEADLINE_MS = 10_000;

/** Every guard of the stores that hold here: in force or not, how often it fired. */
export async function listGuards(place: Place): Promise<GuardList> {
  const situation = await situationOf(place);
  const uses = readGuardUses(place.places);
  const list: GuardList = { guards: [], problems: [] };
  for (const { card, reading, whyInert } of guardedRules(situation)) {
    const handle = handleOf(card);
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
        ...(uses.get(useKey(memoryKey(card), index)) ?? { fired: 0, wrong: 0 }),
      };
      list.guards.push(report);
    }
  }
  return list;
}

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
  const { answer } = await judgeToolUse(situation, { tool, input });
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

/** The guard that a rule's text states, where it states one. */
export async function suggestGuardFor(place: Place, handle: string): Promise<GuardSuggestion> {
  const { card, body } = await findMemory(place, handle);
  const policy = place.types.get(card.type);
  const guard =
    policy?.injection === "always" ? suggestGuard({ description: card.description, body }) : undefined;
  const [read] = parseGuards(guard).guards;
  return { handle: handleOf(card), ...(guard && read && { guard, summary: describeGuard(read.guard) }) };
}

/**
 * Puts a guard into a rule: the one given, or the one that its text states. Only a person may, since a guard stops
 * tools. Further guards of the rule stay.
 *
 * @throws HeedError `gate-refused` for anybody but a person, for what is no rule, and when the text states none.
 */
export async function addGuard(
  place: Place,
  handle: string,
  given: Record<string, unknown> | undefined,
  actor: Actor,
): Promise<Change> {
  if (actor.kind !== "person")
    throw refused(
      "a guard stops tools: only a person may add one",
      "the user runs heed guard add in a terminal",
    );
  const found = await findMemory(place, handle);
  const { card } = found;
  const policy = place.types.get(card.type);
  if (policy?.injection !== "always")
    throw refused(
      `${card.name} is a ${card.type} memory, and only rules carry guards`,
      "write the rule as feedback",
    );
  if (card.section !== undefined || found.store.isReadOnly)
    throw new HeedError("read-only", `${card.name} belongs to another tool: import it first`, {
      store: card.storeId,
    });
  const guard = given ?? (await suggestGuardFor(place, handle)).guard;
  if (!guard)
    throw refused(
      `the text of ${card.name} states no command, flag or path that a guard could stop`,
      `write the guard by hand: heed edit ${card.name} (docs/guards.md shows how)`,
    );
  const before =
    card.guard === undefined ? [] : Array.isArray(card.guard) ? (card.guard as unknown[]) : [card.guard];
  const all = [...before, guard];
  const [problem] = parseGuards(all).problems;
  if (problem) throw refused(problem.message, problem.remedy);
  const store = openedStore(place, found.store);
  const purpose = { kind: "guard", why: `guard ${card.name}: ${describeGuardOf(guard)}` } as const;
  const value = all.length === 1 ? guard : all;
  const { change } = await new MemoryWriter(place, actor).amend(found, { guard: value }, purpose);
  if (!change) throw refused(`${card.name} carries this guard already`, `heed guard list shows it`);
  return changeMade(store, change);
}

/** Notes that the guards of a receipt fired wrongly. Returns which. */
export function markWrong(
  place: Place,
  receiptId: string,
  actor: Actor,
): { handle: string; number: number }[] {
  if (actor.kind !== "person")
    throw refused(
      "whether a guard is wrong is the user's word",
      "the user runs heed guard wrong in a terminal",
    );
  const { receipt } = findReceipt(place.places, receiptId);
  const fired = receipt.decisions.flatMap(({ handle, guard }) => (guard ? [{ handle, guard }] : []));
  if (fired.length === 0)
    throw new HeedError(
      "invalid-input",
      `no guard fired in receipt ${receiptId}: heed receipts lists others`,
      {
        argument: "receipt",
        value: receiptId,
      },
    );
  const time = place.now().toISOString();
  appendGuardEvents(
    place.places,
    fired.map(({ guard: { rule, index } }) => ({ kind: "wrong", time, rule, index, receipt: receipt.id })),
  );
  return fired.map(({ handle, guard }) => ({ handle, number: guard.index + 1 }));
}

function situationOf(place: Place): Promise<Situation> {
  return lookAround(place, readSession(place.places, ""), "typed", DEADLINE_MS, {
    adoptsHandEdits: true,
  });
}

function stepOf({ rule, text, route, parts, verdict, exception }: GuardStep<GuardInForce>): TriedStep {
  const unless = exception === undefined ? undefined : rule.guard.unless[exception];
  return {
    handle: handleOf(rule.card),
    number: rule.index + 1,
    summary: describeGuard(rule.guard),
    text,
    route: [...route],
    parts,
    verdict: unless ? "excepted" : verdict === "yes" ? "fires" : verdict,
    ...(unless && { exception: describeCondition(unless) }),
  };
}

function describeGuardOf(guard: Record<string, unknown>): string {
  const [read] = parseGuards(guard).guards;
  return read ? describeGuard(read.guard) : "";
}

function refused(message: string, remedy: string): HeedError {
  return new HeedError("gate-refused", `${message}. ${remedy[0]?.toUpperCase()}${remedy.slice(1)}.`, {
    gate: "guard",
    remedy,
  });
}
