import { type MemoryFilter, judgedMemories } from "../here/reading/find-memories.ts";
import { openCollection } from "../here/collection.ts";
import type { Place } from "../here/place.ts";
import { readInjected } from "../here/records/receipt-log.ts";
import { readUse } from "../here/records/use-log.ts";
import { endedOn } from "../here/consent/standing.ts";
import type { Standing } from "../freshness/verdict.ts";
import type { Status, StoreRef } from "../memory/memory.ts";

/** A memory in a line: what it is, how fresh it is, and what became of it in the work. */
export interface MemorySummary {
  id: string;
  name: string;
  type: string;
  statement: string;
  tags: readonly string[];
  status: Status;
  /** The kind of the store that holds it. */
  store: StoreRef["kind"];
  /** ISO time: as its file says, else that of the file. */
  changed: string;
  /** Absent when there was no time to look, and of one whose text is quarantined. */
  standing?: Standing;
  /** What is known against it: what moved, changed, is missing or has expired. Absent where nothing is. */
  known?: string;
  /** How often it was told, in any form but its line in the map, as far as receipts are kept. */
  injected: number;
  /** How often it was cited, found by a search, or opened. */
  used: number;
  hasGuard: boolean;
  /** Why it is data and no rule here; absent for what counts as what it is. */
  whyData?: string;
}

/** The memories that pass a filter, each in a line: what it is, how fresh it is, and what became of it in the work. */
export async function summariseMemories(place: Place, filter: MemoryFilter = {}): Promise<MemorySummary[]> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const injected = readInjected(place.places);
  const use = readUse(place.places);
  const judged = await judgedMemories(place, collection, filter);
  return judged.map(({ metadata, shown, verdict }) => {
    const store = collection.storeOf(metadata);
    const ended = endedOn(metadata, place.now());
    const known = ended === undefined ? (verdict?.mark ?? "") : `expired on ${ended}`;
    return {
      id: metadata.id,
      name: metadata.name,
      type: metadata.type,
      statement: shown.statement,
      tags: shown.tags,
      status: metadata.status,
      store: store.kind,
      changed: metadata.updated ?? metadata.created ?? new Date(metadata.mtimeMs).toISOString(),
      ...(verdict && { standing: verdict.standing }),
      ...(known !== "" && { known }),
      injected: injected.get(`${store.kind}:${metadata.name}`) ?? 0,
      used: use.get(`${metadata.storeId}:${metadata.id}`) ?? 0,
      hasGuard: metadata.guard !== undefined,
      ...(shown.whyData !== undefined && { whyData: shown.whyData }),
    };
  });
}
