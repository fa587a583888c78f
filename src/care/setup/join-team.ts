import { existsSync, rmSync } from "node:fs";
import { HeedError, invalidInput } from "../../machine/heed-error.ts";
import type { Actor } from "../../memory/memory.ts";
import { FORMATS, readVersioned, writeVersioned } from "../../machine/state-file.ts";
import { systemCode } from "../../machine/regular-file.ts";
import { openCollection } from "../../here/collection.ts";
import { indexDirectory } from "../../here/store-index.ts";
import { stateOfStore } from "../../store/config/store-config.ts";
import { asTeamError, lastAnswered } from "../../store/team/team-log.ts";
import { changeStoreRegistry, readStoreRegistry } from "../../store/consent.ts";
import { openedStore } from "../../here/opened-stores.ts";
import type { Place } from "../../here/place.ts";
import { connectTeam, passwordFile } from "../../here/team-connection.ts";
import { registerTeam, staleTeams } from "../../here/team-stores.ts";
import { requirePerson } from "../../write/write-consent.ts";

const EVERYONE = "team:everyone";

/** A team's server that this machine joined. */
export interface TeamReport {
  /** Its address without a password. */
  url: string;
  /** The login; undefined while the server does not answer. */
  person: string | undefined;
  /** What this person sees there: a store each, copied to `root`, as it was at `asOf`. */
  audiences: {
    id: string;
    name: string;
    canWrite: boolean;
    root: string;
    asOf: string | undefined;
  }[];
  /** What is not up to date, in words. */
  trouble: string[];
}

/** A change of who sees what on a team's server, or that this machine leaves it. */
export interface TeamChange {
  kind: "admit" | "dismiss" | "leave";
  /** Of several servers, this one. */
  url?: string | undefined;
  /** `admit`, `dismiss`: a database role, and `person:NAME`, `team:NAME` or `repository:NAME`. */
  person?: string;
  audience?: string;
  /** `admit`: may read and not write. */
  isReader?: boolean;
}

/** Joins a team's server, making its schema where there is none. @throws HeedError `gate-refused`, `invalid-input`, `unreachable`. */
export async function joinTeam(place: Place, address: string, actor: Actor): Promise<TeamReport> {
  requireTeamPerson(actor);
  const { url, password } = withoutPassword(address);
  const known = readPasswords(place)[url];
  if (password !== "") writePasswords(place, { [url]: password });
  try {
    const server = await connectTeam(place.workspace, url);
    const { SCHEMA_VERSION } = await import("../../store/team/open-team-server.ts");
    const version = await server.version();
    if (version > SCHEMA_VERSION) {
      const message = `${url} has a newer schema (${version}): update heed`;
      throw new HeedError("unreachable", message, { server: url });
    }
    if (version === 0) {
      await server.makeSchema();
      await server.admit(await server.person(), EVERYONE, true);
    }
    await registerTeam(place, url, await server.audiences());
    for (const store of place.stores)
      if (store.server?.url === url) await openedStore(place, store).refresh();
    // Whoever joins waits for the index, and no session does.
    await openCollection(place);
  } catch (error) {
    // A login that failed leaves what was known before.
    if (password !== "") writePasswords(place, { [url]: known });
    throw systemCode(error) === "42501"
      ? new HeedError(
          "read-only",
          `${url} shows you nothing yet: an administrator runs heed team admit ${decodeURIComponent(new URL(url).username)} ${EVERYONE}, and where heed was never set up there, heed init --team`,
          { store: url },
          { cause: error },
        )
      : asTeamError(error, { id: "", server: { url, audience: "this database" } });
  }
  const [report] = await teamsHere(place, url);
  if (!report) throw new HeedError("no-store", `${url} is not joined`, { store: url });
  return report;
}

/** The servers that this machine joined, with what is copied from each; `url`: this one alone. */
export async function teamsHere(place: Place, url?: string): Promise<TeamReport[]> {
  const teams = readStoreRegistry(place.places).servers.filter(
    (team) => url === undefined || team.url === url,
  );
  const trouble = staleTeams(place);
  // What is named here is a repository with all that came.
  for (const store of place.stores) if (store.server) await openedStore(place, store).reconcile();
  return Promise.all(
    teams.map(async (team) => ({
      url: team.url,
      person: await connectTeam(place.workspace, team.url)
        .then((server) => server.person())
        .catch(() => undefined),
      audiences: place.stores.flatMap(({ id, server, root, isReadOnly }) => {
        if (server?.url !== team.url) return [];
        const state = stateOfStore(place.places, root);
        const asOf = lastAnswered(state)?.toISOString();
        return [{ id, name: server.audience, canWrite: !isReadOnly, root, asOf }];
      }),
      trouble,
    })),
  );
}

