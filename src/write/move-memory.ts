import { type Change, changeMade, openedStore } from "../here/opened-stores.ts";
import { openCollection } from "../here/collection.ts";
import { findMemory } from "../here/reading/find-memory.ts";
import type { Place } from "../here/place.ts";
import { whoMayWrite } from "../here/user-config.ts";
import { announceLater } from "../here/records/announcements.ts";
import { announceRemoved, askToForget } from "./ask-user.ts";
import { requireMayWrite, saidBy } from "./write-consent.ts";
import { MemoryWriter } from "./memory-writer.ts";
import { noteWrite } from "./write-pipeline.ts";
import { nearestNames } from "../memory/nearest-names.ts";
import { invalidInput, notFound, refusedBy } from "../machine/heed-error.ts";
import { type Actor, memoryKey } from "../memory/memory.ts";
import { handleOf, plainHandle, shortNameOf, slugOf } from "../memory/handle.ts";
import { isPersonal, takesForce } from "../memory/memory-type.ts";
import { cutShown } from "../memory/screening/find-secrets.ts";
import { type RemovedMemory, findRemoved, removedMemories } from "./memory-history.ts";
import type { StoreWrite } from "../store/history/change-record.ts";
import type { StoreReader } from "../store/store-reader.ts";

/** Why a memory goes, and the user's words that ask for it, letter by letter. */
export interface RemovalReason {
  reason: string;
  quote?: string | undefined;
}

/** Moves a memory to the tombstones with the reason. A model ends no rule, and a note about the user only by their quoted words. */
export async function removeMemory(
  place: Place,
  handle: string,
  given: string | RemovalReason,
  actor: Actor,
): Promise<Change> {
  const { reason, quote } = typeof given === "string" ? { reason: given } : given;
  if (reason.trim() === "")
    throw invalidInput("reason", reason, "say why it is removed: the reason is kept with it");
  const found = await findMemory(place, handle);
  const { store, metadata } = found;
  requireMayWrite(place, actor, { isAskable: true });
  const said = saidBy(place, quote, actor);
  const isOfUser = isPersonal(place.types.get(metadata.type));
  const isUnsaid =
    isOfUser && (said === undefined || said.sign !== undefined || metadata.origin.door !== "quote");
  const isAsked =
    takesForce(metadata, place.types) || isUnsaid || whoMayWrite(place) === "ask" || store.kind !== "user";
  if (actor.kind !== "person" && isAsked) {
    noteWrite(place, actor);
    throw askToForget(place, found, { reason, line: said?.shown, actor });
  }
  const opened = openedStore(place, store);
  const removed = await new MemoryWriter(place, actor).remove(metadata, reason);
  noteWrite(place, actor, found);
  if (actor.kind !== "person" && metadata.origin.door !== undefined)
    announceLater(place.places, {
      line: announceRemoved(metadata),
      about: { key: memoryKey(metadata) },
      where: place.workRoot,
    });
  return made(opened, removed, place, actor);
}

export async function restoreMemory(place: Place, handle: string, actor: Actor): Promise<Change> {
  requireMayWrite(place, actor);
  const removed = removedMemories(place);
  const found = findRemoved(removed, handle);
  if (!found) {
    const names = removed.map(({ memory }) => memory.metadata.name);
    const suggestions = nearestNames(plainHandle(handle), names);
    const hint = suggestions.length > 0 ? `: did you mean ${suggestions.join(", ")}?` : "";
    throw notFound(handle, `there is no removed memory "${cutShown(handle, 80)}"${hint}`, suggestions);
  }
  const { id } = found.memory.metadata;
  if (actor.kind !== "person") await requireOwnRemoval(place, found);
  const { store } = found;
  const restored = await new MemoryWriter(place, actor).restore(
    store.ref,
    id,
    `removed before: ${found.reason}`,
  );
  return made(store, restored, place, actor);
}

/** A rule, or what is said about the user, comes back by a person where a person removed it. */
async function requireOwnRemoval(
  place: Place,
  { store, file, memory: { metadata } }: RemovedMemory,
): Promise<void> {
  const isRule = takesForce(metadata, place.types);
  if (!isRule && !isPersonal(place.types.get(metadata.type))) return;
  await store.reconcile();
  const entries = await store.history().entries();
  const removal = entries.find(({ files }) =>
    files.some((side) => side.file === file && side.after !== null),
  );
  if (removal?.by !== undefined && removal.by !== "person") return;
  const command = `heed remove --restore ${shortNameOf(metadata)} in a terminal`;
  const what = isRule ? "a rule" : "a personal memory";
  const message = `${handleOf(metadata)} is ${what} that a person removed: only a person brings it back, with ${command}`;
  throw refusedBy("user-word", message, `a person runs ${command}`);
}

export async function renameMemory(
  place: Place,
  handle: string,
  newName: string,
  actor: Actor,
): Promise<Change> {
  requireMayWrite(place, actor);
  const found = await findMemory(place, handle);
  const { store: ref, metadata } = found;
  // A rule is told with its name.
  if (actor.kind !== "person" && takesForce(metadata, place.types)) {
    const remedy = `a person runs heed edit ${metadata.name} --name ${slugOf(newName)} in a terminal`;
    throw refusedBy("user-word", `${metadata.name} is a rule: only a person renames it`, remedy);
  }
  // A store knows its files by their names; a memory in one that is called otherwise by its metadata alone.
  const { readers } = await openCollection(place);
  const isTaken = readers
    .flatMap((reader) => reader.memoriesByHandle(slugOf(newName)))
    .some(({ storeId, id, name }) => storeId === ref.id && id !== metadata.id && name === slugOf(newName));
  if (isTaken)
    throw invalidInput(
      "newName",
      newName,
      `another memory is called "${slugOf(newName)}": choose another name`,
    );
  const store = openedStore(place, ref);
  const renamed = await new MemoryWriter(place, actor).rename(found, newName, `was ${metadata.name}`);
  // A handle keeps letters and digits: another spelling may give the same one.
  return made(store, renamed, place, actor, `nothing to change: it is called ${metadata.name} already`);
}

async function made(
  store: StoreReader,
  { change }: StoreWrite,
  { now }: Place,
  { kind }: Actor,
  summary = "nothing to change",
): Promise<Change> {
  if (change) return changeMade(store, change);
  return { id: "", time: now().toISOString(), actor: kind, summary, files: [] };
}
