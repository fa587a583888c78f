import { encodeMemory } from "../../memory/codec/encode-memory.ts";
import { FIELD_NAMES } from "../../memory/memory-fields.ts";
import type { MemoryHeader } from "../../memory/memory.ts";
import { EXPORT_FORMAT, EXPORT_VERSION } from "../formats/typed-files.ts";
import { invalidInput } from "../../machine/heed-error.ts";
import { redactSecrets, redactValue } from "../../memory/screening/find-secrets.ts";
import { openCollection } from "../../here/collection.ts";
import type { Place } from "../../here/place.ts";

const SECRETS = "secrets of files that were edited by hand: `heed check` names the files";

/** In which form memories leave. */
export type ExportFormat = "files" | "json";

/** What is to leave. */
export interface ExportRequest {
  /** Default: `files`. */
  format?: ExportFormat;
  /** Types; default: all but episodes. */
  types?: readonly string[];
  /** Kinds or ids of stores; default: the user's and the project's. */
  stores?: readonly string[];
}

/** What an export holds: nothing is written anywhere. */
export interface ExportReport {
  format: ExportFormat;
  /** Paths relative to wherever they are put, with forward slashes, and texts. */
  files: { path: string; text: string }[];
  memories: number;
  /** What cannot be said in that form, one line each. */
  lost: string[];
}

/** Memories as their files or as one JSON file (docs/export.schema.json), episodes only where they are named. Writes nothing. */
export async function exportMemories(place: Place, request: ExportRequest = {}): Promise<ExportReport> {
  const { format = "files", stores: wanted = ["user", "project"] } = request;
  if (format !== "files" && format !== "json")
    throw invalidInput("format", format, `unknown format "${String(format)}": use one of files, json`);
  const stores = place.stores.filter(({ id, kind }) => wanted.includes(kind) || wanted.includes(id));
  const collection = await openCollection(place, { thoroughness: "full" });
  const chosen = collection
    .memories()
    .filter(({ type }) => request.types?.includes(type) ?? type !== "episode")
    .sort((a, b) => ((a.type === b.type ? a.name < b.name : a.type < b.type) ? -1 : 1));
  const found = [];
  for (const metadata of chosen) {
    const store = stores.find(({ id }) => id === metadata.storeId);
    const read = store && (await collection.read(metadata));
    if (!read) continue;
    const { text: own = "" } = metadata.section === undefined ? read : {};
    const header = Object.fromEntries(
      FIELD_NAMES.map((name) => [name, read.metadata[name]]),
    ) as unknown as MemoryHeader;
    found.push({ store, own, said: read.body, header: { ...header, file: metadata.file } });
  }
  // All at once: what is said in each of them is screened once.
  const headers = redactValue(found.map(({ header }) => header));
  const files: ExportReport["files"] = [];
  const records: object[] = [];
  let hasSecrets = false;
  for (const [i, { store, own, said, header }] of found.entries()) {
    const text = redactSecrets(own);
    // A body that stands in a text without secrets is not screened again.
    const body = text === own && own.includes(said) ? said : redactSecrets(said);
    const { file, ...clean } = headers[i] ?? header;
    const memory = { ...clean, body };
    hasSecrets ||= text !== own || body !== said;
    records.push({ ...memory, store: store.kind, file, text });
    files.push({
      path: `${store.kind}/${file}`,
      text: text === "" ? encodeMemory(memory, place.types) : text,
    });
  }
  const exported = { format: EXPORT_FORMAT, version: EXPORT_VERSION, exported: place.now().toISOString() };
  const json = `${JSON.stringify({ ...exported, memories: records }, null, 2)}\n`;
  return {
    format,
    files: format === "files" ? files : [{ path: "heed-memories.json", text: json }],
    memories: records.length,
    lost: hasSecrets ? [SECRETS] : [],
  };
}
