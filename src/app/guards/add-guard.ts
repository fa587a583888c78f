import type { Actor } from "../../memory/actor.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { openedStore } from "../place/opened-stores.ts";
import type { Place } from "../place/place.ts";
import { findMemory } from "../place/find-memory.ts";
import { changeMade } from "../place/change-made.ts";
import { proposeGuards, putGuards, readGivenGuards } from "../writing/propose-guard.ts";
import type { Change } from "../api/history.ts";
import { refused } from "./refusal.ts";

/**
 * Puts a guard into a rule. Only a person may, since a guard stops tools; anybody else's waits for one. Further guards of
 * the rule stay.
 *
 * @throws HeedError `gate-refused` for anybody but a person, for what is no rule, and for a guard that cannot be read.
 */
export async function addGuard(
  place: Place,
  handle: string,
  { guard: given }: { guard: unknown },
  actor: Actor,
): Promise<Change> {
  const found = await findMemory(place, handle);
  const { card } = found;
  if (card.section !== undefined || found.store.isReadOnly)
    throw new HeedError("read-only", `${card.name} belongs to another tool: import it first`, {
      store: card.storeId,
    });
  const read = readGivenGuards(given, place.types.get(card.type));
  if ("refusal" in read) throw refused(read.refusal.reason, read.refusal.remedy);
  if (actor.kind !== "person")
    throw refused(
      "a guard stops tools: only a person puts one into force",
      proposeGuards(place, found, read.guards, actor),
    );
  const { change } = await putGuards(place, found, read.guards, actor);
  if (!change) throw refused(`${card.name} carries this guard already`, `heed guard list shows it`);
  return changeMade(openedStore(place, found.store), change);
}
