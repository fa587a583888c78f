import type { StoreRef } from "../memory/memory.ts";
import { FileMemoryStore } from "../store/file-memory-store.ts";
import type { SharedLog } from "../store/shared-log.ts";
import type { Place } from "./place.ts";

/**
 * The store behind a reference, the same on each call. For `write/memory-writer.ts` alone: `npm run check` fails on
 * others.
 */
export function writableStore(place: Place, ref: StoreRef): FileMemoryStore {
  const { opened } = place.workspace;
  const key = `${ref.id}\n${ref.root}\n${ref.isReadOnly} ${ref.isTrusted}`;
  const known = opened.get(key);
  // Others see readers in this map: what it holds was put there below.
  if (known) return known as FileMemoryStore;
  const store = new FileMemoryStore(ref, {
    places: place.places,
    types: place.types,
    now: () => place.workspace.now(),
    env: place.env,
    ...(ref.server && { shared: lateLog(place, { ...ref, server: ref.server }) }),
  });
  opened.set(key, store);
  return store;
}

/** The log of a team store, loaded when something is first asked of it. */
function lateLog(place: Place, ref: StoreRef & Required<Pick<StoreRef, "server">>): SharedLog {
  let log: Promise<SharedLog> | undefined;
  const load = (): Promise<SharedLog> =>
    (log ??= import("./team-connection.ts").then(({ teamLogOf }) => teamLogOf(place, ref)));
  return {
    pull: async (...asked) => (await load()).pull(...asked),
    push: async (...asked) => (await load()).push(...asked),
  };
}
