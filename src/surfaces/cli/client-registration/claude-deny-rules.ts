import { homedir } from "node:os";
import type { JsonObject } from "./config-file.ts";
import { childObject, notEditable } from "./config-file.ts";

/** Folders of heed's that a model's own tools have nothing to write in; absolute. */
export interface ProtectedFolders {
  /** What heed knows of the user's word: never written by a tool. */
  records: readonly string[];
  /** Memories that take force: the client asks first. */
  stores: readonly string[];
}

/** The folders of heed's on this machine, from what `heed.setup.status()` says of places. */
export function protectedFolders(places: {
  state: string;
  config: string;
  userStore: string;
}): ProtectedFolders {
  return { records: [places.state, places.config], stores: [places.userStore] };
}

/**
 * Puts rules for heed's folders into Claude Code's settings: `permissions.deny` for records, `permissions.ask` for
 * stores (any repository's `.heed` too), and `sandbox.filesystem.denyWrite`, by which the kernel refuses what a sandboxed
 * command does in any spelling. None of it turns the sandbox on. What stands there already stays; a second time changes
 * nothing.
 *
 * @throws HeedError `invalid-input` when one of these settings is no list.
 */
export function addDenyRules(settings: JsonObject, folders: ProtectedFolders, file: string): void {
  for (const { path, entries } of wantedRules(folders)) {
    const { holder, key, list } = listAt(settings, path, file);
    holder[key] = [...list, ...entries.filter((entry) => !list.includes(entry))];
  }
}

/** Takes the same rules out again, with what became empty by it. */
export function removeDenyRules(settings: JsonObject, folders: ProtectedFolders, file: string): void {
  for (const { path, entries } of wantedRules(folders)) {
    if (path.some((_, i) => at(settings, path.slice(0, i + 1)) === undefined)) continue;
    const { holder, key, list } = listAt(settings, path, file);
    const left = list.filter((entry) => !entries.includes(String(entry)));
    if (left.length === list.length) continue;
    if (left.length > 0) holder[key] = left;
    else prune(settings, path);
  }
}

function wantedRules({ records, stores }: ProtectedFolders): { path: string[]; entries: string[] }[] {
  const edit = (folder: string): string => `Edit(${rulePath(folder)}/**)`;
  return [
    { path: ["permissions", "deny"], entries: records.map(edit) },
    { path: ["permissions", "ask"], entries: [...stores.map(edit), "Edit(**/.heed/**)"] },
    { path: ["sandbox", "filesystem", "denyWrite"], entries: [...records, ...stores] },
  ];
}

/** A folder as Claude Code's rules name it: `~/…` below home, else `//…` from the root. */
function rulePath(folder: string): string {
  const path = folder
    .replaceAll("\\", "/")
    .replace(/^([A-Za-z]):/, (_, drive: string) => `/${drive.toLowerCase()}`);
  const home = homedir().replaceAll("\\", "/");
  return path.startsWith(`${home}/`) ? `~/${path.slice(home.length + 1)}` : `/${path}`;
}

function listAt(
  settings: JsonObject,
  path: readonly string[],
  file: string,
): { holder: JsonObject; key: string; list: unknown[] } {
  const key = path.at(-1) ?? "";
  let holder = settings;
  for (const step of path.slice(0, -1)) holder = childObject(holder, step, file);
  const list = holder[key] ?? [];
  if (!Array.isArray(list)) throw notEditable(file, `${path.join(".")} is no list`);
  return { holder, key, list: list as unknown[] };
}

function at(settings: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? (value as JsonObject)[key] : undefined),
    settings,
  );
}

function prune(settings: JsonObject, path: readonly string[]): void {
  for (let depth = path.length; depth > 0; depth--) {
    const holder = at(settings, path.slice(0, depth - 1)) as JsonObject;
    const key = path[depth - 1] ?? "";
    const value = holder[key];
    const isOurs = depth === path.length || Object.keys(value as object).length === 0;
    if (!isOurs) return;
    delete holder[key];
  }
}
