import { HeedError } from "../../errors/heed-error.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import { Approvals } from "../../store/trust/approvals.ts";
import { trustStore } from "../../store/trust/change-store-registry.ts";
import { stateOfStore } from "../../store/config/store-state.ts";
import { openCollection } from "../place/collection.ts";
import { approveTexts } from "../trust/approve-texts.ts";
import { reviewStore } from "../trust/review-store.ts";
import { rulesOf } from "../trust/rule-approvals.ts";
import type { TrustReview } from "../api/setup-reports.ts";
import type { Place } from "../place/place.ts";
import { requireStore } from "./require-store.ts";

/** The stores that are reviewed. */
type ReviewedKind = "user" | "project";

/**
 * What would take force in a store at hand when it is trusted.
 *
 * @throws HeedError `no-store`.
 */
export async function reviewTrust(place: Place, kind: ReviewedKind = "project"): Promise<TrustReview> {
  return reviewStore(place, requireStore(place, kind));
}

/**
 * Approves a store at hand on this machine, with the texts of its rules and guards as they are. `token` of a
 * review: what was shown is what is approved.
 *
 * @throws HeedError `no-store`; `changed-outside` when something changed since the review.
 */
export async function trustStoreHere(
  place: Place,
  token?: string,
  kind: ReviewedKind = "project",
): Promise<StoreRef> {
  const store = requireStore(place, kind);
  if (token !== undefined && (await reviewTrust(place, kind)).token !== token)
    throw new HeedError(
      "changed-outside",
      `the rules of ${store.root} changed since you saw them: run heed trust again`,
      {
        file: store.root,
      },
    );
  const collection = await openCollection(place, { thoroughness: "full" });
  const rules = rulesOf(collection, store);
  const state = stateOfStore(place.places, store.root);
  const present = new Set(rules.map(({ id }) => id));
  const forgotten = new Approvals(state).ids().filter((id) => !present.has(id));
  await approveTexts(place, store, { approved: rules, forgotten, isBaseline: kind === "user" });
  if (kind === "project") await trustStore(place.places, store.id, store.root);
  place.lookAgain();
  return requireStore(place, kind);
}
