import { describeGuard } from "../../guard/describe-guard.ts";
import { handleOf } from "../../memory/handle.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import { guardedRules } from "../session/guards-here.ts";
import type { GuardList, GuardReport } from "../api/guard-reports.ts";
import { readGuardUses, useKey } from "../records/guard-log.ts";
import type { Place } from "../place/place.ts";
import type { Situation } from "../session/situation.ts";
import { lookAround } from "../session/situation.ts";
import { readSession } from "../records/session-state.ts";

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
        ...(uses.get(useKey(memoryKey(card), index)) ?? { fired: 0, wrong: 0, letPass: 0 }),
      };
      list.guards.push(report);
    }
  }
  return list;
}

/** A person asks, who can wait, in milliseconds. */
const DEADLINE_MS = 10_000;

/** Where the guards stand that a person asks about. */
export function situationOf(place: Place): Promise<Situation> {
  return lookAround(place, readSession(place.places, ""), "typed", DEADLINE_MS);
}
