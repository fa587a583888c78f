import { existsSync } from "node:fs";
import type { VectorTable as Vectors } from "./vector-table.ts";
import { VectorTable } from "./vector-table.ts";
import { readVectorFile } from "./vector-file.ts";
import type { Places } from "../../platform/places.ts";
import type { Encoder } from "./encoder.ts";
import { startWorkerEncoder } from "./worker-encoder.ts";
import { logTrouble } from "../../app/place/trouble-log.ts";
import { readUserConfig } from "../../app/place/user-config.ts";
import type { Place } from "../../app/place/place.ts";
import { findModel } from "./installed-model.ts";
import { SemanticRecall } from "./semantic-recall.ts";
import type { EncodedCollection, SemanticSource } from "../../app/place/semantic-source.ts";
import type { StoreVectors } from "./store-vectors.ts";
import { vectorFile } from "./store-vectors.ts";
import { findWorkerFile } from "./worker-file.ts";

/** One model serves all that a process has open, whatever directory it is opened for. */
const shared = new Map<string, { source: SemanticRecall; users: number }>();

/**
 * The semantic source of a resident process, or undefined when there is no model on this machine. Nothing is loaded
 * before the first question.
 */
export function openResidentSemantic({
  env,
  places,
}: Pick<Place, "env" | "places">): SemanticSource | undefined {
  const found = findModel(env, readUserConfig(places), places);
  const worker = findWorkerFile();
  if (found.state !== "found" || worker === undefined) return undefined;
  const { files } = found;
  const key = `${files.model}\n${files.runtime.path}\n${places.cache}`;
  let entry = shared.get(key);
  if (!entry) {
    const stores = new OpenedVectors(places);
    const source = new SemanticRecall({
      load: () => startWorkerEncoder(worker, files),
      vectorsOf: (collection, encoder) => stores.of(collection, encoder),
      note: (trouble) => logTrouble("semantic", trouble, env),
    });
    entry = { source, users: 0 };
    shared.set(key, entry);
  }
  entry.users += 1;
  const { source } = entry;
  return {
    load: () => source.load(),
    ask: (text, deadlineAtMs) => source.ask(text, deadlineAtMs),
    async close() {
      const open = shared.get(key);
      if (open?.source !== source || --open.users > 0) return;
      shared.delete(key);
      await source.close();
    },
  };
}

/** The vectors of stores, read from disk once. */
export class OpenedVectors {
  readonly #places: Places;
  readonly #known = new Map<string, { model: string; vectors: StoreVectors }>();

  constructor(places: Places) {
    this.#places = places;
  }

  of(collection: EncodedCollection, { model, dimensions }: Encoder): StoreVectors[] {
    return collection.stores.map((store, place): StoreVectors => {
      const file = vectorFile(this.#places, store);
      const known = this.#known.get(file);
      if (known?.model === model) return Object.assign(known.vectors, { place });
      const vectors: StoreVectors = {
        storeId: store.id,
        place,
        file,
        table: readTable(file, model, dimensions),
        cardKeys: new Map(),
      };
      this.#known.set(file, { model, vectors });
      return vectors;
    });
  }
}

function readTable(file: string, model: string, dimensions: number): Vectors {
  const read = existsSync(file) ? readVectorFile(file, model) : undefined;
  return read?.dimensions === dimensions ? read : new VectorTable(dimensions);
}
