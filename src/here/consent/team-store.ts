import { mkdirSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { invalidInput } from "../../machine/heed-error.ts";
import { newId } from "../../memory/handle.ts";
import type { StoreRef } from "../../memory/memory.ts";
import { teamRef } from "../../store/find-stores.ts";
import { wholeAddress, TeamRepository } from "../../store/sync/team-repository.ts";
import { type TeamEntry, changeStoreRegistry, readStoreRegistry } from "../../store/consent.ts";
import { type TrustReview, changesBetween, describeEntries, tokenOf } from "./trust-entries.ts";
import type { Place } from "../place.ts";

export function teamOf({ places, cwd }: Place, given: string): TeamEntry | undefined {
  const names = [given.trim(), resolve(cwd, given.trim())];
  return readStoreRegistry(places).teams.find(({ id, address }) => names.includes(address) || id === given);
}

/** What is fetched waits for a review. @throws HeedError `invalid-input` for address or repositories, `git-failed`. */
export async function fetchTeam(
  place: Place,
  given: string,
  repositories?: readonly string[],
): Promise<StoreRef> {
  const known = teamOf(place, given);
  const address = known?.address ?? wholeAddress(given.trim(), place.cwd);
  const names = (repositories ?? known?.repositories ?? []).filter((name) => name.trim() !== "");
  if (names.length === 0)
    throw invalidInput("repositories", "", 'say where it holds, for example "github.com/acme/*"');
  const team: TeamEntry = { id: newId(place.now()), ...known, address, repositories: names };
  const store = teamRef(place.places, team);
  const offered = await repositoryOf(place, store).fetch(address);
  mkdirSync(store.root, { recursive: true, mode: 0o700 });
  return keepTeam(place, { ...team, offered });
}

/** What the fetched commit of a shared store would bring, against the one in force. */
export async function reviewTeam(place: Place, store: StoreRef): Promise<TrustReview> {
  const { commit, offered = commit } = teamOf(place, store.id) ?? {};
  const token = tokenOf([], commit ?? "", offered ?? "");
  const review = { store, entries: [], says: "", changed: [], unreadable: [], inForce: 0, token };
  if (offered === commit || offered === undefined) return review;
  const repository = repositoryOf(place, store);
  const before = commit === undefined ? new Map<string, string>() : await repository.memoriesAt(commit);
  const entries = changesBetween(store, place.types, before, await repository.memoriesAt(offered));
  return { ...review, entries, says: describeEntries(entries) };
}

/** Puts the fetched commit of a shared store, which a person has seen, into force. */
export async function moveTeam(place: Place, store: StoreRef): Promise<StoreRef> {
  const team = teamOf(place, store.id);
  if (team?.offered === undefined) return store;
  await repositoryOf(place, store).layOut(team.offered);
  return keepTeam(place, { ...team, commit: team.offered });
}

export async function forgetTeam(place: Place, team: TeamEntry): Promise<void> {
  const { root } = await keepTeam(place, team, true);
  rmSync(dirname(root), { recursive: true, force: true });
}

async function keepTeam(place: Place, team: TeamEntry, isForgotten = false): Promise<StoreRef> {
  await changeStoreRegistry(place.places, (registry) => {
    const others = registry.teams.filter(({ id }) => id !== team.id);
    return { ...registry, teams: isForgotten ? others : [...others, team] };
  });
  place.lookAgain();
  return teamRef(place.places, team);
}

const repositoryOf = (place: Place, { root }: StoreRef): TeamRepository =>
  new TeamRepository(root, place.env);
