import type { Places } from "../../platform/places.ts";
import { readReceipts } from "./receipt-log.ts";

/** How often a memory was told, and when last (ISO time). */
export interface ToldCount {
  count: number;
  last: string;
}

/** What receipts say of tellings, as far as they are kept. */
export interface Told {
  /** By `toldKey`. */
  byMemory: ReadonlyMap<string, ToldCount>;
  /** ISO time of the oldest receipt. */
  since?: string;
  receipts: number;
}

/** So many receipts are looked at, the newest ones. */
const MAX_RECEIPTS = 5_000;

/** How a receipt names a memory. */
export function toldKey(storeKind: string, name: string): string {
  return `${storeKind}:${name}`;
}

/** Counts what receipts say was told. A damaged line costs itself alone. */
export function readTold(places: Places): Told {
  const receipts = readReceipts(places, MAX_RECEIPTS).filter(
    ({ decisions }) => !decisions.some((one) => !one),
  );
  const byMemory = new Map<string, ToldCount>();
  for (const { decisions, time } of receipts)
    for (const { name, store, form } of decisions) {
      // A line in the map stands there in every session: it says nothing of the memory.
      if (form === "none" || form === "map") continue;
      const key = toldKey(store, name);
      const known = byMemory.get(key);
      if (known) known.count += 1;
      // The newest comes first.
      else byMemory.set(key, { count: 1, last: time });
    }
  const since = receipts.at(-1)?.time;
  return { byMemory, ...(since !== undefined && { since }), receipts: receipts.length };
}
