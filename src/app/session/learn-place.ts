import { isRepositoryLearnt } from "../../git/repository-identity.ts";
import { logTrouble } from "../place/trouble-log.ts";
import type { Place } from "../place/place.ts";

/** A session may wait so long for git, in milliseconds, the first time it starts in a repository. */
const MAX_WAIT_MS = 400;

/**
 * Learns what the repository at hand is called when it is new to this machine, so that memories of a clone, a fork or
 * a copy without a remote hold here from the first session on. Costs a few file reads where it is known; a walk that
 * takes longer goes on while the session starts, and the next one has its result.
 */
export async function learnPlace(place: Place): Promise<void> {
  const { cwd, places, env } = place;
  let timer: NodeJS.Timeout | undefined;
  try {
    // Without memories there is nothing that could hold here.
    if (place.stores.length === 0 || isRepositoryLearnt(cwd, places)) return;
    const waited = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MAX_WAIT_MS);
    });
    const learning = place.learnRepository().catch((error: unknown) => {
      logTrouble("repository", error, env);
    });
    await Promise.race([learning, waited]);
  } catch (error) {
    logTrouble("repository", error, env);
  } finally {
    clearTimeout(timer);
  }
}
