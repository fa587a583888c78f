import { join } from "node:path";
import { FORMATS, newerAt, newerFile, parseVersioned } from "../../platform/versioned-file.ts";
import type { Places } from "../../platform/places.ts";
import { realPathOf, MAX_OWN_FILE_BYTES, readRegularFile } from "../../platform/regular-file.ts";

interface AttachedEntry {
  id: string;
  root: string;
  /** The user allowed heed to write there. */
  isWritable: boolean;
}

/**
 * Which stores were made or approved on this machine, and which directories are attached. Private, so that a
 * clone cannot call itself trusted.
 */
export interface StoreRegistry {
  /** Store ids with the real paths at which they are trusted. */
  trusted: Record<string, string[]>;
  attached: AttachedEntry[];
  /** Real paths of project stores that were switched off on this machine. */
  silenced?: string[];
}

/** The file of the registry. */
export const registryFile = (places: Places): string => join(places.state, "stores.json");

/** Reads the registry; an absent or damaged one counts as empty, so that nothing is trusted by accident. */
export function readStoreRegistry(places: Places): StoreRegistry {
  try {
    return parseStoreRegistry(
      readRegularFile(registryFile(places), { maxBytes: MAX_OWN_FILE_BYTES }),
      registryFile(places),
    );
  } catch {
    return { trusted: {}, attached: [] };
  }
}

/**
 * The registry that the text of a file says.
 *
 * @throws HeedError `io-failed` when a newer heed wrote it, RangeError when it is none.
 */
export function parseStoreRegistry(text: string, file: string): StoreRegistry {
  const value: Partial<StoreRegistry> | undefined = parseVersioned(text, file, FORMATS.stores);
  const newer = newerAt(file);
  if (newer) throw newerFile(newer);
  if (!value) throw new RangeError("no list of stores");
  return {
    trusted: value.trusted ?? {},
    attached: value.attached ?? [],
    ...(Array.isArray(value.silenced) && { silenced: value.silenced }),
  };
}

/** Whether the store of this id was made or approved at this very place: a copy elsewhere is another store. */
export function isTrustedStore(registry: StoreRegistry, id: string, root: string): boolean {
  // The id comes with a clone: it may be the name of something that every object has.
  const roots: unknown = Object.hasOwn(registry.trusted, id) ? registry.trusted[id] : [];
  return Array.isArray(roots) && roots.includes(realPathOf(root));
}
