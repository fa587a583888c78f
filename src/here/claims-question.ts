import { basename, dirname } from "node:path";
import { type Collection, openCollection } from "./collection.ts";
import type { Place } from "./place.ts";
import { readKnownRepositories, repositoryLabel } from "../machine/known-repositories.ts";

/** A folder that claims to be another known one, about which memories are kept. */
interface ClaimedPlace {
  root: string;
  claims: string[];
  /** The folder of the other place; its name where that is gone. */
  other: string;
  /** How many memories of the other place are not told here. */
  count: number;
}

/** The question that is open here, as far as heed has learnt of the place: a look leaves no trace. */
export async function openQuestion(place: Place): Promise<{ question?: string }> {
  if ((place.repository?.claims.length ?? 0) === 0) return {};
  const claimed = claimedPlace(place, await openCollection(place));
  if (!claimed) return {};
  return { question: `${untilAnswered(claimed)} heed trust --same, or heed trust --other.` };
}

/** What this place claims, undefined for nothing. A clone of what nothing is kept of is none of anybody's business. */
export function claimedPlace(
  { repository, places }: Place,
  collection: Collection,
): ClaimedPlace | undefined {
  const claims = repository?.claims ?? [];
  const [name] = claims;
  if (repository === undefined || name === undefined) return undefined;
  const wanted = new Set(claims);
  const count = collection
    .memories()
    .filter(({ scope }) => scope.repo !== undefined && wanted.has(scope.repo)).length;
  if (count === 0) return undefined;
  const others = [...readKnownRepositories(places)]
    .filter(
      ([, { names, root }]) =>
        names.some((one) => wanted.has(one)) || (root !== undefined && wanted.has(`root:${root}`)),
    )
    .map(([place]) => (basename(place) === ".git" ? dirname(place) : place))
    .filter((folder) => folder !== repository.root);
  return { root: repository.root, claims, other: others[0] ?? repositoryLabel(name, places), count };
}

/** What holds until a person has answered, up to the ways in which they do. */
export function untilAnswered({ other, count }: ClaimedPlace): string {
  const [memories, are] = count === 1 ? ["memory", "is"] : ["memories", "are"];
  return `This folder looks like a second copy of ${other}. Its ${count} ${memories} ${are} not shown here until you say whether it is the same project:`;
}
