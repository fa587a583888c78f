import type { GateRefusal } from "../../memory/gate-refusal.ts";
import { HeedError } from "../../errors/heed-error.ts";
import type { MemoryDraft } from "../../memory/memory-draft.ts";
import type { TypePolicy } from "../../memory/memory-type.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import { makeStore, userStoreToBe } from "./make-store.ts";
import type { Place } from "../place/place.ts";

/** The store into which a draft goes, or why it may not go there. */
type ChosenStore = { store: StoreRef } | { refusal: GateRefusal };

/**
 * Chooses the store of a draft: the one that it names; else the project's, where one is here and trusted, for what
 * applies to the repository; else the user's, which is made where there is none.
 *
 * @param options - `isDryRun`: nothing is written, so no store is made.
 * @throws HeedError `no-store` when there is none of that kind here.
 */
export async function chooseStore(
  place: Place,
  draft: MemoryDraft,
  policy: TypePolicy | undefined,
  options: { isDryRun?: boolean | undefined } = {},
): Promise<ChosenStore> {
  const { stores } = place;
  const kind = draft.store ?? defaultKind(stores, draft, policy);
  const candidates = stores.filter((store) => store.kind === kind);
  const store = candidates.find(({ isReadOnly }) => !isReadOnly) ?? candidates[0];
  // Whoever writes for the first time should not have to make a place for it; what has no type is not written.
  if (!store && kind === "user")
    return {
      store: options.isDryRun === true || !policy ? userStoreToBe(place) : await makeStore(place, "user"),
    };
  if (!store) {
    throw new HeedError(
      "no-store",
      `there is no ${kind} store here: ${kind === "attached" ? "attach a directory with `heed attach`" : `make one with \`heed init${kind === "project" ? " --project" : ""}\``}`,
      { store: kind },
    );
  }
  if (store.isTrusted) return { store };
  return {
    refusal: {
      gate: "store-trust",
      reason: `the ${kind} store ${store.root} was not made on this machine: nothing is written to it unasked`,
      remedy: 'review it and run `heed trust`, or write with store "user"',
      proposal: { store: "user" },
    },
  };
}

function defaultKind(
  stores: readonly StoreRef[],
  draft: MemoryDraft,
  policy: TypePolicy | undefined,
): "project" | "user" {
  const reach = draft.scope === "everywhere" ? "everywhere" : draft.scope ? "repository" : policy?.reach;
  const isProjectOpen = stores.some(
    (store) => store.kind === "project" && store.isTrusted && !store.isReadOnly,
  );
  return reach === "repository" && isProjectOpen ? "project" : "user";
}
