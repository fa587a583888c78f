import type { Problem } from "../../errors/problem.ts";
import type { MemoryStore } from "../../store/memory-store.ts";
import type { Workspace } from "./place.ts";

/** The stores that a process writes to. Kept apart from what opens them: closing must not load it. */
const opened = new WeakMap<Workspace, Map<string, MemoryStore>>();

/** The stores that were opened for a workspace, by a key of the opener's. */
export function openedStores(workspace: Workspace): Map<string, MemoryStore> {
  const stores = opened.get(workspace) ?? new Map<string, MemoryStore>();
  opened.set(workspace, stores);
  return stores;
}

/** Waits until generated files and history of all stores that were written to are up to date. */
export async function settleStores(workspace: Workspace): Promise<Problem[]> {
  const stores = [...(opened.get(workspace)?.values() ?? [])];
  return (await Promise.all(stores.map((store) => store.finish()))).flat();
}
