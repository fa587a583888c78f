import { chmodSync, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { HeedError, ioFailed } from "../machine/heed-error.ts";
import { setYamlValue } from "../memory/codec/encode-memory.ts";
import type { Actor, StoreRef } from "../memory/memory.ts";
import { newId } from "../memory/handle.ts";
import { readText } from "../machine/atomic-file.ts";
import { isOpenToOthers, realPathOf, withIoErrors } from "../machine/regular-file.ts";
import { CONFIG_FILE, keptSettings, readStoreConfig, stateOfStore } from "../store/config/store-config.ts";
import { listMemoryFiles } from "../store/files/scan-store.ts";
import { findProjectRoot, PROJECT_FOLDER } from "../store/find-stores.ts";
import type { FileChange } from "../store/history/change-record.ts";
import { OVERVIEW_FILE } from "../store/files/generated-files.ts";
import { changeApprovals, isTrustedStore, trustStore } from "../store/consent.ts";
import { withLock } from "../machine/file-lock.ts";
import { openedStore } from "../here/opened-stores.ts";
import { keepingApprovals } from "../here/consent/review-store.ts";
import type { Place } from "../here/place.ts";
import type { Places } from "../machine/places.ts";
import { MemoryWriter } from "./memory-writer.ts";

/** Makes the user's store, or `.heed/` here; what is there stays. A `.heed/` of a clone stays untrusted. */
export async function makeStore(
  place: Place,
  kind: "user" | "project",
  actor: Actor = { kind: "person" },
): Promise<StoreRef> {
  const root =
    kind === "user" ? place.places.userStore : join(findProjectRoot(place.cwd) ?? place.cwd, PROJECT_FOLDER);
  assertDirectoryOrNothing(root);
  const isNew = !existsSync(join(root, CONFIG_FILE)) && listMemoryFiles(root).length === 0;
  // Settings of a store that was here before are none of the new one's.
  if (isNew) rmSync(keptSettings(join(root, CONFIG_FILE), place.places), { force: true });
  const mode = kind === "user" ? 0o700 : 0o755;
  withIoErrors("make", root, () => mkdirSync(root, { recursive: true, mode }));
  // A folder that was there before may let others in; a store that is made in it is private as any that heed makes.
  if (isNew && kind === "user" && isOpenToOthers(root))
    withIoErrors("make private", root, () => chmodSync(root, 0o700));
  const id = readStoreConfig(root, place.places).id ?? newId(place.now());
  const ref: StoreRef = { id, kind, root, isTrusted: true, isReadOnly: false };
  const state = stateOfStore(place.places, root);
  // What was lost of a known store is not made up for: that is told until somebody has looked.
  const known = { id: readStoreConfig(root, place.places).id ?? "user", root };
  if (kind === "user" && !isTrustedStore(place.places, known))
    await withLock(state.writeLock, { what: "approve rules" }, () => changeApprovals(state));
  const store = openedStore(place, ref);
  const files = [configChange(root, id, place.places), ignoreChange(root)].filter(
    (change) => change.before !== change.after,
  );
  if (files.length > 0) {
    const writer = new MemoryWriter(place, actor);
    const purpose = { kind: "setting", why: `init the ${kind} store` } as const;
    const change = (): Promise<unknown> =>
      writer.changeFiles(store.ref, files, purpose).catch((error: unknown) => {
        if (!(error instanceof HeedError && error.code === "changed-outside")) throw error;
      });
    // Files without an id get theirs from the store's: what was in force without one stays so.
    await (isNew ? change() : keepingApprovals(place, change));
  }
  if (isNew || kind === "user")
    await trustStore(place.places, readStoreConfig(root, place.places).id ?? id, root);
  await store.reconcile();
  place.lookAgain();
  return foundStore(place, root);
}

export async function usersStore(place: Place, actor?: Actor): Promise<StoreRef> {
  return place.stores.find(({ kind }) => kind === "user") ?? (await makeStore(place, "user", actor));
}

export function userStoreToBe({ places }: Place): StoreRef {
  return { id: "user", kind: "user", root: places.userStore, isTrusted: true, isReadOnly: false };
}

function configChange(root: string, id: string, places: Places): FileChange {
  const before = readText(join(root, CONFIG_FILE));
  const isNamed = readStoreConfig(root, places).id !== undefined;
  const head = "# Identity of this store; keep it when you copy or move the directory.\n";
  const after = isNamed
    ? before
    : before === null
      ? `${head}store: ${id}\n`
      : setYamlValue(before, ["store"], id);
  return { file: CONFIG_FILE, before, after };
}

/** The overview differs from branch to branch and machine to machine: it stays out of every history. */
function ignoreChange(root: string): FileChange {
  const before = readText(join(root, ".gitignore"));
  const lines = (before ?? "").split(/\r?\n/).map((line) => line.trim());
  const isMissing = (file: string): boolean => !lines.includes(file) && !lines.includes(`/${file}`);
  const missing = [OVERVIEW_FILE, ".heed-*.tmp"].filter(isMissing);
  const lead = before === null || before === "" || before.endsWith("\n") ? (before ?? "") : `${before}\n`;
  const after = missing.length === 0 ? before : `${lead}${missing.join("\n")}\n`;
  return { file: ".gitignore", before, after };
}

function assertDirectoryOrNothing(root: string): void {
  const stats = withIoErrors("open", root, () => statSync(root, { throwIfNoEntry: false }));
  const message = `${root} is a file, but a store is a directory: move the file away`;
  if (stats && !stats.isDirectory()) throw ioFailed("make", root, message);
}

export function foundStore(place: Place, root: string): StoreRef {
  const found = place.stores.find((store) => realPathOf(store.root) === realPathOf(root));
  if (!found) throw new HeedError("no-store", `the store at ${root} is not found`, { store: root });
  return found;
}
