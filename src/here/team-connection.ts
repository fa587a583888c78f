import { join } from "node:path";
import type { TeamConnection, Workspace } from "./workspace.ts";
import type { Places } from "../machine/places.ts";
import { FORMATS, readVersioned } from "../machine/versioned-file.ts";
import type { TeamServer } from "../store/team/team-server.ts";

const CONNECT_MS = 3_000;

/** The connection of this process to a server, made when it is first asked for. */
export async function connectTeam(workspace: Workspace, url: string, waitMs?: number): Promise<TeamServer> {
  const connection = connectionTo(workspace, url);
  const known = await connection.server?.catch(() => undefined);
  if (known && !known.isBroken) return known;
  const password = readVersioned(passwordFile(workspace.places), FORMATS.teamPasswords)?.[url];
  const { openTeamServer } = await import("../store/team/open-team-server.ts");
  connection.server = openTeamServer({
    url,
    connectMs: waitMs ?? CONNECT_MS,
    ...(typeof password === "string" && { password }),
  });
  const server = await connection.server;
  connection.failedMs = undefined;
  return server;
}

/** Passwords that were given to `heed init --team`, by address; private to the user, never in a store. */
export const passwordFile = ({ config }: Pick<Places, "config">): string =>
  join(config, "team-passwords.json");

/** What this process knows of a server. */
export function connectionTo({ teams }: Workspace, url: string): TeamConnection {
  const known = teams.get(url) ?? {};
  teams.set(url, known);
  return known;
}
