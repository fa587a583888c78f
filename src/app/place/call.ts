import { asIoFailure } from "../../platform/io-failure.ts";
import type { DeferredWork } from "./deferred-work.ts";
import { withSoundIndex } from "./index-damage.ts";
import { Place } from "./place.ts";
import { logNewerFiles } from "./trouble-log.ts";
import type { Workspace } from "./workspace.ts";

/** Makes the façade's methods of functions that take the place at which they are called. */
export interface Caller {
  call: <Args extends unknown[], Answer>(
    run: (place: Place, ...args: Args) => Promise<Answer>,
  ) => (...args: Args) => Promise<Answer>;
  /** For what is answered without waiting. */
  callNow: <Answer>(run: (place: Place) => Answer) => () => Answer;
}

/**
 * Each call stands at a place of its own, finds done what the call before it left to do, is begun anew over a damaged
 * index, and tells what the file system refuses as a HeedError with a remedy.
 */
export function callerOf(workspace: Workspace, afterwards: DeferredWork): Caller {
  return {
    call:
      (run) =>
      async (...args) => {
        afterwards.finish();
        try {
          return await withSoundIndex(new Place(workspace), (place) => run(place, ...args));
        } catch (error) {
          throw asRefusal(error);
        } finally {
          logNewerFiles(workspace);
        }
      },
    callNow: (run) => () => {
      try {
        return run(new Place(workspace));
      } catch (error) {
        throw asRefusal(error);
      }
    },
  };
}

function asRefusal(error: unknown): Error {
  const path = (error as NodeJS.ErrnoException | null)?.path;
  const refusal = asIoFailure(error, "use", path ?? "a file");
  return refusal instanceof Error ? refusal : new Error(String(refusal));
}
