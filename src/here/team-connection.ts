import { join } from "node:path";
import type { Place, TeamConnection, Workspace } from "./place.ts";
import type { Places } from "../machine/places.ts";
import { FORMATS, readVersioned } from "../machine/state-file.ts";
import type { StoreRef } from "../memory/memory.ts";
import { analyzeField } from "../search/index/analysis/tokenize.ts";
import { fieldValuesOf } from "../search/index/document/index-document.ts";
import { stateOfStore } from "../store/config/store-config.ts";
import { parseMemoryFile } from "../store/files/scan-store.ts";
import { TOMBSTONE_FOLDER } from "../store/files/tombstone.ts";
import { TeamLog } from "../store/team/team-log.ts";
import type { FileTerms, TeamServer } from "../store/team/team-server.ts";

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

/** Words of one file that its server finds it by; ten times those of the longest real memory. */
const MAX_TERMS = 5_000;

/** The log that a team store follows, over this process's connection to its server. */
export function teamLogOf(place: Place, ref: StoreRef & Required<Pick<StoreRef, "server">>): TeamLog {
  const { types, places, workspace } = place;
  return new TeamLog({
    ref,
    state: stateOfStore(places, ref.root),
    connect: () => connectTeam(workspace, ref.server.url),
    now: () => workspace.now(),
    ruleTypes: types.all().flatMap(({ name, injection }) => (injection === "always" ? [name] : [])),
    // What a server finds is found here too: by the same words.
    termsOf: (file, text): FileTerms => {
      const { memory } = parseMemoryFile(ref, file, text, types);
      if (!memory || file.startsWith(`${TOMBSTONE_FOLDER}/`)) return { type: "", terms: [] };
      const terms = new Set<string>();
      for (const values of fieldValuesOf(memory))
        analyzeField(values, (term) => {
          if (terms.size < MAX_TERMS) terms.add(term);
        });
      return { type: memory.metadata.guard ? null : memory.metadata.type, terms: [...terms] };
    },
  });
}