/** Administers or leaves a team's server. @throws HeedError `gate-refused`, `no-store`, `invalid-input`, `read-only`, `unreachable`. */
export async function changeTeam(place: Place, change: TeamChange, actor: Actor): Promise<string> {
  requireTeamPerson(actor);
  const teams = readStoreRegistry(place.places).servers;
  const team = change.url === undefined ? teams[0] : teams.find(({ url }) => url === change.url);
  if (!team || (change.url === undefined && teams.length > 1))
    throw new HeedError(
      "no-store",
      teams.length === 0
        ? "no team's server is joined: heed init --team postgres://HOST/DATABASE"
        : `say which server with --url: ${teams.map(({ url }) => url).join(", ")}`,
      { store: change.url },
    );
  const { url } = team;
  if (change.kind === "leave") return leave(place, url);
  try {
    const server = await connectTeam(place.workspace, url);
    const { person = "", audience = "" } = change;
    if (person === "" || !/^(?:person|team|repository):\S+$/.test(audience))
      throw invalidInput(
        "audience",
        audience,
        `${change.kind} takes a person's database role and an audience: person:NAME, team:NAME or repository:NAME`,
      );
    if (change.kind === "admit") {
      await server.admit(person, audience, change.isReader !== true);
      return `${person} may ${change.isReader === true ? "read" : "read and write"} ${audience}`;
    }
    return (await server.dismiss(person, audience))
      ? `${person} no longer sees ${audience}; what they already read stays on their machines`
      : `${person} did not see ${audience}`;
  } catch (error) {
    throw asTeamError(error, { id: "", server: { url, audience: "this database" } });
  }
}

async function leave(place: Place, url: string): Promise<string> {
  const copies = place.stores.filter(({ server }) => server?.url === url);
  await changeStoreRegistry(place.places, (registry) => ({
    ...registry,
    servers: registry.servers.filter((team) => team.url !== url),
  }));
  writePasswords(place, { [url]: undefined });
  // The server has all of it: copies, their records and their indexes.
  for (const copy of copies)
    for (const folder of [
      copy.root,
      stateOfStore(place.places, copy.root).folder,
      indexDirectory(place.places, copy),
    ])
      rmSync(folder, { recursive: true, force: true });
  place.lookAgain();
  return `left ${url}; its copies here are gone`;
}

function withoutPassword(address: string): { url: string; password: string } {
  const refuse = (why: string): HeedError =>
    // Not the address itself: it may hold a password.
    invalidInput("url", "…", `the address of a team's server ${why}: postgres://PERSON@HOST/DATABASE`);
  if (!URL.canParse(address)) throw refuse("cannot be read");
  const parsed = new URL(address);
  if (parsed.protocol !== "postgres:" && parsed.protocol !== "postgresql:")
    throw refuse("begins with postgres://");
  if (parsed.searchParams.has("password")) throw refuse("has its password before the @");
  if (parsed.username === "") throw refuse("names the person who logs in");
  const password = decodeURIComponent(parsed.password);
  parsed.password = "";
  parsed.protocol = "postgres:";
  return { url: parsed.href, password };
}

function readPasswords({ places }: Place): Record<string, unknown> {
  return readVersioned(passwordFile(places), FORMATS.teamPasswords) ?? {};
}

function writePasswords(place: Place, change: Record<string, unknown>): void {
  const file = passwordFile(place.places);
  const passwords = { ...readPasswords(place), ...change };
  const isAny = Object.values(passwords).some((password) => password !== undefined);
  if (isAny || existsSync(file)) writeVersioned(file, FORMATS.teamPasswords, passwords, { draftId: "team" });
}

function requireTeamPerson(actor: Actor): void {
  requirePerson(
    actor,
    "whose server is joined, and who sees what on it, is a person's decision: nothing is changed",
    "a person runs heed init --team or heed team in a terminal",
  );
}
