import { SALIENCES } from "../../../memory/memory.ts";
import type { MemoryCard } from "../../../memory/memory-card.ts";
import type { Collection } from "../../place/collection.ts";
import { memoryKey } from "../../../memory/memory-key.ts";
import { readUse } from "../../records/use-log.ts";
import { readReceipts } from "../../records/receipt-log.ts";
import { mayTouch } from "./may-touch.ts";
import type { PlannedStep } from "./tidy-step.ts";
import { daysBefore, moveSalience, restingMemories } from "./upkeep-moves.ts";
import type { Place } from "../../place/place.ts";

/** Applied, or cited by its handle, so often in that time: it matters more than was thought. */
const OFTEN = 5;
/** Neither told nor used once in so many days, although it was there all the time: it matters less. */
const SILENT_DAYS = 60;
const MAX_RECEIPTS = 5000;

/** Salience follows use, one step at a time and in both directions. Rules are told always: their use says nothing. */
export function planSalience(place: Place, collection: Collection, busy: ReadonlySet<string>): PlannedStep[] {
  const receipts = readReceipts(place.places, MAX_RECEIPTS);
  const counts = new Map<string, number>();
  for (const { decisions } of receipts)
    for (const { name, form } of decisions)
      if (form !== "none" && form !== "rule" && form !== "map") counts.set(name, (counts.get(name) ?? 0) + 1);
  const oldest = receipts.at(-1)?.time ?? "";
  const resting = restingMemories(place);
  const now = place.now();
  const silentSince = daysBefore(now, SILENT_DAYS);
  const uses = readUse(place.places, silentSince);
  return collection
    .cards()
    .filter((card) => isMovable(card, collection) && !busy.has(card.name))
    .filter(({ id }) => !resting.has(id))
    .flatMap((card): PlannedStep[] => {
      const told = counts.get(card.name) ?? 0;
      const at = SALIENCES.indexOf(card.salience);
      // Being told is no use: heed decides that, and what it tells for nothing would rise by it.
      const used = uses.get(memoryKey(card)) ?? 0;
      const isSilent =
        told + used === 0 &&
        (card.updated ?? card.created ?? "9") < silentSince &&
        oldest !== "" &&
        oldest < silentSince;
      const next = used >= OFTEN ? SALIENCES[at + 1] : isSilent ? SALIENCES[at - 1] : undefined;
      if (next === undefined) return [];
      const reason =
        used >= OFTEN
          ? `cited ${used} times: salience ${card.salience} becomes ${next}`
          : `neither told nor used in ${SILENT_DAYS} days: salience ${card.salience} becomes ${next}`;
      return [
        {
          action: "salience",
          name: card.name,
          reason,
          apply: () => moveSalience(place, collection, card, next, reason),
        },
      ];
    });
}

function isMovable(card: MemoryCard, collection: Collection): boolean {
  const injection = collection.types.get(card.type)?.injection;
  return (
    mayTouch(card, collection) &&
    injection !== "always" &&
    injection !== "resume" &&
    card.status !== "superseded"
  );
}
