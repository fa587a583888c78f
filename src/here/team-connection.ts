import { join } from "node:path";
import type { Place, TeamConnection, Workspace } from "./place.ts";
import type { Places } from "../machine/places.ts";
import { FORMATS, readVersioned } from "../machine/state-file.ts";
import type { StoreRef } from "../memory/memory.ts";
import { stateOfStore } from "../store/config/store-config.ts";
import { TeamLog } from "../store/team/team-log.ts";
import type { TeamServer } from "../store/team/team-server.ts";

export async function connectTeam(workspace: Workspace, url: string): Promise<TeamServer> {
  const { openTeamServer } = await import("../store/team/open-team-server.ts");
  return (connectionTo(workspace, url).server ??= openTeamServer({
    url,
    password: () => {
      const password = readVersioned(passwordFile(workspace.places), FORMATS.teamPasswords)?.[url];
      return typeof password === "string" ? password : undefined;
    },
  }));
}

/** Passwords that were given to `heed init --team`, by address; private to the user, never in a store. */
export const passwordFile = ({ config }: Pick<Places, "config">): string =>
  join(config, "team-passwords.json");

export function connectionTo({ teams }: Workspace, url: string): TeamConnection {
  const known = teams.get(url) ?? {};
  teams.set(url, known);
  return known;
}

/** The log that a team store follows, over this process's connection to its server. */
export function teamLogOf(
  { places, workspace }: Place,
  ref: StoreRef & Required<Pick<StoreRef, "server">>,
): TeamLog {
  return new TeamLog({
    ref,
    state: stateOfStore(places, ref.root),
    connect: () => connectTeam(workspace, ref.server.url),
    now: () => workspace.now(),
  });
}
