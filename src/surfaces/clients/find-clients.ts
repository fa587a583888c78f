import { accessSync, constants, existsSync } from "node:fs";
import { delimiter } from "node:path";
import { CLIENTS } from "./all-clients.ts";
import type { Client } from "./entry/client.ts";
import type { ClientPlaces } from "./entry/client-places.ts";

/** A client that is on this machine. */
export interface FoundClient {
  client: Client;
  /** By what it was found: a program or a folder. */
  by: string;
}

/** Finds the clients on this machine by their programs and folders; nothing is started. */
export function findClients(places: ClientPlaces, clients: readonly Client[] = CLIENTS): FoundClient[] {
  return clients.flatMap((client) => {
    const by = client.folders(places).find((folder) => existsSync(folder)) ?? programOf(client, places);
    return by === undefined ? [] : [{ client, by }];
  });
}

function programOf({ programs }: Client, { env, platform, join }: ClientPlaces): string | undefined {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const names = platform === "win32" ? programs.flatMap((name) => [`${name}.exe`, `${name}.cmd`]) : programs;
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isRunnable);
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
