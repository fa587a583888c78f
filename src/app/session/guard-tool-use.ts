import type { FiredGuard } from "../../guard/evaluate-guards.ts";
import type { GuardCall, ToolUse } from "../../guard/guard-call.ts";
import { guardReason } from "../../guard/guard-reason.ts";
import { defuseLine } from "../../inject/fence.ts";
import { homeOf } from "../../platform/places.ts";
import { handleOf } from "../../memory/handle.ts";
import { readSections } from "../../memory/codec/sections.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import { realPathOf } from "../../platform/real-path.ts";
import { fileLooks } from "./file-looks.ts";
import type { Decision } from "../api/session-events.ts";
import type { EventOutcome } from "../records/event-outcome.ts";
import { NOTHING } from "../records/event-outcome.ts";
import type { GuardInForce } from "./guards-here.ts";
import { guardsInForce } from "./guards-here.ts";
import type { Situation } from "./situation.ts";
import { decisionOn } from "./situation.ts";
import { cutShown } from "../../screening/cut-shown.ts";
import { readForTelling } from "./read-for-telling.ts";

/** Under this mark a session remembers that its user was told of what cannot be decided. */
const NOTICED = "guard-unevaluated";
/** So many guards that fire at once are told. */
const MAX_TOLD = 3;

/** What the guards in force say to a tool use. */
export async function guardToolUse(situation: Situation, use: ToolUse, session = ""): Promise<EventOutcome> {
  const guards = guardsInForce(situation);
  if (!guards) return NOTHING;
  const { evaluateGuards, decisionEnd } = await import("../../guard/evaluate-guards.ts");
  // Loading them is none of it.
  use.untilMs ??= decisionEnd();
  const { fired: all, unevaluated } = evaluateGuards(callOf(situation, use), guards);
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
  if (all.length === 0) return outcome;
  const fired = await withoutAllowed(all, situation, session, outcome);
  const { guardEvents = [], decisions, records } = outcome;
  const time = situation.place.now().toISOString();
  for (const guard of fired) {
    const { rule, action: done, text } = guard;
    decisions.push(receiptDecision(guard, situation));
    guardEvents.push({ rule: memoryKey(rule.card), index: rule.index, action: done });
    if (done !== "warn")
      records.push({ kind: "guarded", time, rule: memoryKey(rule.card), text: shortText(text) });
  }
  const [strongest] = fired;
  if (!strongest) return outcome;
  const { action } = strongest;
  const told = fired.filter((guard) => guard.action === action).slice(0, MAX_TOLD);
  const reason = (await Promise.all(told.map((guard) => reasonOf(guard, situation)))).join("\n\n");
  if (action === "warn") outcome.answer.context = reason;
  else outcome.answer.decision = { action, reason };
  return outcome;
}

/** Those that the user has not let pass in this session; of the others the outcome tells, with the words they go by. */
async function withoutAllowed(
  fired: readonly FiredGuard<GuardInForce>[],
  situation: Situation,
  session: string,
  outcome: EventOutcome,
): Promise<FiredGuard<GuardInForce>[]> {
  const { userAllowance } = await import("./user-allowance.ts");
  const time = situation.place.now().toISOString();
  const notices = [outcome.answer.notice ?? ""];
  const left = fired.filter((guard) => {
    const allowance = guard.action === "warn" ? undefined : userAllowance(guard, situation, session);
    if (!allowance) return true;
    const { rule, text } = guard;
    const key = memoryKey(rule.card);
    const quote = defuseLine(allowance.turn.text).slice(0, 120);
    const words = `let pass in this session, as you said "${quote}" at ${allowance.turn.time.slice(11, 16)} UTC`;
    notices.push(`heed: ${handleOf(rule.card)} ${words}: ${shortText(text)}`);
    outcome.guardEvents?.push({ rule: key, index: rule.index, action: "let-pass" });
    outcome.records.push({
      kind: "guarded",
      time,
      rule: key,
      text: shortText(text),
      allowedBy: allowance.turn.time,
    });
    outcome.decisions.push(
      decisionOn(rule.card, situation.collection, {
        form: "guard",
        reason: `guard ${rule.index + 1}: ${words}: ${shortText(text)}`,
        chars: 0,
        guard: { rule: key, index: rule.index, action: "let-pass" },
      }),
    );
    return false;
  });
  const notice = notices.filter((line) => line !== "").join("\n");
  if (notice !== "") outcome.answer.notice = notice;
  return left;
}

/** What a guard fired on, as it is noted: a command may hold a secret. */
function shortText(text: string): string {
  return cutShown(defuseLine(text), 200);
}

/** The call as guards see it: its directories by the name that the client uses and by their real one. */
export function callOf(
  { place, root }: Pick<Situation, "place" | "root">,
  { tool, input, cut, untilMs }: ToolUse,
): GuardCall {
  const cwd = slashed(place.cwd);
  // A client may name files through a link by which the folder was entered, or by their real path.
  const roots = [...new Set([slashed(root), slashed(realPathOf(root))])];
  return {
    tool,
    input,
    cut,
    untilMs,
    branch: place.repository?.branch,
    ...fileLooks(),
    cwd,
    roots,
    home: slashed(homeOf(place.env)),
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
