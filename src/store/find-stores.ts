import { existsSync, lstatSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { TypeTable } from "../memory/memory-type.ts";
import type { Problem } from "../machine/heed-error.ts";
import type { StoreRef } from "../memory/memory.ts";
import type { Places } from "../machine/places.ts";
import type { CaptureMode, Mode, StoreConfig, Writer, WriteSetting } from "./config/store-config.ts";
import { CONFIG_FILE, MAP_CHARS, readStoreConfig } from "./config/store-config.ts";
import { isSameRepository, readRepository, remoteName } from "../machine/repository-identity.ts";
import { type Policy, readPolicy } from "./config/policy.ts";
import { type StoreRegistry, type TeamEntry, idAt, isTrustedStore, readStoreRegistry } from "./consent.ts";
import { realPathOf } from "../machine/regular-file.ts";
import { sha256Hex } from "../machine/sha256.ts";

export const PROJECT_FOLDER: string = ".heed";

export interface FoundStores {
  /** User store first, then the project's, then shared ones, the attached, and those of servers. Stores whose directory is missing are left out. */
  stores: StoreRef[];
  types: TypeTable;
  /** The project's mode, else the user's, else `typed`. */
  mode: Mode;
  /** What the user's configuration says, default on; a project may only turn it off. */
  capture: CaptureMode;
  /** Characters of the map of a fresh context, of the project's configuration, else the user's; 0: none. */
  mapChars: number;
  /** What the user's configuration says, default on; a project may only turn it off. */
  history: "on" | "off";
  /** The user's alone; undefined until they have said so. */
  writer: Writer | undefined;
  writes: readonly WriteSetting[];
  policy: Policy;
  hasServers: boolean;
  problems: Problem[];
}

/** Finds the stores that hold in a working directory. Reads a handful of small files, starts no process. */
export function findStores(cwd: string, places: Places): FoundStores {
  const registry = readStoreRegistry(places);
  const policy = readPolicy(places.policy);
  const stores: StoreRef[] = [];
  const configs: StoreConfig[] = [];
  const { userStore } = places;
  const ofUser = isDirectory(userStore) ? readStoreConfig(userStore, places) : undefined;
  if (ofUser) {
    configs.push(ofUser);
    const id = ofUser.id ?? idAt(registry, userStore) ?? "user";
    stores.push({ id, kind: "user", root: userStore, isTrusted: true, isReadOnly: false });
  }
  const projectRoot = findProjectRoot(cwd);
  // A link is not followed: a clone can bring one that leads to the whole file system, or to a store trusted elsewhere.
  if (projectRoot && isDirectory(join(projectRoot, PROJECT_FOLDER), lstatSync)) {
    const root = join(projectRoot, PROJECT_FOLDER);
    const config = readStoreConfig(root, places);
    const id = config.id ?? idAt(registry, root) ?? `P${sha256Hex(root).slice(0, 25).toUpperCase()}`;
    const isTrusted = isTrustedStore(places, { id, root }, registry);
    stores.push({ id, kind: "project", root, isTrusted, isReadOnly: false });
    // What an untrusted repository declares about modes and types must not change what happens here.
    configs.unshift(
      isTrusted
        ? heldToRules(config, root, registry)
        : { ...config, mode: undefined, mapChars: undefined, types: [] },
    );
  }
  for (const team of registry.teams) {
    const store = teamRef(places, team);
    const here = readRepository(cwd, places);
    // Its settings do not count: no review shows them.
    if (here && team.repositories.some((name) => isSameRepository(name, here)) && isDirectory(store.root))
      stores.push(store);
  }
  for (const { id, root } of registry.attached)
    if (isDirectory(root)) stores.push({ id, kind: "attached", root, isTrusted: true, isReadOnly: true });
  stores.push(...serverStores(registry, places));
  const unlessOff = (what: "capture" | "history"): "on" | "off" =>
    policy.off.includes(what) || configs.some((config) => config[what] === "off") ? "off" : "on";
  return {
    stores,
    policy,
    hasServers: registry.servers.length > 0,
    types: new TypeTable(configs.flatMap((config) => config.types)),
    mode: configs.map((config) => config.mode).find(Boolean) ?? "typed",
    capture: policy.writes === "nobody" ? "off" : unlessOff("capture"),
    mapChars: configs.find(({ mapChars }) => mapChars !== undefined)?.mapChars ?? MAP_CHARS.auto,
    history: unlessOff("history"),
    writer: ofUser?.writer,
    // What is never pushed would be lost with this machine: it waits, and is listed.
    writes: [
      ...configs.flatMap((config) => config.writes ?? []),
      ...(registry.unpushed.includes(realPathOf(userStore)) ? (["ask"] as const) : []),
    ],
    problems: configs.flatMap((config) => config.problems),
  };
}

/** A shared store as a store: its files are in the state directory, where no tool of a model's writes. */
export function teamRef(places: Places, { id, address, commit, offered = "" }: TeamEntry): StoreRef {
  const source = `${remoteName(address) ?? address}@${(commit ?? offered).slice(0, 7)}`;
  const root = join(places.state, "teams", id, "memories");
  return { id, kind: "team", root, isTrusted: commit !== undefined, isReadOnly: true, source };
}

/** A pulled setting must not switch the user's rules off: only `heed config mode off` on this machine does. */
function heldToRules(config: StoreConfig, root: string, { silenced }: StoreRegistry): StoreConfig {
  if (config.mode !== "off" || silenced.includes(realPathOf(root))) return config;
  const problem: Problem = {
    file: CONFIG_FILE,
    severity: "warning",
    code: "config",
    message: "mode is off, which was not set on this machine: rules and guards stay in force",
    remedy: "run heed config mode off --project to switch them off here",
  };
  return { ...config, mode: "rules", problems: [...config.problems, problem] };
}

/** The copies of what teams share on their servers: kept beside heed's own records, so that no tool writes there. */
function serverStores({ servers }: StoreRegistry, places: Places): StoreRef[] {
  return servers.flatMap(({ url, audiences }) =>
    audiences
      .filter(({ id }) => /^[0-9A-Z]{26}$/.test(id))
      .map(({ id, name, canWrite }): StoreRef => {
        const server = { url, audience: name };
        const root = join(places.state, "team", id);
        return { id, kind: "team", root, isTrusted: true, isReadOnly: !canWrite, server };
      }),
  );
}

export function findProjectRoot(cwd: string): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, PROJECT_FOLDER)) || existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function isDirectory(path: string, stat: typeof lstatSync = statSync): boolean {
  return stat(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
