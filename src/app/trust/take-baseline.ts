import { existsSync } from "node:fs";
import { join } from "node:path";
import { CONFIG_FILE } from "../../store/config/store-config.ts";
import { Approvals } from "../../store/trust/approvals.ts";
import { stateOfStore } from "../../store/config/store-state.ts";
import type { Collection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";
import { approveTexts } from "./approve-texts.ts";
import { isReviewed, rulesOf } from "./rule-approvals.ts";

/**
 * Approves what lies in the user's own store when heed first looks at it with a list of approvals: it was made by the
 * user or by a heed that kept none. From then on only what passes heed, or was reviewed, takes force. Files that lie
 * where no store was made wait for a look from the beginning.
 */
export async function takeBaseline(place: Place, collection: Collection): Promise<void> {
  if (collection.isCut) return;
  for (const store of collection.stores.filter((one) => one.kind === "user" && isReviewed(one))) {
    if (new Approvals(stateOfStore(place.places, store.root)).hasBaseline) continue;
    const isMade = existsSync(join(store.root, CONFIG_FILE));
    const approved = isMade ? rulesOf(collection, store) : [];
    await approveTexts(place, store, { approved, isBaseline: true });
  }
}
