import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { logTrouble } from "./trouble-log.ts";
import { openedStore } from "./opened-stores.ts";
import { Place, type Workspace } from "./place.ts";
import { connectionTo, connectTeam } from "./team-connection.ts";
import { writeFileAtomic } from "../machine/atomic-file.ts";
import { HeedError } from "../machine/heed-error.ts";
import { statIfThere } from "../machine/regular-file.ts";
import { sha256Hex } from "../machine/sha256.ts";
import type { StoreRef } from "../memory/memory.ts";
import { stateOfStore } from "../store/config/store-config.ts";
import { asTeamError, copyOf, lastAnswered, noteAnswer } from "../store/team/team-log.ts";
import type { Audience } from "../store/team/team-server.ts";
import { changeStoreRegistry } from "../store/consent.ts";

/** A server that failed is left alone this long: each prompt would wait for it. */
const RETRY_MS = 15_000;
/** A machine where nobody types asks once in this time, unless `?poll=SECONDS` of the address says otherwise. */
const PAUSE_S = 50;
/** What is brought in while nobody waits: how long the server has for it, how long it works, and rests for others. */
const BACKGROUND_MS = 10_000;
const WORK_MS = 200;
const REST_MS = 1_000;
type TeamStore = StoreRef & Required<Pick<StoreRef, "server">>;

const teamStores = (place: Place): TeamStore[] =>
  place.stores.filter((store): store is TeamStore => store.server !== undefined);

/** Brings the copies of team stores up to date. Never throws: a server too slow is noted. */
export async function refreshTeams(place: Place, deadlineMs: number): Promise<void> {
  const urls = new Set(teamStores(place).map(({ server }) => server.url));
  await Promise.all([...urls].map((url) => refreshFrom(place, url, deadlineMs)));
  place.workspace.onStale?.(staleTeams(place));
}

async function refreshFrom(
  place: Place,
  url: string,
  deadlineMs: number,
  workMs = deadlineMs,
): Promise<void> {
  const connection = connectionTo(place.workspace, url);
  if (place.workspace.timer) askLater(place, url);
  if (connection.failedMs !== undefined && performance.now() - connection.failedMs < RETRY_MS) return;
  const work = bringIn(place, url, performance.now() + workMs).then(
    (trouble) => ([connection.trouble, connection.failedMs] = [trouble, undefined]),
    (error: unknown) => fail(place, url, error),
  );
  if (!(await isOver(work, deadlineMs))) return;
  connection.trouble ??= `it did not answer in ${Math.round(deadlineMs)} ms`;
  // A process that stays goes on with it meanwhile; any other would wait again in the next call.
  if (!place.workspace.timer) connection.failedMs = performance.now();
}

/** Says by its time when a process of this machine last asked a server. */
const askedFile = ({ places }: Place, url: string): string =>
  join(places.cache, `asked-${sha256Hex(url).slice(0, 20)}`);

/** Asks once nobody of this machine has for a while, or in `waitMs`. */
function askLater({ workspace }: Place, url: string, waitMs?: number): void {
  const connection = connectionTo(workspace, url);
  const pauseMs = 1000 * (Number(new URL(url).searchParams.get("poll")) || PAUSE_S);
  const look = (): void => {
    const place = new Place(workspace);
    const agoMs = Date.now() - (statIfThere(askedFile(place, url))?.mtimeMs ?? 0);
    if (waitMs === undefined && agoMs < 0.75 * pauseMs) askLater(place, url);
    else void refreshFrom(place, url, BACKGROUND_MS, WORK_MS);
  };
  clearTimeout(connection.next);
  // Machines that began together do not go on together.
  connection.next = setTimeout(look, waitMs ?? pauseMs * (0.8 + 0.4 * Math.random())).unref();
}

function fail({ env, workspace }: Place, url: string, error: unknown): void {
  const connection = connectionTo(workspace, url);
  const refusal = asTeamError(error, { id: "", server: { url, audience: "" } });
  connection.trouble = refusal instanceof Error ? refusal.message : String(refusal);
  // A change that others hold up is no reason to leave the server alone.
  if (!(refusal instanceof HeedError) || refusal.code === "unreachable")
    connection.failedMs = performance.now();
  logTrouble("team", refusal, env);
}

const isOver = (work: Promise<unknown>, deadlineMs: number): Promise<boolean> =>
  Promise.race([work.then(() => false), sleep(deadlineMs, true, { ref: false })]);

async function bringIn(place: Place, url: string, untilMs: number): Promise<string | undefined> {
  const { workspace, places } = place;
  writeFileAtomic(askedFile(place, url), "", { isDurable: false });
  const server = await connectTeam(workspace, url);
  let audiences = await server.audiences();
  const isHeard = workspace.timer && (await server.listen(audiences, () => askLater(place, url, 0)));
  if (isHeard) audiences = await server.audiences();
  await registerTeam(place, url, audiences);
  let isBehind = false;
  for (const store of teamStores(place)) {
    if (store.server.url !== url) continue;
    const state = stateOfStore(places, store.root);
    const head = audiences.find(({ id }) => id === store.id)?.head ?? 0;
    if (copyOf(state, store.root) === head) noteAnswer(state, place.now());
    else {
      const copy = openedStore(place, store);
      await copy.refresh(untilMs);
      // The history of the copy follows where a process stays.
      if (workspace.timer) setTimeout(() => void copy.reconcile().catch(() => undefined), REST_MS).unref();
    }
    isBehind ||= (copyOf(state, store.root) ?? 0) < head;
  }
  if (!isBehind) return undefined;
  if (workspace.timer) askLater(place, url, REST_MS);
  return "the rest of what changed is still to come";
}

/** Notes which audiences of a server this person belongs to: each is a store here. */
export async function registerTeam(
  place: Place,
  url: string,
  audiences: readonly Pick<Audience, "id" | "name" | "canWrite">[],
): Promise<void> {
  const entry = { url, audiences: audiences.map(({ id, name, canWrite }) => ({ id, name, canWrite })) };
  const known = teamStores(place)
    .filter(({ server }) => server.url === url)
    .map(({ id, server, isReadOnly }) => ({ id, name: server.audience, canWrite: !isReadOnly }));
  if (audiences.length > 0 && JSON.stringify(known) === JSON.stringify(entry.audiences)) return;
  await changeStoreRegistry(place.places, (registry) => {
    const others = registry.servers.filter((server) => server.url !== url);
    return { ...registry, servers: [...others, entry] };
  });
  place.lookAgain();
}

/** Of each team store that is not up to date, what is wrong and from when it is. */
export function staleTeams(place: Place): string[] {
  return teamStores(place).flatMap(({ server, root }) => {
    const { trouble } = connectionTo(place.workspace, server.url);
    if (trouble === undefined) return [];
    const last = lastAnswered(stateOfStore(place.places, root));
    const since = last ? `is as of ${last.toISOString().slice(0, 16)}Z` : "was never read";
    return [`the team store ${server.audience} ${since}, and may have changed since (${trouble})`];
  });
}

export function closeTeams({ teams }: Workspace): void {
  for (const { server, next } of teams.values()) {
    clearTimeout(next);
    server?.close();
  }
  teams.clear();
}
