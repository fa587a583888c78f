import { join } from "node:path";
import { MAX_OWN_FILE_BYTES, readRegularFile } from "../../platform/regular-file.ts";
import { quoted } from "../remedy-line.ts";
import { CLIENTS } from "./all-clients.ts";
import type { Client, ProtectedFolders, Target } from "./entry/client.ts";
import { clientPlaces } from "./entry/client-places.ts";
import { isPluginBeside } from "../hooks/plugin-beside.ts";

/** What `heed init` and `heed uninit` were asked for. */
export interface ConnectionRequest {
  scope: "user" | "project";
  /** The repository's root, for the project scope. */
  root: string;
  /** The script that runs now: the `heed.cjs` that clients shall start. */
  script: string;
  env: Readonly<Record<string, string | undefined>>;
  protectedFolders: ProtectedFolders;
}

/** Where heed is put, and how it is started from there. A repository's files are read on other machines: no paths of this one. */
export function targetOf({ scope, root, script, env, protectedFolders }: ConnectionRequest): Target {
  return {
    places: clientPlaces(env),
    launch:
      scope === "project" ? { command: "heed", args: [] } : { command: process.execPath, args: [script] },
    scope,
    root,
    protectedFolders,
  };
}

/** The clients of these names; those that are none are given back too. */
export function clientsNamed(names: readonly string[]): { clients: Client[]; unknown: string[] } {
  return {
    clients: CLIENTS.filter(({ name }) => names.includes(name)),
    unknown: names.filter((name) => !CLIENTS.some((client) => client.name === name)),
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
