import { join } from "node:path";
import type { Places } from "../../platform/places.ts";
import { realPathOf } from "../../platform/stat-if-there.ts";
import { sha256Hex } from "../../platform/sha256.ts";

/** Where heed keeps its own records about one store: in the private state directory, never in the store. */
export interface StoreState {
  /** The folder of all the rest. */
  folder: string;
  /** The lock of writers, and the lock of those who carry changes into git. */
  writeLock: string;
  commitLock: string;
  /** The change that is under way: what a crash left here is finished at the next write. */
  intent: string;
  /** One file a change, named after its id. */
  changes: string;
  /** The id of the newest change, so that the next one sorts after it. */
  lastChange: string;
  /** How many runs of settling began and ended. */
  reconciles: string;
  /** Tombstones of stores that belong to another tool, in whose directory heed leaves none. */
  tombstones: string;
}

/** The state of the store at a directory. Known by its real path: two ways to one directory are one store. */
export function stateOfStore(places: Places, root: string): StoreState {
  const key = sha256Hex(realPathOf(root)).slice(0, 20);
  const folder = join(places.state, "stores", key);
  return {
    folder,
    writeLock: join(folder, "lock"),
    commitLock: join(folder, "commit-lock"),
    intent: join(folder, "intent.json"),
    changes: join(folder, "changes"),
    lastChange: join(folder, "last-change"),
    reconciles: join(folder, "settles"),
    tombstones: join(folder, "tombstones"),
  };
}
