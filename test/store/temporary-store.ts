import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { TypeTable } from "../../src/memory/memory-type.ts";
import type { StoreRef } from "../../src/memory/memory.ts";
import { type FileStoreOptions, FileMemoryStore } from "../../src/store/file-memory-store.ts";
import type { Places } from "../../src/machine/places.ts";
import { keepUncommitted } from "../home/temporary-heed.ts";

/** A directory that goes away with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "heed-store-"));
  onTestFinished(
    () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
    60_000,
  );
  return folder;
}

/** Private directories for one test. */
export function temporaryPlaces(folder: string = temporaryFolder()): Places {
  return {
    userStore: join(folder, "store"),
    state: join(folder, "state"),
    cache: join(folder, "cache"),
    config: join(folder, "config"),
    policy: join(folder, "policy.yaml"),
  };
}

/** A store of files in a directory of its own. */
export function temporaryStore(
  ref: Partial<StoreRef> = {},
  options: Partial<FileStoreOptions> = {},
): FileMemoryStore {
  const places = options.places ?? temporaryPlaces();
  const root = ref.root ?? places.userStore;
  mkdirSync(root, { recursive: true });
  const whole: StoreRef = { id: "user", kind: "user", isTrusted: true, isReadOnly: false, ...ref, root };
  const store = new FileMemoryStore(whole, {
    types: new TypeTable(),
    now: () => new Date(),
    ...options,
    places,
  });
  // What is still being committed must not outlive the directory.
  onTestFinished(async () => {
    if (whole.kind === "user" && existsSync(root)) keepUncommitted(root);
    await store.finish();
  });
  return store;
}

/** Writes a file of a store behind heed's back. */
export function editOutside(root: string, file: string, text: string): void {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
