import type { TrustEntry, TrustReview } from "../api/setup-reports.ts";
import { openCollection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";
import { approveTexts, reviewStore, rulesToReview } from "../trust/approve-texts.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { answerClaims } from "../../git/repository-identity.ts";
import type { Actor, StoreRef } from "../../memory/memory.ts";
import { trustStore } from "../../store/trust/change-store-registry.ts";

/** A kind of store, or the id of one. */
type ReviewedKind = "user" | "project" | (string & {});

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
 * review: what was shown is what is approved; of `entries` alone, where given.
 *
 * @throws HeedError `no-store`; `changed-outside` when something changed since the review.
 */
export async function trustStoreHere(
  place: Place,
  token?: string,
  kind: ReviewedKind = "project",
  entries?: readonly Pick<TrustEntry, "file">[],
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
  const { rules, gone } = await rulesToReview(place, collection, store);
  const approved = rules.filter(({ file }) => entries?.some((entry) => entry.file === file) ?? true);
  await approveTexts(place, store, { approved, forgotten: gone, isBaseline: store.kind === "user" });
  if (store.kind === "project") await trustStore(place.places, store.id, store.root);
  place.lookAgain();
  return requireStore(place, kind);
}

/**
 * Keeps what a person says of a place that is called as another one is.
 *
 * @returns the names that it answers to now.
 * @throws HeedError `no-store` outside of a repository.
 */
export async function answerPlace(place: Place, answer: "same" | "other"): Promise<string[]> {
  const repository = await answerClaims(place.cwd, place.places, answer);
  if (!repository)
    throw new HeedError("no-store", `${place.cwd} lies in no repository: there is nothing to say of it`, {
      store: place.cwd,
    });
  return repository.aliases;
}

/**
 * Lets a person pass.
 *
 * @param why what the matter is and whose, ending in who does it instead.
 * @param remedy what the user does.
 * @throws HeedError `gate-refused` for anybody else.
 */
export function requirePerson(actor: Actor, why: string, remedy: string): void {
  if (actor.kind !== "person") throw new HeedError("gate-refused", why, { gate: "user-word", remedy });
}

/**
 * The user's store, the project's, or the one of this id.
 *
 * @throws HeedError `no-store` where there is none.
 */
export function requireStore(place: Place, wanted: ReviewedKind): StoreRef {
  const store = place.stores.find(({ kind, id }) => kind === wanted || id === wanted);
  if (store) return store;
  const missing =
    wanted === "user"
      ? "there is no store of yours: `heed init` makes one"
      : wanted === "project"
        ? "there is no project store here: `heed init --project` makes one"
        : `there is no store ${wanted} here: heed status --json lists them`;
  throw new HeedError("no-store", missing, { store: wanted });
}
