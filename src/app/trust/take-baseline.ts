import { Approvals } from "../../store/trust/approvals.ts";
import { stateOfStore } from "../../store/config/store-state.ts";
import type { Collection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";
import { approveTexts } from "./approve-texts.ts";
import { isReviewed, rulesOf, wasMadeHere } from "./rule-approvals.ts";

/**
 * Approves what lies in the user's own store when heed first looks at it with a list of approvals, where a heed
 * that kept none has made it on this machine. From then on only what passes heed, or was reviewed, takes force. Files that
 * lie where no store was made here wait for a look from the beginning, whatever they say of themselves.
 */
export async function takeBaseline(place: Place, collection: Collection): Promise<void> {
  if (collection.isCut) return;
  for (const store of collection.stores.filter((one) => one.kind === "user" && isReviewed(one))) {
    if (new Approvals(stateOfStore(place.places, store.root)).hasBaseline) continue;
    const approved = wasMadeHere(place, store) ? rulesOf(collection, store) : [];
    await approveTexts(place, store, { approved, isBaseline: true });
  }
}
