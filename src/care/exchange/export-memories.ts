import type { ExportedMemory } from "../formats/write-export.ts";
import { asFiles, asJson } from "../formats/write-export.ts";
import { HeedError } from "../../machine/heed-error.ts";
import type { ExportFormat, ExportReport, ExportRequest } from "../../here/api/exchange-reports.ts";
import { redactSecrets, redactValue } from "../../memory/screening/find-secrets.ts";
import { openCollection } from "../../here/collection.ts";
import { openedStore } from "../../here/opened-stores.ts";
import type { Place } from "../../here/place.ts";

const FORMATS: readonly ExportFormat[] = ["files", "json"];

const SECRETS = "secrets of files that were edited by hand: `heed check` names the files";

/**
 * Memories in a form that others read; nothing is written. Episodes are left out unless they are named: they are what
 * heed noted of sessions.
 *
 * @throws HeedError `invalid-input` for an unknown format.
 */
export async function exportMemories(place: Place, request: ExportRequest = {}): Promise<ExportReport> {
  const format = request.format ?? "files";
  if (!FORMATS.includes(format))
    throw new HeedError("invalid-input", `no format is called "${format}": there are ${FORMATS.join(", ")}`, {
      argument: "format",
      value: format,
    });
  const wanted = request.stores ?? ["user", "project"];
  const stores = place.stores.filter(({ id, kind }) => wanted.includes(kind) || wanted.includes(id));
  const collection = await openCollection(place, { thoroughness: "full" });
  const chosen = collection
    .memories()
    .filter(({ storeId }) => stores.some(({ id }) => id === storeId))
    .filter(({ type }) => request.types?.includes(type) ?? type !== "episode")
    .sort((a, b) => (a.type === b.type ? compare(a.name, b.name) : compare(a.type, b.type)));
  const memories: ExportedMemory[] = [];
  let hasSecrets = false;
  for (const metadata of chosen) {
    const store = stores.find(({ id }) => id === metadata.storeId);
    const read = await collection.read(metadata);
    if (!store || !read) continue;
    const text =
      metadata.section === undefined ? (openedStore(place, store).read(metadata.file).text ?? "") : "";
    const {
      storeId: _storeId,
      file: _file,
      mtimeMs: _mtime,
      sizeBytes: _size,
      contentHash: _hash,
      bodyLength: _length,
      flags: _flags,
      section: _section,
      ...header
    } = read.metadata;
    const whole = { memory: { ...header, body: read.body }, file: metadata.file, text };
    memories.push({ ...redactValue(whole), store: store.kind });
    hasSecrets ||= redactSecrets(`${text}\n${read.body}`) !== `${text}\n${read.body}`;
  }
  const files =
    format === "files" ? asFiles(memories, place.types) : asJson(memories, place.now().toISOString());
  return {
    format,
    files,
    memories: memories.length,
    lost: hasSecrets ? [SECRETS] : [],
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
