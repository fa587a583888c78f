import { join, dirname } from "node:path";
import { writeFileAtomic } from "../../machine/atomic-file.ts";
import { MAX_OWN_FILE_BYTES, readRegularFile, isOnPath } from "../../machine/regular-file.ts";
import { type Piece, type Client, type ClientPlaces, type Target, clientPlaces } from "./entry/client.ts";
import type { Environment } from "../../machine/places.ts";
import { existsSync } from "node:fs";
import { type Heed, recordFolders, startsFolder } from "../../heed.ts";
import { CLIENTS } from "./all-clients.ts";
import { isPluginBeside } from "../hooks/plugin-beside.ts";

interface FileRecord {
  /** Clients for which it was written; the last one to go takes heed out. */
  clients: string[];
  scope: "user" | "project";
  root: string;
  /** There was no file before heed. */
  isMade?: boolean;
  /** The client's rules that heed added, perhaps of another version or for other folders. */
  rules?: readonly Piece[];
}

/** heed's record of the client files that it changed. One file a machine, in the state directory. */
export class ConnectionRecord {
  readonly #folder: string;
  readonly #files: Map<string, FileRecord>;

  constructor(stateDirectory: string) {
    this.#folder = join(stateDirectory, "clients");
    this.#files = new Map(Object.entries(this.#read()));
  }

  get files(): ReadonlyMap<string, FileRecord> {
    return this.#files;
  }

  set(file: string, record: FileRecord, isDryRun = false): void {
    this.#files.set(file, record);
    if (!isDryRun) this.#write();
  }

  delete(file: string): void {
    if (this.#files.delete(file)) this.#write();
  }

  #read(): Record<string, FileRecord> {
    try {
      const text = readRegularFile(join(this.#folder, "clients.json"), { maxBytes: MAX_OWN_FILE_BYTES });
      return (JSON.parse(text) as { files?: Record<string, FileRecord> }).files ?? {};
    } catch {
      return {};
    }
  }

  #write(): void {
    const text = JSON.stringify({ format: 1, files: Object.fromEntries(this.#files) }, null, 2);
    writeFileAtomic(join(this.#folder, "clients.json"), `${text}\n`, { mode: 0o600 });
    // What heed itself changed is no news at the next start.
    writeFileAtomic(join(this.#folder, "..", "above.json"), '{"version":1}\n', { mode: 0o600 });
  }
}

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
