import { indexDirectory } from "../../app/place/store-index.ts";
import { logTrouble } from "../../app/place/trouble-log.ts";
import type { Place } from "../../app/place/place.ts";
import type { SearchByMeaning } from "../../app/place/optional-parts.ts";
import type { StoreRef } from "../../memory/memory.ts";
import type { Places } from "../../platform/places.ts";
import { findModel } from "./model-files.ts";
import { ModelSearch } from "./model-search.ts";
import { startWorkerEncoder } from "./worker-encoder.ts";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** One model serves all that a process has open, whatever directory it is opened for. */
const shared = new Map<string, { search: ModelSearch; users: number }>();

/** The search by meaning of a resident process; undefined when there is no model on this machine. Loads nothing yet. */
export function openSearchByMeaning({
  env,
  places,
}: Pick<Place, "env" | "places">): SearchByMeaning | undefined {
  const found = findModel(env, places);
  const worker = findWorkerFile();
  if (found.state !== "found" || worker === undefined) return undefined;
  const { files } = found;
  const key = `${files.model}\n${files.runtime.path}\n${places.cache}`;
  const entry = shared.get(key) ?? {
    search: new ModelSearch({
      load: () => startWorkerEncoder(worker, files),
      fileOf: (store) => vectorFile(places, store),
      note: (trouble) => logTrouble("semantic", trouble, env),
    }),
    users: 0,
  };
  shared.set(key, entry);
  entry.users += 1;
  return {
    rank: (search) => entry.search.rank(search),
    async close() {
      if (--entry.users > 0) return;
      shared.delete(key);
      await entry.search.close();
    },
  };
}

/** Where the vectors of a store lie: beside its index, and like it derived. */
export function vectorFile(places: Places, store: StoreRef): string {
  return `${indexDirectory(places, store)}.vectors`;
}

/** The built worker of the embedding model, as it lies beside the bundles. */
const NAME = "sentence-worker.mjs";

/** The built worker: beside a bundle, or found from the sources. Undefined when heed was not built. */
function findWorkerFile(): string | undefined {
  // A CommonJS bundle has a directory and no address of its own.
  const here = typeof __dirname === "string" ? __dirname : dirname(fileURLToPath(import.meta.url));
  const places = [".", "../../plugin/dist", "../../../plugin/dist"];
  return places.map((place) => join(here, place, NAME)).find((file) => existsSync(file));
}
