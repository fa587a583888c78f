import { HeedError } from "../../errors/heed-error.ts";
import { answerClaims } from "../../git/repository-identity.ts";
import type { Place } from "../place/place.ts";

/**
 * Keeps what a person says of a place that is called as another one is.
 *
 * @returns the names that it answers to now.
 * @throws HeedError `no-store` outside of a repository.
 */
export async function answerPlace(place: Place, answer: "same" | "other"): Promise<string[]> {
  const repository = await answerClaims(place.cwd, place.places, answer);
  if (!repository)
    throw new HeedError("no-store", `${place.cwd} lies in no repository: there is nothing to say of it`, {
      store: place.cwd,
    });
  return repository.aliases;
}
