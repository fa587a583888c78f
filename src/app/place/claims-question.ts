import type { Collection } from "./collection.ts";
import { openCollection } from "./collection.ts";
import type { Place } from "./place.ts";

/** The question that is open here, as far as heed has learnt of the place: a look leaves no trace. */
export async function openQuestion(place: Place): Promise<{ question?: string }> {
  if ((place.repository?.claims.length ?? 0) === 0) return {};
  const question = claimsQuestion(place, await openCollection(place));
  return question === undefined ? {} : { question };
}

/**
 * The question that is open here: this place says that it is another one that is known on this machine, of which memories
 * are kept; undefined for none. A clone of what nothing is kept of is none of anybody's business.
 */
export function claimsQuestion({ repository }: Place, collection: Collection): string | undefined {
  const claims = new Set(repository?.claims);
  if (claims.size === 0) return undefined;
  const count = collection
    .cards()
    .filter(({ scope }) => scope.repo !== undefined && claims.has(scope.repo)).length;
  const [name] = claims;
  if (count === 0 || name === undefined) return undefined;
  return `${repository?.root} says that it is ${name.replace(/^(root:.{8}).*/, "$1")}, as another place here does: the ${count === 1 ? "memory" : `${count} memories`} of that one ${count === 1 ? "is" : "are"} not told here. The same? heed trust --same. Another? heed trust --other`;
}
