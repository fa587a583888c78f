import { join } from "node:path";
import type { TypeTable } from "../../memory/memory-type.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import { readText } from "../../platform/atomic-file.ts";
import type { Tombstone } from "./tombstone.ts";
import { listMemoryFiles, readMemoryFile } from "./scan-store.ts";
import { readRemoval, TOMBSTONE_FOLDER } from "./tombstone.ts";

/** The removed memories in a folder of tombstones, the last one first. */
export function listTombstones(store: StoreRef, root: string, types: TypeTable): Tombstone[] {
  return listMemoryFiles(root)
    .flatMap((file): Tombstone[] => {
      const text = readText(join(root, file));
      const { memory } = readMemoryFile({ ...store, root }, file, types);
      if (text === null || !memory) return [];
      return [{ memory, file: `${TOMBSTONE_FOLDER}/${file}`, ...readRemoval(text) }];
    })
    .sort(lastRemovedFirst);
}

/** Removals within one second are told apart by the numbers of their files, of which the longer is the higher. */
function lastRemovedFirst(a: Tombstone, b: Tombstone): number {
  if (a.removed !== b.removed) return a.removed < b.removed ? 1 : -1;
  return b.file.length - a.file.length || b.file.localeCompare(a.file);
}
