import { readdirSync } from "node:fs";
import { join } from "node:path";
import { codeOfItem } from "../../curate/proposal-code.ts";
import { quotationsIn } from "../../memory/codec/quotation.ts";
import { parseMemory } from "../../memory/codec/parse-memory.ts";
import { asRecord, FieldReader } from "../../memory/codec/read-fields.ts";
import { fieldsOf } from "../../memory/codec/read-front-matter.ts";
import type { Memory } from "../../memory/memory.ts";
import type { TypeTable } from "../../memory/memory-type.ts";
import type { Places } from "../../platform/places.ts";
import { readRegularFile } from "../../platform/regular-file.ts";

/** What waits in the inbox, as far as a question about it needs it. */
export interface WaitingItem {
  memory: Memory;
  code: string;
  /** Id of the store that it would enter. */
  store: string;
  /** The memory that it would change. */
  target: { id: string; name: string } | undefined;
  flags: readonly string[];
  /** Who proposed it, and in which session. */
  by: { kind: string; session: string | undefined };
  /** What the user said, where it rests on that. */
  quote: string | undefined;
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
        const item = readItem(readRegularFile(join(folder, file), { maxBytes: MAX_BYTES }), file, types);
        return item ? [item] : [];
      } catch {
        return [];
      }
    })
    .sort((a, b) => (a.memory.updated ?? "").localeCompare(b.memory.updated ?? ""));
}

function readItem(text: string, file: string, types: TypeTable): WaitingItem | undefined {
  const { memory } = parseMemory(text, { file, storeId: "inbox" }, types);
  const fields = asRecord(asRecord(fieldsOf(text).get("metadata"))?.["proposal"]);
  if (!memory || !fields) return undefined;
  const proposal = new FieldReader(fields);
  const [by, on] = ["by", "target"].map((key) => new FieldReader(asRecord(fields[key]) ?? {}));
  const [store, flags] = [proposal.text("store") ?? "", proposal.list("flags")];
  const salt = proposal.text("salt");
  const id = on?.text("id");
  const target =
    id === undefined ? undefined : { id, name: on?.text("name") ?? "", hash: on?.text("hash") ?? "" };
  return {
    memory,
    code: codeOfItem({ memory, proposal: { store, target, flags, salt } }),
    store,
    target,
    flags,
    by: { kind: by?.text("kind") ?? "", session: by?.text("session") },
    quote: quotationsIn(memory.body)[0],
  };
}
