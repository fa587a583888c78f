import type { Environment } from "../../machine/places.ts";
import { isOnPath } from "../../machine/regular-file.ts";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type Heed, recordFolders, startsFolder } from "../../heed.ts";
import { CLIENTS } from "./all-clients.ts";
import { ConnectionRecord } from "./connection-record.ts";
import { type Client, type ClientPlaces, type Target, clientPlaces } from "./entry/client.ts";
import { isPluginBeside } from "../hooks/plugin-beside.ts";

export interface Machine {
  target: Target;
  record: ConnectionRecord;
  folders: { state: string; config: string; cache: string; userStore: string };
}

interface Launched {
  /** The script that runs now: the `heed.cjs` that clients shall start. */
  script: string;
  env: Environment;
}

/** heed's own folders, its record of clients' files, and how clients start it from here. */
export async function thisMachine(
  setup: Heed["setup"],
  { scope = "user", cwd, ...launched }: { scope?: Target["scope"]; cwd: string } & Launched,
): Promise<Machine> {
  const { places } = await setup.status();
  const { state, config, cache, userStore } = places;
  const project = setup.stores().find(({ kind }) => kind === "project");
  const target = targetOf({
    scope,
    root: project === undefined ? cwd : dirname(project.root),
    ...launched,
    protectedFolders: { records: recordFolders(places), stores: [userStore] },
    starts: startsFolder(places),
  });
  return { target, record: new ConnectionRecord(state), folders: { state, config, cache, userStore } };
}

/** Where heed is put, and how it is started from there. A repository's files are read on other machines: no paths of this one. */
export function targetOf({ script, env, ...target }: Omit<Target, "places" | "launch"> & Launched): Target {
  const launch =
    target.scope === "project"
      ? { command: "heed", args: [] }
      : { command: process.execPath, args: [script] };
  return { ...target, places: clientPlaces(env), launch };
}

export function whyNotNeeded({ name }: Client, env: Environment): string | undefined {
  return name === "claude-code" && isPluginBeside(env)
    ? "The heed plugin is installed in Claude Code and does all of this; nothing was added."
    : undefined;
}

/** What will not last about the way in which heed is started. */
export function launchNotes(script: string): string[] {
  // No package is named: `heed` alone may be somebody else's.
  const remedy = "install what you gave npx by npm install --global, then run heed init again";
  return /[/\\]_npx[/\\]/.test(script)
    ? [`heed runs from npx's cache, which is emptied now and then: ${remedy}.`]
    : [];
}

export function findClients(places: ClientPlaces): Client[] {
  return CLIENTS.filter(
    (client) =>
      !client.isPrinted &&
      (client.folders(places).some((folder) => existsSync(folder)) ||
        client.programs.some((name) => isOnPath(name, places.env))),
  );
}
