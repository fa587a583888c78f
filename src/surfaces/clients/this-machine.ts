import { type Dirent, accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { type Heed, startsFolder } from "../../heed.ts";
import { MAX_OWN_FILE_BYTES, readRegularFile } from "../../machine/regular-file.ts";
import { CLIENTS } from "./all-clients.ts";
import { ConnectionRecord } from "./connection-record.ts";
import { type ClientPlaces, clientPlaces } from "./entry/client-places.ts";
import type { Client, ProtectedFolders, Target } from "./entry/client.ts";
import { protectedFolders } from "./entry/protected-folders.ts";
import { isPluginBeside } from "../hooks/plugin-beside.ts";
import { quoted } from "../remedy-line.ts";

/** How heed was started here. */
export interface MachineRequest {
  /** Default: for the user everywhere. */
  scope?: ConnectionRequest["scope"];
  /** The repository's root; default: that of the project's store, or the directory at hand. */
  root?: string;
  cwd: string;
  /** The script that runs now. */
  script: string;
  env: ConnectionRequest["env"];
}

/** This machine, as connecting, disconnecting and examining clients see it. */
export interface Machine {
  request: ConnectionRequest;
  target: Target;
  record: ConnectionRecord;
  /** heed's own folders. */
  folders: { state: string; config: string; cache: string; userStore: string };
}

/** Where heed's own folders are, what it knows of the clients' files, and how clients start it from here. */
export async function thisMachine(setup: Heed["setup"], asked: MachineRequest): Promise<Machine> {
  const { scope = "user", root, cwd, script, env } = asked;
  const { places } = await setup.status();
  const project = setup.stores().find(({ kind }) => kind === "project");
  const request: ConnectionRequest = {
    scope,
    root: root ?? (project === undefined ? cwd : dirname(project.root)),
    script,
    env,
    protectedFolders: protectedFolders(places),
    starts: startsFolder(places),
  };
  const { state, config, cache, userStore } = places;
  return {
    request,
    target: targetOf(request),
    record: new ConnectionRecord(state),
    folders: { state, config, cache, userStore },
  };
}

/** Everything that heed can be taken out of: the user's files, and those of repositories that it was put into. */
export function recordedTargets({ request, record }: Machine): Target[] {
  const roots = [...record.files.values()].flatMap(({ scope, root }) => (scope === "project" ? [root] : []));
  return [
    targetOf({ ...request, scope: "user" }),
    ...[...new Set(roots)].map((root) => targetOf({ ...request, scope: "project", root })),
  ];
}

interface ConnectionRequest {
  scope: "user" | "project";
  root: string;
  /** The script that runs now: the `heed.cjs` that clients shall start. */
  script: string;
  env: Readonly<Record<string, string | undefined>>;
  protectedFolders: ProtectedFolders;
  starts: string;
}

/** Where heed is put, and how it is started from there. A repository's files are read on other machines: no paths of this one. */
export function targetOf({ scope, root, script, env, protectedFolders, starts }: ConnectionRequest): Target {
  return {
    places: clientPlaces(env),
    launch:
      scope === "project" ? { command: "heed", args: [] } : { command: process.execPath, args: [script] },
    scope,
    root,
    protectedFolders,
    starts,
  };
}

/** Why heed has nothing to add to a client, where that is so. */
export function whyNotNeeded(client: Client, { env }: Pick<ConnectionRequest, "env">): string | undefined {
  return client.name === "claude-code" && isPluginBeside(env)
    ? "The heed plugin is installed in Claude Code and does all of this; nothing was added."
    : undefined;
}

/** What will not last about the way in which heed is started. */
export function launchNotes({ script }: Pick<ConnectionRequest, "script">): string[] {
  const cache = /^.*[/\\]_npx[/\\][^/\\]+(?=[/\\])/.exec(script)?.[0];
  if (cache === undefined) return [];
  const given = givenToNpx(cache);
  const install =
    given === undefined
      ? "install what you gave npx by npm install --global"
      : `npm install --global ${quoted(given)}`;
  return [`heed runs from npx's cache, which is emptied now and then: ${install}, then run heed init again.`];
}

/** The package of heed that npx was given, as a name, an address or a path: the name alone may be somebody else's. */
function givenToNpx(cache: string): string | undefined {
  try {
    const text = readRegularFile(join(cache, "package.json"), { maxBytes: MAX_OWN_FILE_BYTES });
    const packages = (JSON.parse(text) as { _npx?: { packages?: unknown } })._npx?.packages;
    const [only, ...more] = Array.isArray(packages) ? (packages as unknown[]) : [];
    return typeof only === "string" && more.length === 0 ? only : undefined;
  } catch {
    return undefined;
  }
}

/** Finds the clients on this machine by their programs and folders; nothing is started. */
export function findClients(places: ClientPlaces): Client[] {
  return CLIENTS.filter((client) => client.folders(places).some(isOfClient) || hasProgram(client, places));
}

/** Whether a folder holds anything but hooks of heed: VS Code's lie in the folder of Copilot CLI. */
function isOfClient(folder: string): boolean {
  if (!existsSync(folder)) return false;
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const isOwn = (entry: Dirent): boolean =>
      entry.isDirectory() ? !isOfClient(join(folder, entry.name)) : entry.name === "heed.json";
    return entries.length === 0 || !entries.every(isOwn);
  } catch {
    return true;
  }
}

/** Whether the client's program is on the PATH. */
export function hasProgram({ programs }: Client, { env, platform, join }: ClientPlaces): boolean {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const names = platform === "win32" ? programs.flatMap((name) => [`${name}.exe`, `${name}.cmd`]) : programs;
  return folders.some((folder) => names.some((name) => isRunnable(join(folder, name))));
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether other users of the machine may look into a folder. Windows has other means, which are not checked. */
export function liesOpen(folder: string): boolean {
  return process.platform !== "win32" && existsSync(folder) && (statSync(folder).mode & 0o077) !== 0;
}
