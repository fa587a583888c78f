import { HeedError } from "../../errors/heed-error.ts";
import { Place } from "./place.ts";

/**
 * Does something anew, once, when it came upon a damaged index: the index was taken away then and is built from the
 * files. What has changed something by then is not done twice.
 *
 * @throws HeedError `io-failed` when the damage was found after a change was made.
 */
export async function withSoundIndex<T>(place: Place, run: (place: Place) => Promise<T>): Promise<T> {
  try {
    return await run(place);
  } catch (error) {
    if (!tellsOfDamage(error)) throw error;
    if (place.hasChanged)
      throw new HeedError(
        "io-failed",
        "the change was made, but an index turned out to be damaged before all that follows from it was done: look with heed log before you do it again. The index is built anew by itself",
        { operation: "read" },
        { cause: error },
      );
  }
  return run(new Place(place.workspace));
}

/** Whether an error is IndexDamage. Told by its name: a hook that has nothing to answer must not load the index for it. */
export function tellsOfDamage(error: unknown): boolean {
  return error instanceof Error && error.name === "IndexDamage";
}
