import { HeedError } from "../../errors/heed-error.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import type { Place } from "../place/place.ts";

/**
 * The user's store or the project's.
 *
 * @throws HeedError `no-store` where there is none.
 */
export function requireStore(place: Place, wanted: "user" | "project"): StoreRef {
  const store = place.stores.find(({ kind }) => kind === wanted);
  if (store) return store;
  const missing =
    wanted === "user"
      ? "there is no store of yours: `heed init` makes one"
      : "there is no project store here: `heed init --project` makes one";
  throw new HeedError("no-store", missing, { store: wanted });
}
