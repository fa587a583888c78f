import { FreshnessChecker, verdictOnCard } from "../claims/freshness-checker.ts";
import type { MemoryFilter, MemorySummary } from "../api/shown-memory.ts";
import { Breather } from "../../platform/breather.ts";
import { openCollection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";
import { readTold, toldKey } from "../records/receipt-log.ts";
import { readUse } from "../records/use-log.ts";
import { cardsFor, isHeldBack } from "../reading/find-memories.ts";

/** Verdicts may take so long together, in milliseconds; what is not looked at by then goes without. */
const VERDICTS_MS = 1_500;

/** The memories that pass a filter, each in a line: what it is, how fresh it is, and what became of it in the work. */
export async function summariseMemories(place: Place, filter: MemoryFilter = {}): Promise<MemorySummary[]> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const told = readTold(place.places).byMemory;
  const use = readUse(place.places);
  const checker = new FreshnessChecker(place);
  const deadlineAtMs = performance.now() + VERDICTS_MS;
  const summarised: MemorySummary[] = [];
  const breather = new Breather();
  for (const { card, shown } of await cardsFor(place, collection, filter)) {
    if (breather.isDue) await breather.rest();
    const store = collection.storeOf(card);
    const verdict =
      isHeldBack(card, place) || performance.now() > deadlineAtMs
        ? undefined
        : await verdictOnCard(checker, card, collection, { deadlineAtMs });
    const telling = told.get(toldKey(store.kind, card.name));
    summarised.push({
      id: card.id,
      name: card.name,
      type: card.type,
      description: shown.description,
      tags: shown.tags,
      status: card.status,
      store: store.kind,
      ...(card.created !== undefined && { created: card.created }),
      ...(card.updated !== undefined && { updated: card.updated }),
      ...(verdict && { standing: verdict.standing }),
      told: telling?.count ?? 0,
      ...(telling && { lastTold: telling.last }),
      used: use.get(`${card.storeId}:${card.id}`) ?? 0,
      hasGuard: card.guard !== undefined,
      ...(shown.whyData !== undefined && { whyData: shown.whyData }),
    });
  }
  checker.save();
  return summarised;
}
