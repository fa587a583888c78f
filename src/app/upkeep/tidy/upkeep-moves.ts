import { join } from "node:path";
import type { Salience } from "../../../memory/memory.ts";
import type { MemoryCard } from "../../../memory/memory-card.ts";
import { FORMATS } from "../../../platform/file-formats.ts";
import { readVersioned, writeVersioned } from "../../../platform/versioned-file.ts";
import { capturePlaces } from "../../records/capture-places.ts";
import type { Collection } from "../../place/collection.ts";
import { openedStore } from "../../place/opened-stores.ts";
import { MemoryWriter } from "../../writing/memory-writer.ts";
import { TIDY_ACTOR } from "./tidy-step.ts";
import type { Place } from "../../place/place.ts";

/** A memory moves one step a month at most. */
const REST_DAYS = 30;

/** The ids of the memories that may not be moved now, since they were within the last month. */
export function restingMemories(place: Place): ReadonlySet<string> {
  const since = daysBefore(place.now(), REST_DAYS);
  return new Set(Object.entries(readMoves(place)).flatMap(([id, time]) => (time >= since ? [id] : [])));
}

/**
 * Moves the salience of a memory, as it stands by now: an earlier step of the same run may have changed its text. The move
 * is taken down first, so that a run that dies in between moves it next month, and never twice.
 */
export async function moveSalience(
  place: Place,
  collection: Collection,
  card: MemoryCard,
  salience: Salience,
  why: string,
): Promise<string[]> {
  const store = openedStore(place, collection.storeOf(card));
  const current = store.read(card.file).memory;
  if (current?.card.id !== card.id) return [];
  keepMove(place, card.id);
  const moved = await new MemoryWriter(place, TIDY_ACTOR).amend(
    current,
    { salience },
    { kind: "upkeep", why },
  );
  return moved.change ? [moved.change.id] : [];
}

/** When the salience of each memory was moved last; what is older than a month is forgotten. */
function readMoves(place: Place): Readonly<Record<string, string>> {
  try {
    return (readVersioned(fileOf(place), FORMATS.upkeepMoves) ?? {}) as Record<string, string>;
  } catch {
    return {};
  }
}

/** Takes down that a memory was moved now. */
function keepMove(place: Place, id: string): void {
  const now = place.now();
  const kept = Object.entries(readMoves(place)).filter(([, time]) => time >= daysBefore(now, REST_DAYS));
  const moves = Object.fromEntries([...kept, [id, now.toISOString()]]);
  writeVersioned(fileOf(place), FORMATS.upkeepMoves, moves, { isDurable: false });
}

/** The moment so many days ago, ISO. */
export function daysBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * 86_400_000).toISOString();
}

function fileOf(place: Place): string {
  return join(capturePlaces(place.places).root, "salience.json");
}
