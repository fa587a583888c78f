import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defuseLine } from "../../inject/fence.ts";
import { realPathOf } from "../../platform/real-path.ts";
import { findClientMemory } from "../place/client-memory.ts";
import { linePart } from "./line-part.ts";
import type { OpeningPart } from "./opening-part.ts";

/**
 * Where Claude Code keeps a memory of its own beside heed: which of the two writes. Until the user has said so, the model
 * is asked to ask them, once on this machine.
 */
export const writerPart: OpeningPart = async ({ situation, agent, client }) => {
  const { place, mode, root, collection } = situation;
  if (agent !== undefined || mode === "rules" || client !== "claude-code") return undefined;
  const folder = findClientMemory(root, place.env);
  if (folder === undefined) return undefined;
  const shown = defuseLine(folder).slice(0, 300);
  const isRead = collection.stores.some((store) => realPathOf(store.root) === realPathOf(folder));
  const reads = isRead ? "heed reads it" : "`heed attach` has heed read it";
  if (place.found.writer === "heed")
    return linePart(
      `heed writes memory here: what is to be remembered goes through memory_write, and nothing into Claude Code's own memory folder (${shown}; ${reads}).`,
    );
  if (place.found.writer === "client")
    return linePart(
      `Claude Code's own memory (${shown}; ${reads}) is where the user wants things written. memory_write only where they ask for heed.`,
    );
  const asked = join(place.places.state, "asked-writer");
  if (!hasMemories(folder) || existsSync(asked)) return undefined;
  mkdirSync(dirname(asked), { recursive: true, mode: 0o700 });
  writeFileSync(asked, "", { mode: 0o600 });
  return linePart(
    `Claude Code keeps a memory of its own here (${shown}) beside heed. At a pause, ask the user once which of the two is to write from now on; ` +
      "they answer by `heed mode --writer heed` or `heed mode --writer client` in a terminal, and heed reads that folder in both cases. Until then write each thing to one of them only.",
  );
};

function hasMemories(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.endsWith(".md"));
  } catch {
    return false;
  }
}
