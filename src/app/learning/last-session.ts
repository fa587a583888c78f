import { episodeLines } from "../../inject/episode-lines.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { Episode } from "../api/learning-reports.ts";
import { lastUnfinished, newestEpisode } from "../place/newest-episode.ts";
import { openCollection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";

/**
 * The last unfinished work of this repository and branch, else the last session; of the repository when the branch has
 * none.
 */
export async function lastEpisodeHere(place: Place): Promise<Episode | undefined> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const here = place.here();
  const types = collection.types.all().filter(({ injection }) => injection === "resume");
  const time = (card: MemoryCard): string => card.updated ?? card.created ?? "";
  const candidates = collection
    .cards(types.map(({ name }) => name))
    .filter((card) => collection.storeOf(card).isTrusted)
    .filter(({ scope }) => scope.repo === undefined || here.isRepositoryHere(scope.repo));
  const isOfBranch = ({ scope }: MemoryCard): boolean =>
    scope.branch === undefined || scope.branch === here.branch;
  const ofBranch = candidates.filter(isOfBranch);
  const unfinished = await lastUnfinished(ofBranch, (card) => collection.read(card));
  const card = newestEpisode(ofBranch) ?? newestEpisode(candidates, true);
  const read = unfinished ?? (card && (await collection.read(card)));
  if (!read) return undefined;
  const { name, description, scope } = read.card;
  const updated = time(read.card);
  return {
    name,
    description,
    body: read.body,
    lines: episodeLines(read.body, updated.slice(0, 10)),
    isUnfinished: unfinished !== undefined,
    updated,
    branch: scope.branch,
  };
}
