import { HeedError } from "../../machine/heed-error.ts";
import { onOneLine } from "../../machine/read-fields.ts";
import type { Actor } from "../../memory/memory.ts";
import type { StoredMemory } from "../files/scan-store.ts";
import { FORMATS, parseVersioned } from "../../machine/state-file.ts";

export interface ChangeNote {
  why: string;
  actor: Actor;
}

/** One file of a change with its whole text on both sides; null: the file is not there. */
export interface FileChange {
  /** Path relative to the store's root, with forward slashes. */
  file: string;
  before: string | null;
  after: string | null;
}

/** A change to a store: what happened, why, and everything that is needed to take it back. */
export interface ChangeRecord {
  /** ULID; sorts in the order in which the changes were made. */
  id: string;
  time: string;
  actor: Actor;
  summary: string;
  files: FileChange[];
  /** The change that this one takes back; of several, their ids with a blank between them. */
  undoes?: string;
  /** A commit of another machine that this change brings in: its commit gets it as second parent. */
  merges?: string;
}

export interface StoreWrite {
  /** The change in the store's history; undefined when nothing had to change. */
  change: ChangeRecord | undefined;
  /** The memory's file after the change, relative to the store's root (of the tombstone, for a removal). */
  file: string;
  memory: StoredMemory;
  before: string | null;
  after: string;
}

/** Reads a record as it was written to disk; undefined for anything else (a torn or foreign file, a newer heed's). */
export function parseChangeRecord(text: string, path: string): ChangeRecord | undefined {
  const value: Partial<ChangeRecord> | undefined = parseVersioned(text, path, FORMATS.change);
  const isWhole =
    typeof value?.id === "string" &&
    typeof value.time === "string" &&
    typeof value.summary === "string" &&
    Array.isArray(value.files) &&
    value.files.every((change) => typeof change.file === "string");
  return isWhole ? (value as ChangeRecord) : undefined;
}

export const TRAILERS = {
  change: "Heed-Change",
  actor: "Heed-Actor",
  client: "Heed-Client",
  session: "Heed-Session",
  undoes: "Heed-Undoes",
} as const;

/** The message of a change's commit: what and why in one line, then who, as trailers. */
export function commitMessage(
  record: Pick<ChangeRecord, "summary" | "actor" | "undoes"> & { id?: string },
): string {
  const trailers = [
    [TRAILERS.change, record.id],
    [TRAILERS.actor, record.actor.kind],
    [TRAILERS.client, record.actor.client],
    [TRAILERS.session, record.actor.session],
    [TRAILERS.undoes, record.undoes],
  ].flatMap(([key, value]) =>
    // Of what is taken back each id counts.
    value ? [`${key}: ${onOneLine(value).slice(0, key === TRAILERS.undoes ? undefined : 200)}`] : [],
  );
  return `${onOneLine(record.summary) || "change"}\n\n${trailers.join("\n")}\n`;
}

/** Writing back a file that is no UTF-8 would lose its bytes. @throws HeedError `broken-file`. */
export function refuseLostBytes(files: readonly FileChange[]): void {
  const lost = files.find(({ before }) => before?.includes("\uFFFD") === true);
  if (!lost) return;
  throw new HeedError(
    "broken-file",
    `${lost.file} contains bytes that are not UTF-8, which a change would lose: write it again as UTF-8 first, for example with iconv -f latin1 -t utf-8`,
    { file: lost.file },
  );
}
