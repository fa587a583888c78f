import { encodeMemory } from "../../memory/codec/encode-memory.ts";
import type { Memory } from "../../memory/memory.ts";
import type { TypeTable } from "../../memory/memory-type.ts";

/** What tells the JSON that heed exports; docs/format.md has its schema. */
export const EXPORT_FORMAT = "heed-memories";
export const EXPORT_VERSION = 1;

/** A memory with its file, as it lies in its store. */
export interface ExportedMemory {
  memory: Memory;
  /** Kind of its store: `user`, `project`, `attached`. */
  store: string;
  /** Path in the store, and the whole text. */
  file: string;
  text: string;
}

/** A file of an export. */
export interface ExportFile {
  path: string;
  text: string;
}

/** Their own files, one folder a store: what another heed, an editor or any reader of markdown takes as they are. */
export function asFiles(memories: readonly ExportedMemory[], types: TypeTable): ExportFile[] {
  return memories.map(({ memory, store, file, text }) => ({
    path: `${store}/${file}`,
    text: text === "" ? encodeMemory(memory, types) : text,
  }));
}

/** One JSON file; its schema stands in docs/export.schema.json. The text of each memory is whole, the fields are for readers. */
export function asJson(memories: readonly ExportedMemory[], exported: string): ExportFile[] {
  const records = memories.map(({ memory, store, file, text }) => ({ ...memory, store, file, text }));
  const whole = { format: EXPORT_FORMAT, version: EXPORT_VERSION, exported, memories: records };
  return [{ path: "heed-memories.json", text: `${JSON.stringify(whole, null, 2)}\n` }];
}
