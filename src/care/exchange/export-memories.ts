import { encodeMemory } from "../../memory/codec/encode-memory.ts";
import { FIELD_NAMES } from "../../memory/memory-fields.ts";
import type { MemoryHeader, MemoryMetadata } from "../../memory/memory.ts";
import { EXPORT_FORMAT, EXPORT_VERSION } from "../formats/typed-files.ts";
import { HeedError, invalidInput } from "../../machine/heed-error.ts";
import { redactSecrets, redactValue } from "../../memory/screening/find-secrets.ts";
import { openCollection } from "../../here/collection.ts";
import { type Place, tellsOfDamage } from "../../here/place.ts";

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

/** What a file of an export holds, piece by piece; the path with the first piece of each. */
export type TakeExport = (text: string, path?: string) => void;

const PIECE_CHARS = 256 * 1024;
const MAX_KNOWN = 10_000;

/** Memories as their files or as one JSON file (docs/export.schema.json), episodes only where they are named. Writes nothing. */
export async function exportMemories(
  place: Place,
  request: ExportRequest = {},
  take?: TakeExport,
): Promise<ExportReport> {
  const { format = "files", types, stores: wanted = ["user", "project"] } = request;
  if (format !== "files" && format !== "json")
    throw invalidInput("format", format, `unknown format "${String(format)}": use one of files, json`);
  const files: ExportReport["files"] = [];
  const give: TakeExport =
    take ??
    ((text, path) => {
      if (path === undefined) (files.at(-1) as { text: string }).text += text;
      else files.push({ path, text });
    });
  const collection = await openCollection(place, {
    stores: place.stores.filter(({ id, kind }) => wanted.includes(kind) || wanted.includes(id)),
    thoroughness: "full",
  });
  const exported = { format: EXPORT_FORMAT, version: EXPORT_VERSION, exported: place.now().toISOString() };
  if (format === "json") give(`${JSON.stringify(exported).slice(0, -1)},"memories":[`, "heed-memories.json");
  const known = new Map<string, string>();
  let [memories, hasSecrets, waiting] = [0, false, ""];
  for (const [i, store] of collection.stores.entries())
    for (const metadata of soundly(collection.readers[i]?.byFile(), take)) {
      const { type, section } = metadata;
      const found =
        (types?.includes(type) ?? type !== "episode") ? await collection.read(metadata) : undefined;
      if (!found) continue;
      const own = section === undefined ? (found.text ?? "") : "";
      const text = redactSecrets(own);
      // What stands in a text without secrets is not screened again.
      const screened = (said: string): string =>
        text === own && own.includes(said) ? said : redactSecrets(said);
      const fields = Object.fromEntries(FIELD_NAMES.map((name) => [name, found.metadata[name]]));
      const named = { ...(fields as unknown as MemoryHeader), file: metadata.file };
      const { file, ...header } = redactValue(named, screened, known);
      if (known.size > MAX_KNOWN) known.clear();
      const memory = { ...header, body: screened(found.body) };
      hasSecrets ||= text !== own || memory.body !== found.body;
      memories++;
      if (format === "files") give(text || encodeMemory(memory, place.types), `${store.kind}/${file}`);
      else
        waiting += `${memories > 1 ? "," : ""}\n${JSON.stringify({ ...memory, store: store.kind, file, text })}`;
      if (waiting.length < PIECE_CHARS) continue;
      give(waiting);
      waiting = "";
    }
  if (format === "json") give(`${waiting}\n]}\n`);
  return { format, files, memories, lost: hasSecrets ? [SECRETS] : [] };
}

/** What was handed over cannot be taken back, as a call over a damaged index is that is begun again. */
function* soundly(memories: Iterable<MemoryMetadata> = [], take?: TakeExport): Generator<MemoryMetadata> {
  try {
    yield* memories;
  } catch (error) {
    if (!take || !tellsOfDamage(error)) throw error;
    const message = "an index turned out to be damaged: it is built again at the next call, so export again";
    throw new HeedError("io-failed", message, { operation: "read" }, { cause: error });
  }
}
