import { CONFIDENCES } from "../../../memory/memory.ts";
import type { MemoryCard } from "../../../memory/memory-card.ts";
import { memoryKey } from "../../../memory/memory-key.ts";
import type { Collection } from "../../place/collection.ts";
import { mayTouch } from "./may-touch.ts";
import type { PlannedStep } from "./tidy-step.ts";
import { daysBefore, moveField, restingMemories } from "./upkeep-moves.ts";
import type { MemoryUse } from "../../records/use-log.ts";
import { readUse } from "../../records/use-log.ts";
import type { Place } from "../../place/place.ts";

/** Reports of the last quarter count: what was so before may have been mended since. */
const WINDOW_DAYS = 90;
/** So many reports more on one side than on the other move it; a single one may be a mistake. */
const LEAD = 2;

/**
 * Confidence follows what came of a memory when it was used, one step a month and in both directions: applied counts
 * for it, contradicted and corrected against it, ignored for neither. Nothing is removed by it.
 */
export function planConfidence(
  place: Place,
  collection: Collection,
  busy: ReadonlySet<string>,
): PlannedStep[] {
  const now = place.now();
  const uses = readUse(place.places, daysBefore(now, WINDOW_DAYS));
  if (uses.size === 0) return [];
  const resting = restingMemories(place, "confidence");
  return collection
    .cards()
    .filter((card) => isMovable(card, collection) && !busy.has(card.name) && !resting.has(card.id))
    .flatMap((card): PlannedStep[] => {
      const use = uses.get(memoryKey(card));
      const move = use && moveOf(card, use);
      if (!move) return [];
      const apply = (): Promise<string[]> =>
        moveField(place, collection, card, { confidence: move.next }, move.reason);
      return [{ action: "confidence", name: card.name, reason: move.reason, apply }];
    });
}

function moveOf(
  card: MemoryCard,
  use: MemoryUse,
): { next: MemoryCard["confidence"]; reason: string } | undefined {
  const against = use.contradicted + use.corrected;
  // What was changed after the last report answers it.
  const isAnswered = against > 0 && (card.updated ?? "") > (use.questions.at(-1)?.time ?? "");
  const lead = use.applied - against;
  const step = lead >= LEAD ? 1 : lead <= -LEAD && !isAnswered ? -1 : 0;
  const next = step === 0 ? undefined : CONFIDENCES[CONFIDENCES.indexOf(card.confidence) + step];
  if (next === undefined) return undefined;
  const counts = `applied ${use.applied}, contradicted ${use.contradicted}, corrected ${use.corrected} times in ${WINDOW_DAYS} days`;
  return { next, reason: `${counts}: confidence ${card.confidence} becomes ${next}` };
}

function isMovable(card: MemoryCard, collection: Collection): boolean {
  return (
    mayTouch(card, collection) &&
    collection.types.get(card.type)?.injection !== "resume" &&
    card.status !== "superseded"
  );
}
