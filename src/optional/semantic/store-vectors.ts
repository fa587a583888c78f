import { indexDirectory } from "../../app/place/store-index.ts";
import type { VectorTable } from "./vector-table.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import type { Places } from "../../platform/places.ts";

/** The vectors of one store, as the resident process holds them. */
export interface StoreVectors {
  storeId: string;
  /** Place of the store among the collection's readers. */
  place: number;
  /** Where they are kept between processes. */
  file: string;
  table: VectorTable;
  /** Document key by content hash, of the memories that are there now. */
  cardKeys: Map<string, string>;
}

/** Where the vectors of a store lie: beside its index, and like it derived. */
export function vectorFile(places: Places, store: StoreRef): string {
  return `${indexDirectory(places, store)}.vectors`;
}
