import { type Collection, mayTouch } from "./collection.ts";
import type { Place } from "./place.ts";
import { noteQuestions, readQuestionNotes } from "./records/question-notes.ts";
import { isFact } from "../memory/memory-type.ts";
import { type MemoryMetadata, byNewest } from "../memory/memory.ts";

const ASKED = "aliases";
const EVERY_MS = 7 * 86_400_000;
/** Fewer are found by the words that they have. */
const LEAST = 5;
const MOST_ASKED = 20;

/** Facts that have no other words by which to ask for them, and that heed may give some; none where they are few. */
export function bareFacts(collection: Collection, memories: readonly MemoryMetadata[]): MemoryMetadata[] {
  const bare = memories.filter(
    (metadata) =>
      metadata.aliases.length === 0 && isFact(metadata, collection.types) && mayTouch(metadata, collection),
  );
  return bare.length < LEAST ? [] : bare;
}

/** Those of them that a model is to be asked about now: once a week, the newest first. Between, `memoriesNow` is not called. */
export function bareFactsDue(
  { places, now }: Place,
  collection: Collection,
  memoriesNow: () => readonly MemoryMetadata[],
): { facts: MemoryMetadata[]; noteAsked: () => void } {
  const at = now();
  const last = readQuestionNotes(places).shown[ASKED] ?? "";
  const isDue = last < new Date(at.getTime() - EVERY_MS).toISOString();
  const bare = isDue ? bareFacts(collection, memoriesNow()) : [];
  const facts = bare.toSorted(byNewest).slice(0, MOST_ASKED);
  return { facts, noteAsked: () => noteQuestions(places, "shown", [ASKED], at.toISOString()) };
}
