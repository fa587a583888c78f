import { parseMemory } from "../../memory/codec/parse-memory.ts";
import type { ForeignReading } from "../foreign-memory.ts";
import { readJson } from "../foreign-source.ts";
import type { ImportFormat } from "../import-format.ts";
import { asRecord, recordsOf, textOf } from "../record-fields.ts";
import { EXPORT_FORMAT, EXPORT_VERSION } from "../export-schema.ts";
import { beginningOf } from "../statement.ts";
import { foreignOf } from "./typed-files.ts";

/** What `heed export --format json` wrote. */
export const HEED_EXPORT_FORMAT: ImportFormat = {
  name: "heed",
  title: "an export of heed",
  author: "model",
  recognise: (source) =>
    source.isFile &&
    source.name.endsWith(".json") &&
    asRecord(readJson(source, source.name))?.["format"] === EXPORT_FORMAT,
  read(source, types) {
    const exported = asRecord(readJson(source, source.name)) ?? {};
    const reading: ForeignReading = { memories: [], leftOut: [] };
    if (Number(exported["version"]) > EXPORT_VERSION) {
      reading.leftOut.push({
        place: source.name,
        what: source.name,
        reason: "a newer heed wrote it: update heed",
      });
      return reading;
    }
    for (const [i, record] of recordsOf(exported["memories"]).entries()) {
      const text = typeof record["text"] === "string" ? record["text"] : "";
      const file = textOf(record, "file") || `memory ${i + 1}`;
      const { memory, problems } = parseMemory(text, { file, storeId: "export" }, types);
      if (memory) {
        const foreign = foreignOf(memory, file);
        const draft = { ...foreign.draft, claims: memory.claims };
        reading.memories.push({ ...foreign, draft, id: memory.id, text });
      } else
        reading.leftOut.push({
          place: file,
          what: beginningOf(text),
          reason: problems[0]?.message ?? "it is no memory",
        });
    }
    return reading;
  },
};
