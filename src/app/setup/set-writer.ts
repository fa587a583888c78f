import { readdirSync } from "node:fs";
import type { Actor } from "../../memory/actor.ts";
import { realPathOf } from "../../platform/real-path.ts";
import type { ClientMemoryReport } from "../api/setup-reports.ts";
import type { Writer } from "../../store/config/store-config.ts";
import { findClientMemory } from "../place/client-memory.ts";
import type { Place } from "../place/place.ts";
import { attachStore } from "./attach-store.ts";
import { changeSetting } from "./change-setting.ts";
import { requirePerson } from "./require-person.ts";

/** How Claude Code's own memory of this project stands beside heed's. */
export function clientMemoryHere(place: Place): ClientMemoryReport {
  const folder = findClientMemory(place.repository?.root ?? place.cwd, place.env);
  const real = folder === undefined ? undefined : realPathOf(folder);
  return {
    isOn: folder !== undefined,
    directory: folder ?? "",
    files: folder === undefined ? 0 : countMemories(folder),
    isAttached: place.stores.some(({ root }) => realPathOf(root) === real),
    writer: place.found.writer,
  };
}

/**
 * Says which of the two writes from now on, and has heed read what Claude Code keeps of this project.
 *
 * @throws HeedError `gate-refused` for anybody but a person.
 */
export async function setWriter(place: Place, writer: Writer, actor: Actor): Promise<ClientMemoryReport> {
  requirePerson(
    actor,
    `which memory is written is the user's to say: they run heed mode --writer ${writer} in a terminal`,
    `the user runs heed mode --writer ${writer}`,
  );
  await changeSetting(place, "writer", writer, "user", actor);
  place.lookAgain();
  const { directory, files, isAttached } = clientMemoryHere(place);
  if (files > 0 && !isAttached) await attachStore(place, directory, {}, actor);
  return clientMemoryHere(place);
}

/** Files beside the index. */
function countMemories(folder: string): number {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "MEMORY.md").length;
  } catch {
    return 0;
  }
}
