import { episodeLines } from "../../inject/episode-lines.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { Episode } from "../api/learning-reports.ts";
import { openCollection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";
import { newestEpisode, unfinishedWork } from "./unfinished-work.ts";

/**
 * The last unfinished work of this work tree and branch, checked against git, else the last session; of the repository when
 * the branch has none.
 */
export async function lastEpisodeHere(place: Place): Promise<Episode | undefined> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const here = place.here();
  const types = collection.types.all().filter(({ injection }) => injection === "resume");
  const candidates = collection
    .cards(types.map(({ name }) => name))
    .filter((card) => collection.storeOf(card).isTrusted)
    .filter(({ scope }) => scope.repo === undefined || here.isRepositoryHere(scope.repo));
  const isOfBranch = ({ scope }: MemoryCard): boolean =>
    scope.branch === undefined || scope.branch === here.branch;
  const ofBranch = candidates.filter(isOfBranch);
  const unfinished = await unfinishedWork(place, collection, ofBranch);
  const card = newestEpisode(ofBranch) ?? newestEpisode(candidates);
  const read = unfinished ?? (card && (await collection.read(card)));
  if (!read) return undefined;
  const { name, description, scope, updated = read.card.created ?? "" } = read.card;
  return {
    name,
    description,
    body: read.body,
    lines: episodeLines(read.body, updated.slice(0, 10), unfinished?.uncommitted ?? []),
    isUnfinished: unfinished !== undefined,
    updated,
    branch: scope.branch,
  };
}
