import type { MemoryCard } from "../memory/memory-card.ts";
import { folderName } from "./capture/write-episode.ts";
import type { Episode } from "./capture-api.ts";
import { openCollection } from "./collection.ts";
import type { Workspace } from "./workspace.ts";

/** The episode of the last session of this repository and branch; of the repository when the branch has none. */
export async function lastEpisodeHere(workspace: Workspace): Promise<Episode | undefined> {
  const collection = await openCollection(workspace, { thoroughness: "full" });
  const here = workspace.here();
  const folder = folderName(workspace.cwd);
  const types = collection.types.all().filter(({ injection }) => injection === "resume");
  const time = (card: MemoryCard): string => card.updated ?? card.created ?? "";
  const candidates = collection
    .cards(types.map(({ name }) => name))
    .filter((card) => collection.storeOf(card).isTrusted)
    .filter(
      ({ scope }) => scope.repo === undefined || scope.repo === folder || here.isRepositoryHere(scope.repo),
    )
    .sort((a, b) => (time(a) < time(b) ? 1 : time(a) > time(b) ? -1 : 0));
  const card =
    candidates.find(({ scope }) => scope.branch === undefined || scope.branch === here.branch) ??
    candidates[0];
  const read = card && (await collection.read(card));
  if (!read) return undefined;
  const { name, description, scope } = read.card;
  return { name, description, body: read.body, updated: time(read.card), branch: scope.branch };
}
