import { join } from "node:path";
import { FORMATS, readVersioned, requireState, writeVersioned } from "../../machine/versioned-file.ts";
import type { Places } from "../../machine/places.ts";
import { realPathOf } from "../../machine/regular-file.ts";
import { withLock } from "../../machine/file-lock.ts";

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
  address: string;
  /** What a person has put into force; undefined: nothing yet. */
  commit?: string;
  /** What was fetched since, and waits for a review. */
  offered?: string;
  /** Names of the repositories in which it holds, with `*` for anything. */
  repositories: string[];
}

/** Stores made or approved on this machine, and attached directories. Private: a clone cannot call itself trusted. */
export interface StoreRegistry {
  /** Store ids with the real paths at which they are trusted. */
  trusted: Record<string, string[]>;
  attached: AttachedEntry[];
  teams?: TeamEntry[];
  servers?: ServerEntry[];
  /** Real paths of project stores that were switched off on this machine. */
  silenced?: string[];
}

export const registryFile = (places: Places): string => join(places.state, "stores.json");

/** Reads the registry; an absent one, or a damaged one of which nothing is kept, counts as empty, so that nothing is trusted by accident. */
export function readStoreRegistry(places: Places): StoreRegistry {
  return registryOf(readVersioned(registryFile(places), FORMATS.stores));
}

export function registryOf(value: Partial<StoreRegistry> | undefined): StoreRegistry {
  return {
    trusted: value?.trusted ?? {},
    attached: soundEntries(value?.attached, "id", "root"),
    ...(Array.isArray(value?.teams) && { teams: soundEntries(value.teams, "id", "address", "repositories") }),
    ...(Array.isArray(value?.servers) && { servers: soundEntries(value.servers, "url", "audiences") }),
    ...(Array.isArray(value?.silenced) && { silenced: value.silenced }),
  };
}

/** Entries with texts and lists where they have them: one that is damaged must not silence all stores. */
function soundEntries<Entry extends object>(
  list: readonly Entry[] | undefined,
  ...keys: readonly (keyof Entry)[]
): Entry[] {
  if (!Array.isArray(list)) return [];
  const isSound = (value: unknown): boolean => typeof value === "string" || Array.isArray(value);
  return list.filter((entry: Entry | null) => keys.every((key) => isSound(entry?.[key])));
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

/** Changes the registry, one process at a time. What `edit` throws cancels the change. */
export async function changeStoreRegistry(
  places: Places,
  edit: (registry: StoreRegistry) => StoreRegistry,
): Promise<void> {
  const file = registryFile(places);
  await withLock(`${file}.lock`, { what: "change the list of stores" }, () => {
    // One that cannot be read must not count as empty: all of it would be lost.
    const known = requireState(file, FORMATS.stores, "attach and trust your stores again");
    const registry = edit(registryOf(known));
    writeVersioned(file, FORMATS.stores, registry, { indent: 2 });
  });
}

export async function trustStore(places: Places, id: string, root: string): Promise<void> {
  const real = realPathOf(root);
  await changeStoreRegistry(places, (registry) => {
    const roots = registry.trusted[id] ?? [];
    if (roots.includes(real)) return registry;
    return { ...registry, trusted: { ...registry.trusted, [id]: [...roots, real] } };
  });
}

/** Records whether a project store may switch heed off on this machine. */
export async function silenceStore(places: Places, root: string, isSilenced: boolean): Promise<void> {
  const real = realPathOf(root);
  await changeStoreRegistry(places, (registry) => {
    const others = (registry.silenced ?? []).filter((other) => other !== real);
    return { ...registry, silenced: isSilenced ? [...others, real] : others };
  });
}
