import { existsSync, mkdirSync, statSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import type { Actor } from "../../memory/actor.ts";
import { setYamlValue } from "../../memory/edit-yaml.ts";
import { HeedError } from "../../memory/heed-error.ts";
import { newId } from "../../memory/new-id.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import { readText } from "../../store/atomic-file.ts";
import { changeStoreRegistry, trustStore } from "../../store/change-store-registry.ts";
import type { FileChange } from "../../store/change-record.ts";
import { findProjectRoot, PROJECT_FOLDER } from "../../store/find-stores.ts";
import { withIoErrors } from "../../store/io-failure.ts";
import { listMemoryFiles } from "../../store/scan-store.ts";
import { CONFIG_FILE, readStoreConfig } from "../../store/store-config.ts";
import { realPathOf } from "../../store/store-state.ts";
import { GENERATED_FILES } from "../../store/user-repository.ts";
import { readClaimWords, recordClaimWord } from "../reading/attached-claims.ts";
import { openCollection } from "./collection.ts";
import { openedStore } from "./opened-stores.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Makes the user's store, or `.heed/` in the repository at hand (in the working directory where there is none). What is
 * there is kept, so doing it again changes nothing. A `.heed/` that came with a clone stays untrusted: its memories
 * are data until `trustProjectStore` says otherwise.
 */
export async function initStore(workspace: Workspace, kind: "user" | "project"): Promise<StoreRef> {
  const root = kind === "user" ? workspace.places.userStore : projectFolder(workspace);
  assertDirectoryOrNothing(root);
  const isNew = !existsSync(join(root, CONFIG_FILE)) && listMemoryFiles(root).length === 0;
  withIoErrors("make", root, () =>
    mkdirSync(root, { recursive: true, mode: kind === "user" ? 0o700 : 0o755 }),
  );
  const id = readStoreConfig(root).id ?? newId(workspace.now());
  const store = openedStore(workspace, { id, kind, root, isTrusted: true, isReadOnly: false });
  const files = [configChange(root, id), ignoreChange(root)].filter(
    (change) => change.before !== change.after,
  );
  if (files.length > 0) {
    const note = { why: `init the ${kind} store`, actor: { kind: "person" } as const };
    await store.change(files, note).catch((error: unknown) => {
      // Somebody else has just made it: theirs stands.
      if (!(error instanceof HeedError && error.code === "changed-outside")) throw error;
    });
  }
  if (isNew || kind === "user") await trustStore(workspace.places, readStoreConfig(root).id ?? id, root);
  await store.settle();
  return foundStore(workspace, root);
}

/**
 * Adds a directory of another tool. A second time for the same directory changes whether it may be written. The rules that
 * stand there are the user's word when a person attaches it; those that come later wait for it, as do all that a model
 * attaches.
 */
export async function attachStore(
  workspace: Workspace,
  directory: string,
  isWritable = false,
  actor: Actor = { kind: "person" },
): Promise<StoreRef> {
  const root = resolve(workspace.cwd, directory);
  assertAttachable(workspace, root);
  await changeStoreRegistry(workspace.places, (registry) => {
    const known = registry.attached.find((entry) => realPathOf(entry.root) === realPathOf(root));
    const entry = { id: known?.id ?? newId(workspace.now()), root: known?.root ?? root, isWritable };
    const others = registry.attached.filter((other) => other !== known);
    return { ...registry, attached: [...others, entry] };
  });
  const store = foundStore(workspace, root);
  if (actor.kind === "person") await acceptRules(workspace, store);
  return store;
}

/** What speaks to a model, or tells of the user, is confirmed one by one all the same. */
async function acceptRules(workspace: Workspace, store: StoreRef): Promise<void> {
  const collection = await openCollection(workspace, { thoroughness: "full" });
  const words = readClaimWords(workspace.places);
  for (const card of collection.cards()) {
    const isRule = collection.types.get(card.type)?.injection === "always";
    if (card.storeId === store.id && isRule && card.flags === undefined && !words.has(card.contentHash))
      recordClaimWord(workspace.places, card, { word: "confirmed", time: workspace.now() });
  }
}

/** Forgets an attached directory, given by its path or id. Its files are not touched. */
export async function detachStore(workspace: Workspace, directory: string): Promise<void> {
  const root = resolve(workspace.cwd, directory);
  await changeStoreRegistry(workspace.places, (registry) => {
    const attached = registry.attached.filter(
      (entry) => entry.id !== directory && realPathOf(entry.root) !== realPathOf(root),
    );
    if (attached.length === registry.attached.length) {
      const roots = registry.attached.map((entry) => entry.root);
      const hint = roots.length > 0 ? `attached are ${roots.join(", ")}` : "no directory is attached";
      throw new HeedError("no-store", `${root} is not attached: ${hint}`, {
        store: directory,
        attached: roots,
      });
    }
    return { ...registry, attached };
  });
}

function projectFolder(workspace: Workspace): string {
  return join(findProjectRoot(workspace.cwd) ?? workspace.cwd, PROJECT_FOLDER);
}

function foundStore(workspace: Workspace, root: string): StoreRef {
  const found = workspace.find().stores.find((store) => realPathOf(store.root) === realPathOf(root));
  if (!found) throw new HeedError("no-store", `the store at ${root} is not found`, { store: root });
  return found;
}

/** The store's identity is added where it is missing; everything else in the configuration stays. */
function configChange(root: string, id: string): FileChange {
  const before = readText(join(root, CONFIG_FILE));
  const isNamed = readStoreConfig(root).id !== undefined;
  const head = "# Identity of this store; keep it when you copy or move the directory.\n";
  const after = isNamed
    ? before
    : before === null
      ? `${head}store: ${id}\n`
      : setYamlValue(before, ["store"], id);
  return { file: CONFIG_FILE, before, after };
}

/** Generated files differ from branch to branch and machine to machine: they stay out of every history. */
function ignoreChange(root: string): FileChange {
  const before = readText(join(root, ".gitignore"));
  const lines = (before ?? "").split(/\r?\n/).map((line) => line.trim());
  const missing = [...GENERATED_FILES, ".heed-*.tmp"].filter(
    (file) => !lines.includes(file) && !lines.includes(`/${file}`),
  );
  const lead = before === null || before === "" || before.endsWith("\n") ? (before ?? "") : `${before}\n`;
  const after = missing.length === 0 ? before : `${lead}${missing.join("\n")}\n`;
  return { file: ".gitignore", before, after };
}

function assertDirectoryOrNothing(root: string): void {
  const stats = withIoErrors("open", root, () => statSync(root, { throwIfNoEntry: false }));
  if (stats && !stats.isDirectory()) {
    throw new HeedError("io-failed", `${root} is a file, and a store is a directory: move it away`, {
      file: root,
      operation: "make",
    });
  }
}

function assertAttachable(workspace: Workspace, root: string): void {
  const { userStore, state, cache } = workspace.places;
  const real = realPathOf(root);
  const refuse = (reason: string): never => {
    throw new HeedError("invalid-input", `${root} cannot be attached: ${reason}`, {
      argument: "directory",
      value: root,
    });
  };
  const stats = withIoErrors("open", root, () => statSync(root, { throwIfNoEntry: false }));
  if (!stats) refuse("there is no such directory");
  if (!stats?.isDirectory()) refuse("it is a file; name the directory that holds it");
  if (real.split(sep).includes(".git")) refuse("it is inside of a repository's own records");
  if (real.split(sep).includes(PROJECT_FOLDER)) refuse("it is a project store, which is found by itself");
  const home = workspace.env["HOME"] ?? workspace.env["USERPROFILE"];
  if (real === resolve(sep) || (home && real === realPathOf(home)))
    refuse("everything below it would be read; name the directory of the memories");
  for (const own of [userStore, state, cache].map(realPathOf)) {
    if (isWithin(real, own) || isWithin(own, real)) refuse(`heed keeps its own files in ${own}`);
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
