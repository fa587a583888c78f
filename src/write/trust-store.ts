import type { TrustEntry, TrustReview } from "../here/consent/trust-entries.ts";
import { openCollection } from "../here/collection.ts";
import type { Place } from "../here/place.ts";
import { approveTexts, reviewStore, rulesToReview } from "../here/consent/approve-texts.ts";
import { acceptChanges } from "../here/consent/deciding-state.ts";
import { HeedError } from "../machine/heed-error.ts";
import type { Actor, StoreRef } from "../memory/memory.ts";
import { trustStore } from "../store/trust/store-registry.ts";

type ReviewedKind = "user" | "project";

/** What would take force when a store is trusted; default: a shared one with something fetched, else the project's. */
export async function reviewTrust(place: Place, kind?: ReviewedKind): Promise<TrustReview> {
  const shared = kind === undefined ? place.stores.filter((store) => store.kind === "team") : [];
  for (const store of shared) {
    const review = await reviewStore(place, store);
    if (review.entries.length > 0) return review;
  }
  const isNone = kind === undefined && !place.stores.some((store) => store.kind === "project");
  return reviewStore(place, (isNone && shared[0]) || requireStore(place, kind ?? "project"));
}

/** Approves a store here with its rules as they are. @throws HeedError `changed-outside` when they changed since the review of `token`. */
export async function trustStoreHere(place: Place, token?: string, kind?: ReviewedKind): Promise<StoreRef> {
  const review = await reviewTrust(place, kind);
  const { root } = review.store;
  const message = `the rules of ${root} changed since you saw them: run heed trust again`;
  if (token !== undefined && review.token !== token)
    throw new HeedError("changed-outside", message, { file: root });
  return approveReview(place, review.store);
}

/** What would take force in each store at hand, as {@link reviewStore} has it before it redacts. */
export function reviewsHere(place: Place): Promise<TrustReview[]> {
  const stores = place.stores.filter(({ kind }) => kind !== "attached");
  return Promise.all(stores.map((store) => reviewStore(place, store, false)));
}

/** Puts what a review showed into force; of `entries` alone, where given. */
export async function approveReview(
  place: Place,
  store: StoreRef,
  entries?: readonly Pick<TrustEntry, "file">[],
): Promise<StoreRef> {
  if (store.kind === "team" && !store.server)
    return (await import("../here/consent/team-store.ts")).moveTeam(place, store);
  const collection = await openCollection(place, { thoroughness: "full" });
  const { rules, gone } = await rulesToReview(place, collection, store);
  const approved = rules.filter(({ file }) => entries?.some((entry) => entry.file === file) ?? true);
  await approveTexts(place, store, { approved, forgotten: gone, commit: place.repository?.head });
  if (!entries) acceptChanges(place);
  if (store.kind === "project") await trustStore(place.places, store.id, store.root);
  place.lookAgain();
  return place.stores.find(({ id }) => id === store.id) ?? store;
}

/** Lets a person pass. @throws HeedError `gate-refused` with `why` and `remedy` for anybody else. */
export function requirePerson(actor: Actor, why: string, remedy: string): void {
  if (actor.kind !== "person") throw new HeedError("gate-refused", why, { gate: "user-word", remedy });
}

/** The user's store or the project's. @throws HeedError `no-store`. */
export function requireStore(place: Place, wanted: "user" | "project"): StoreRef {
  const store = place.stores.find(({ kind }) => kind === wanted);
  if (store) return store;
  const missing =
    wanted === "user"
      ? "there is no store of yours: `heed init` makes one"
      : "there is no project store here: `heed init --project` makes one";
  throw new HeedError("no-store", missing, { store: wanted });
}
