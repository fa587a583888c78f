import type { Actor } from "../../memory/memory.ts";
import { HeedError, invalidInput } from "../../machine/heed-error.ts";
import { type Change, openedStore, changeMade } from "../../here/opened-stores.ts";
import type { Place } from "../../here/place.ts";
import { findMemory } from "../../here/reading/find-memory.ts";
import { MemoryWriter } from "../../write/memory-writer.ts";
import {
  guardsOf,
  guardWords,
  proposeGuards,
  putGuards,
  readGivenGuards,
  refused,
} from "../../write/ask-user.ts";

/** Puts a guard into a rule. Only a person may, since a guard stops tools; anybody else's waits for one. */
export async function addGuard(
  place: Place,
  handle: string,
  options: { guard: unknown },
  actor: Actor,
): Promise<Change> {
  const { guard: given } = options;
  const found = await findMemory(place, handle);
  const { metadata } = found;
  if (metadata.section !== undefined || found.store.isReadOnly)
    throw new HeedError("read-only", `${metadata.name} belongs to another tool: import it first`, {
      store: metadata.storeId,
    });
  const read = await readGivenGuards(given, place.types.get(metadata.type));
  if ("refusal" in read) throw refused(read.refusal.reason, read.refusal.remedy);
  if (actor.kind !== "person")
    throw refused(
      "only a person adds a guard, since it stops tools",
      proposeGuards(place, found, read.guards, actor),
    );
  const { change } = await putGuards(place, found, read.guards, actor);
  if (!change) throw refused(`${metadata.name} already has this guard`, "see heed guard list");
  return changeMade(openedStore(place, found.store), change);
}

/** Takes a guard out of a rule, by its number where there are several. Only a person may. */
export async function removeGuard(
  place: Place,
  handle: string,
  options: { number?: number | undefined },
  actor: Actor,
): Promise<Change> {
  const { number } = options;
  const found = await findMemory(place, handle);
  const { name, guard } = found.metadata;
  if (actor.kind !== "person")
    throw refused("only a person takes a guard out of force", `a person runs heed guard remove ${name}`);
  const all = guardsOf(guard);
  const index = (number ?? (all.length === 1 ? 1 : 0)) - 1;
  if (all[index] === undefined) {
    const listed = all.map((one, i) => `${i + 1}: ${guardWords(one)}`).join("; ");
    const have = all.length === 0 ? "it has none" : `say which one: ${listed}`;
    throw invalidInput("number", number ?? "", `${name} has no such guard: ${have}`);
  }
  const left = all.filter((_, i) => i !== index);
  const value = left.length === 1 ? left[0] : left.length === 0 ? null : left;
  const why = `remove the guard of ${name}: ${guardWords(all[index])}`;
  const writer = new MemoryWriter(place, actor);
  const { change } = await writer.amend(found, { guard: value }, { kind: "guard", why });
  if (!change) throw refused(`${name} was not changed`, "see heed guard list");
  return changeMade(openedStore(place, found.store), change);
}
