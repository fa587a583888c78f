import type { Allowance, StoppedMatter } from "../../curate/allowing-turn.ts";
import { allowanceIn, asksToPass } from "../../curate/allowing-turn.ts";
import { describeGuard } from "../../guard/describe-guard.ts";
import type { FiredGuard } from "../../guard/evaluate-guards.ts";
import type { Guard } from "../../guard/guard.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import type { SessionRecord } from "../records/session-state.ts";
import { recentUserTurns } from "../records/session-state.ts";
import type { GuardInForce } from "./guards-here.ts";
import { guardedRules } from "./guards-here.ts";
import type { Situation } from "./situation.ts";

/** An allowance for what is at hand ends after this time; one for the session after that. In milliseconds. */
const ENDS_AFTER_MS = { once: 3_600_000, session: 12 * 3_600_000 };

/**
 * The user's word, given in this session, that a guard which fired lets the call pass. For what is at hand it holds an
 * hour at most, and once it was used, until the user says the next thing; it holds longer where they said "for this
 * session". Read from the turns that heed recorded: a model has no other way to it.
 */
export function userAllowance(
  { rule, text }: FiredGuard<GuardInForce>,
  { place, session }: Situation,
  sessionId: string,
): Allowance | undefined {
  if (sessionId === "") return undefined;
  const turns = recentUserTurns(place.places, sessionId);
  const { card } = rule;
  const askedAt = session.asked.filter(({ names }) => names.includes(card.name)).map(({ time }) => time);
  const allowance = allowanceIn(turns, matterOf(card, rule.guard, text), { askedAt });
  if (!allowance) return undefined;
  const { turn, reach } = allowance;
  if (place.now().getTime() - Date.parse(turn.time) > ENDS_AFTER_MS[reach]) return undefined;
  const used = session.guarded.find((call) => call.rule === memoryKey(card) && call.allowedBy === turn.time);
  const isSpent = reach === "once" && used !== undefined && turns.some(({ time }) => time > used.time);
  return isSpent ? undefined : allowance;
}

/** What a session notes of an agent's closing message that asks the user to let pass what a guard stopped in this turn. */
export function questionToPass(message: string, situation: Situation, sessionId: string): SessionRecord[] {
  const { place, session } = situation;
  const last = recentUserTurns(place.places, sessionId).at(-1)?.time ?? "";
  const stopped = session.guarded.filter(({ time, allowedBy }) => allowedBy === undefined && time >= last);
  if (stopped.length === 0) return [];
  const names = guardedRules(situation).flatMap(({ card, reading }) => {
    const calls = stopped.filter(({ rule }) => rule === memoryKey(card));
    const isAsked = calls.some(({ text }) =>
      reading.guards.some(({ guard }) => asksToPass(message, matterOf(card, guard, text))),
    );
    return isAsked ? [card.name] : [];
  });
  // A yes to a question about two rules would be a yes to neither.
  return names.length === 1 ? [{ kind: "asked", time: place.now().toISOString(), names }] : [];
}

function matterOf({ name, description }: MemoryCard, guard: Guard, text: string): StoppedMatter {
  const { commands, ...others } = guard.condition;
  // Where nothing but the program is guarded, the program is what is forbidden.
  const isMore = Object.values(others).some((part) => Array.isArray(part) && part.length > 0);
  return {
    rule: `${name} ${description}`,
    guard: describeGuard(guard),
    plain: isMore ? commands.flat().join(" ") : "",
    text,
  };
}
