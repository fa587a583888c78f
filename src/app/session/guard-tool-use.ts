import { existsSync } from "node:fs";
import type { FiredGuard } from "../../guard/evaluate-guards.ts";
import type { GuardCall } from "../../guard/guard-call.ts";
import { guardReason } from "../../guard/guard-reason.ts";
import { defuseLine } from "../../inject/fence.ts";
import { handleOf } from "../../memory/handle.ts";
import { readSections } from "../../memory/codec/sections.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import { realPathOf } from "../../platform/real-path.ts";
import type { Decision } from "../api/session-events.ts";
import type { EventOutcome } from "../records/event-outcome.ts";
import { NOTHING } from "../records/event-outcome.ts";
import type { GuardInForce } from "./guards-here.ts";
import { guardsInForce } from "./guards-here.ts";
import type { Situation } from "./situation.ts";
import { decisionOn } from "./situation.ts";
import { readForTelling } from "./read-for-telling.ts";

/** Under this mark a session remembers that its user was told of what cannot be decided. */
const NOTICED = "guard-unevaluated";
/** So many guards that fire at once are told. */
const MAX_TOLD = 3;

/** What the guards in force say to a tool use. */
export async function guardToolUse(
  situation: Situation,
  use: { tool: string; input: Readonly<Record<string, unknown>> },
): Promise<EventOutcome> {
  const guards = guardsInForce(situation);
  if (!guards) return NOTHING;
  const { evaluateGuards } = await import("../../guard/evaluate-guards.ts");
  const { fired, action, unevaluated } = evaluateGuards(callOf(situation, use), guards);
  const outcome: EventOutcome = { ...NOTHING, answer: {}, records: [], decisions: [], guardEvents: [] };
  const [first] = unevaluated;
  if (first) {
    const subject = first.rule ? `the guard of ${handleOf(first.rule.card)}` : "guards";
    outcome.trouble = `${subject} could not be evaluated, the call is allowed: ${first.reason}`;
    if (!situation.session.noticed.has(NOTICED)) {
      outcome.answer.notice = `heed: ${outcome.trouble} (told once a session; the others are in heed.log)`;
      outcome.records = [{ kind: "noticed", time: situation.place.now().toISOString(), what: NOTICED }];
    }
  }
  if (action === "allow") return outcome;
  const told = fired.filter((guard) => guard.action === action).slice(0, MAX_TOLD);
  const reason = (await Promise.all(told.map((guard) => reasonOf(guard, situation)))).join("\n\n");
  if (action === "warn") outcome.answer.context = reason;
  else outcome.answer.decision = { action, reason };
  outcome.decisions = fired.map((guard) => receiptDecision(guard, situation));
  outcome.guardEvents = fired.map(({ rule, action: done }) => ({
    rule: memoryKey(rule.card),
    index: rule.index,
    action: done,
  }));
  return outcome;
}

/** The call as guards see it: its directories by the name that the client uses and by their real one. */
export function callOf(
  { place, root }: Pick<Situation, "place" | "root">,
  { tool, input }: { tool: string; input: Readonly<Record<string, unknown>> },
): GuardCall {
  const cwd = slashed(place.cwd);
  // A client may name files through a link by which the folder was entered, or by their real path.
  const roots = [...new Set([slashed(root), slashed(realPathOf(root))])];
  const home = place.env["HOME"] ?? place.env["USERPROFILE"];
  return {
    tool,
    input,
    branch: place.repository?.branch,
    exists: (path) => existsSync(path),
    cwd,
    roots,
    home: home === undefined ? undefined : slashed(home),
  };
}

async function reasonOf(
  fired: FiredGuard<GuardInForce>,
  { collection }: Pick<Situation, "collection">,
): Promise<string> {
  const { card } = fired.rule;
  const body = (await readForTelling(collection, card))?.body ?? "";
  return guardReason(fired, {
    handle: handleOf(card),
    statement: defuseLine(card.description),
    why: defuseLine(readSections(body).sections.why ?? ""),
  });
}

function receiptDecision(
  { rule, action, text, route }: FiredGuard<GuardInForce>,
  { collection }: Situation,
): Decision {
  const where = route.length > 0 ? ` inside ${route.join(" > ")}` : "";
  return decisionOn(rule.card, collection, {
    form: "guard",
    reason: `guard ${rule.index + 1}: ${action} on ${defuseLine(text).slice(0, 120)}${where}`,
    chars: 0,
    guard: { rule: memoryKey(rule.card), index: rule.index, action },
  });
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
