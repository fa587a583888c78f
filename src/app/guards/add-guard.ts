import { describeGuard } from "../../guard/describe-guard.ts";
import { parseGuards } from "../../guard/parse-guards.ts";
import { suggestGuard, whyWider } from "../../guard/suggest-guard.ts";
import type { Actor } from "../../memory/actor.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { handleOf } from "../../memory/handle.ts";
import type { GuardSuggestion } from "../api/guard-reports.ts";
import { openedStore } from "../place/opened-stores.ts";
import { MemoryWriter } from "../writing/memory-writer.ts";
import type { Place } from "../place/place.ts";
import { findMemory } from "../place/find-memory.ts";
import { changeMade } from "../place/change-made.ts";
import type { Change } from "../api/history.ts";
import { refused } from "./refusal.ts";

/** The guard that a rule's text states, where it states one. */
export async function suggestGuardFor(place: Place, handle: string): Promise<GuardSuggestion> {
  const { card, body } = await findMemory(place, handle);
  const policy = place.types.get(card.type);
  const guard =
    policy?.injection === "always" ? suggestGuard({ description: card.description, body }) : undefined;
  const [read] = parseGuards(guard).guards;
  // Said beside it: a guard that asks where the rule forbids is wider than what the rule says.
  const narrower =
    read?.guard.action === "ask" ? whyWider(`${card.description}\n${body.split(/\*\*why/i)[0]}`) : undefined;
  const note = narrower === undefined ? "" : `; wider than the rule ("${narrower}"), so it asks`;
  return {
    handle: handleOf(card),
    ...(guard && read && { guard, summary: describeGuard(read.guard) + note }),
  };
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

function describeGuardOf(guard: Record<string, unknown>): string {
  const [read] = parseGuards(guard).guards;
  return read ? describeGuard(read.guard) : "";
}
