import { join } from "node:path";
import { FORMATS, readVersioned } from "../../machine/versioned-file.ts";
import type { Places } from "../../machine/places.ts";
import { realPathOf } from "../../machine/regular-file.ts";

interface AttachedEntry {
  id: string;
  root: string;
  /** The user allowed heed to write there. */
  isWritable: boolean;
}

/** A server that a team shares stores on, as this machine last saw it. */
export interface ServerEntry {
  /** Its address without a password. */
  url: string;
  /** Those of the person who logs in; each is a store with a copy here. */
  audiences: { id: string; name: string; canWrite: boolean }[];
}

/** One repository of memories that is read in many, at a commit that a person chose. */
export interface TeamEntry {
  id: string;
  /** A git address or path. */
  address: string;
  /** What a person has put into force; undefined: nothing yet. */
  commit?: string;
  /** What was fetched since, and waits for a review. */
  offered?: string;
  /** Names of the repositories in which it holds, with `*` for anything. */
  repositories: string[];
}

/**
 * Which stores were made or approved on this machine, and which directories are attached. Private, so that a
 * clone cannot call itself trusted.
 */
export interface StoreRegistry {
  /** Store ids with the real paths at which they are trusted. */
  trusted: Record<string, string[]>;
  attached: AttachedEntry[];
  teams?: TeamEntry[];
  servers?: ServerEntry[];
  /** Real paths of project stores that were switched off on this machine. */
  silenced?: string[];
}

/** The file of the registry. */
export const registryFile = (places: Places): string => join(places.state, "stores.json");

/** Reads the registry; an absent one, or a damaged one of which nothing is kept, counts as empty, so that nothing is trusted by accident. */
export function readStoreRegistry(places: Places): StoreRegistry {
  return registryOf(readVersioned(registryFile(places), FORMATS.stores));
}

/** The registry that the content of its file says. */
export function registryOf(value: Partial<StoreRegistry> | undefined): StoreRegistry {
  return {
    trusted: value?.trusted ?? {},
    attached: value?.attached ?? [],
    ...(Array.isArray(value?.teams) && { teams: value.teams }),
    ...(Array.isArray(value?.servers) && { servers: value.servers }),
    ...(Array.isArray(value?.silenced) && { silenced: value.silenced }),
  };
}

/** Whether the store of this id was made or approved at this very place: a copy elsewhere is another store. */
export function isTrustedStore(registry: StoreRegistry, id: string, root: string): boolean {
  // The id comes with a clone: it may be the name of something that every object has.
  const roots: unknown = Object.hasOwn(registry.trusted, id) ? registry.trusted[id] : [];
  return Array.isArray(roots) && roots.includes(realPathOf(root));
}

/** The id by which the store at a place is known here: its own file may not be readable by now. */
export function idAt(registry: StoreRegistry, root: string): string | undefined {
  return Object.keys(registry.trusted).find((id) => isTrustedStore(registry, id, root));
}
