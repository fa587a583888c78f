import { join } from "node:path";
import { capturePlaces, sessionKey } from "./session-state.ts";
import { type SessionSummary, readSummary } from "./session-summary.ts";
import { FORMATS, newerAt, newerFile, readVersioned, writeVersioned } from "../../machine/versioned-file.ts";
import type { Places } from "../../machine/places.ts";
import { newestFiles, pruneFiles } from "../../machine/atomic-file.ts";

/** How far a session was read, and what it came to until there. */
export interface SessionProgress {
  session: string;
  /** Bytes read of each file of the session, by its path. */
  offsets: Record<string, number>;
  /** The agent whose transcript it is, once it is told. */
  format: string;
  digest: SessionSummary;
  /** When the episode was written last, ISO; empty: never. */
  episodeAt: string;
  /** Something came since then. */
  isDirty: boolean;
  /** A later session was told what this one left open. */
  isInjected: boolean;
}

/** Progress is kept as long as the clients keep their transcripts. */
const KEPT_DAYS = 30;
const KEPT_SESSIONS = 500;

/** Reads a session's progress; a new one when there is none or it is damaged. @throws HeedError `io-failed` for a newer heed's. */
export function readProgress(places: Places, session: string): SessionProgress {
  const file = fileOf(places, session);
  // A damaged file costs the session's earlier part, not the session: it is read from the beginning.
  const kept: Partial<SessionProgress> & { ["isTold"]?: unknown } =
    readVersioned(file, FORMATS.captureProgress) ?? {};
  const newer = newerAt(file);
  if (newer) throw newerFile(newer);
  const digest = readSummary(kept.digest);
  const isWhole = kept.digest !== undefined && digest === kept.digest;
  const offsets = isWhole && typeof kept.offsets === "object" && kept.offsets !== null ? kept.offsets : {};
  return {
    session,
    offsets,
    format: isWhole && typeof kept.format === "string" ? kept.format : "",
    digest,
    episodeAt: typeof kept.episodeAt === "string" ? kept.episodeAt : "",
    isDirty: kept.isDirty === true,
    isInjected: kept.isInjected === true || kept["isTold"] === true,
  };
}

/** Keeps a session's progress. What it covers may be read again after a crash: whoever captures sees to duplicates. */
export function writeProgress(places: Places, progress: SessionProgress): void {
  writeVersioned(fileOf(places, progress.session), FORMATS.captureProgress, progress, { isDurable: false });
}

/** The sessions whose progress is kept, the one written last first. */
export function listProgress(places: Places): { session: string; mtimeMs: number }[] {
  return newestFiles(capturePlaces(places).sessions, ".json").map(({ name, mtimeMs }) => ({
    session: name,
    mtimeMs,
  }));
}

/** Removes what is kept of old sessions. Never throws. */
export function pruneProgress(places: Places, now: Date): void {
  const files = newestFiles(capturePlaces(places).sessions, ".json");
  pruneFiles(files, now.getTime() - KEPT_DAYS * 86_400_000, KEPT_SESSIONS);
}

function fileOf(places: Places, session: string): string {
  return join(capturePlaces(places).sessions, `${sessionKey(session)}.json`);
}
