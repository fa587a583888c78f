import { ClaimChecker } from "../here/claims/claim-checker.ts";
import { recheckMs } from "../here/user-config.ts";
import { type MemoryFilter, memoriesFor, isQuarantined } from "../here/reading/find-memories.ts";
import { Breather } from "../machine/breather.ts";
import { openCollection } from "../here/collection.ts";
import type { Place } from "../here/place.ts";
import { readInjected, injectedKey } from "../here/records/receipt-log.ts";
import { readUse } from "../here/records/use-log.ts";
import { endedOn } from "../here/consent/standing.ts";
import type { Verdict, Standing } from "../freshness/verdict.ts";
import { type Status, type StoreRef, memoryKey } from "../memory/memory.ts";

const VERDICTS_MS = 3_000;

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
  /** ISO time. */
  lastInjected?: string;
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
  const checker = new ClaimChecker(place);
  const deadlineAtMs = performance.now() + recheckMs(place, VERDICTS_MS);
  const summarised: MemorySummary[] = [];
  const breather = new Breather();
  const found = await memoriesFor(place, collection, filter);
  const verdicts = new Map<string, Verdict>();
  // Those that claim something first: the others seldom have anything against them.
  for (const { metadata } of found.toSorted((a, b) => b.metadata.claims.length - a.metadata.claims.length)) {
    if (breather.isDue) await breather.rest();
    if (performance.now() > deadlineAtMs) break;
    const options = { deadlineAtMs, withHistory: true, countsCommits: false };
    if (!isQuarantined(metadata, place))
      verdicts.set(memoryKey(metadata), await checker.on(metadata, collection, options));
  }
  for (const { metadata, shown } of found) {
    const store = collection.storeOf(metadata);
    const verdict = verdicts.get(memoryKey(metadata));
    const ended = endedOn(metadata, place.now());
    const known = ended === undefined ? (verdict?.mark ?? "") : `expired on ${ended}`;
    const injection = injected.get(injectedKey(store.kind, metadata.name));
    summarised.push({
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
      injected: injection?.count ?? 0,
      ...(injection && { lastInjected: injection.last }),
      used: use.get(`${metadata.storeId}:${metadata.id}`) ?? 0,
      hasGuard: metadata.guard !== undefined,
      ...(shown.whyData !== undefined && { whyData: shown.whyData }),
    });
  }
  checker.save();
  return summarised;
}
