import { HeedError } from "../../errors/heed-error.ts";
import { namesIn } from "../../memory/handle-pattern.ts";
import { plainHandle } from "../../memory/handle.ts";
import { LIMITS } from "../../memory/limits.ts";
import type { ShownMemories, ShowOptions } from "../api/shown-memory.ts";
import type { Place } from "../place/place.ts";
import { showMemory } from "./show-memory.ts";

/** Several memories in full; each handle may stand for several, and what cannot be shown says why. */
export async function showMemories(
  place: Place,
  handles: readonly string[],
  options: ShowOptions = {},
): Promise<ShownMemories> {
  const wanted = [...new Set(handles.flatMap(namesIn).map(plainHandle))];
  const shown: ShownMemories = { memories: [], notShown: [] };
  for (const handle of wanted.slice(0, LIMITS.shownAtOnce)) {
    try {
      shown.memories.push(await showMemory(place, handle, options));
    } catch (error) {
      if (!(error instanceof HeedError)) throw error;
      shown.notShown.push({ handle, code: error.code, message: error.message });
    }
  }
  for (const handle of wanted.slice(LIMITS.shownAtOnce, 2 * LIMITS.shownAtOnce))
    shown.notShown.push({
      handle,
      code: "invalid-input",
      message: `${LIMITS.shownAtOnce} memories are shown in one call: ask for it in another`,
    });
  return shown;
}
