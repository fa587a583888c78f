import { readdirSync } from "node:fs";
import { join } from "node:path";
import { quotationsIn } from "../../memory/codec/quotation.ts";
import { parseMemory } from "../../memory/codec/parse-memory.ts";
import { asRecord } from "../../memory/codec/read-fields.ts";
import { fieldsOf } from "../../memory/codec/read-front-matter.ts";
import type { Memory } from "../../memory/memory.ts";
import type { TypeTable } from "../../memory/memory-type.ts";
import type { Places } from "../../platform/places.ts";
import { readRegularFile } from "../../platform/regular-file.ts";

/** A memory that waits for the user's word, as far as a line about it needs it. */
export interface WaitingItem {
  memory: Memory;
  /** What the user said, where it rests on that. */
  quote: string | undefined;
  /** Why it waits, where that is a question: which day is meant. */
  question: string | undefined;
  /** What waits is whether it is to go. */
  isRemoval: boolean;
}

/** So many files are looked at: the inbox of a person. */
const MAX_FILES = 100;
const MAX_BYTES = 64 * 1024;

/** What waits in the inbox, the newest last; a file that cannot be read is left out. Read without the gates' code. */
export function waitingItems(places: Places, types: TypeTable): WaitingItem[] {
  const folder = join(places.state, "inbox");
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  } catch {
    return [];
  }
  return names
    .slice(0, MAX_FILES)
    .flatMap((file): WaitingItem[] => {
      try {
        const text = readRegularFile(join(folder, file), { maxBytes: MAX_BYTES });
        const { memory } = parseMemory(text, { file, storeId: "inbox" }, types);
        if (!memory) return [];
        const proposal = asRecord(asRecord(fieldsOf(text).get("metadata"))?.["proposal"]);
        const reason = proposal?.["reason"];
        const flags = proposal?.["flags"];
        return [
          {
            memory,
            quote: quotationsIn(memory.body)[0],
            question: typeof reason === "string" && reason.endsWith("?") ? reason : undefined,
            isRemoval: Array.isArray(flags) && flags.includes("isRemoval"),
          },
        ];
      } catch {
        return [];
      }
    })
    .sort((a, b) => (a.memory.updated ?? "").localeCompare(b.memory.updated ?? ""));
}
