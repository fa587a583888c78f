import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Places } from "./places.ts";

/** A directory of another tool that the user attached. */
export interface AttachedEntry {
  id: string;
  root: string;
  /** The user allowed heed to write there. */
  isWritable: boolean;
}

/**
 * What this machine knows about stores: which ones were made or approved here, and which directories are attached.
 * It lives in the private state directory, so that nothing that comes with a clone can claim to be trusted.
 */
export interface StoreRegistry {
  /** Store ids with the real paths at which they are trusted. */
  trusted: Record<string, string[]>;
  attached: AttachedEntry[];
}

const fileOf = (places: Places): string => join(places.state, "stores.json");

/** Reads the registry; an absent or damaged one counts as empty, so that nothing is trusted by accident. */
export function readStoreRegistry(places: Places): StoreRegistry {
  try {
    const value = JSON.parse(readFileSync(fileOf(places), "utf8")) as Partial<StoreRegistry>;
    return { trusted: value.trusted ?? {}, attached: value.attached ?? [] };
  } catch {
    return { trusted: {}, attached: [] };
  }
}

/** Replaces the registry in one step. */
export function writeStoreRegistry(places: Places, registry: StoreRegistry): void {
  const file = fileOf(places);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify(registry, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** Whether the store of this id was made or approved at this very place: a copy elsewhere is another store. */
export function isTrustedStore(registry: StoreRegistry, id: string, root: string): boolean {
  return (registry.trusted[id] ?? []).includes(realPath(root));
}

/** Records a store as made or approved on this machine. */
export function trustStore(places: Places, id: string, root: string): void {
  const registry = readStoreRegistry(places);
  const roots = registry.trusted[id] ?? [];
  const real = realPath(root);
  if (roots.includes(real)) return;
  writeStoreRegistry(places, { ...registry, trusted: { ...registry.trusted, [id]: [...roots, real] } });
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
