import { FORMATS, requireState, writeVersioned } from "../../machine/versioned-file.ts";
import type { Places } from "../../machine/places.ts";
import { withLock } from "../../machine/file-lock.ts";
import { type StoreRegistry, registryFile, registryOf } from "./store-registry.ts";
import { realPathOf } from "../../machine/regular-file.ts";

/**
 * Changes the registry, one process at a time.
 *
 * @param edit makes the new registry from the current one; what it throws cancels the change.
 */
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

/** Records a store as made or approved on this machine. */
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
