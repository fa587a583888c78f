import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { CapturedSession } from "../api/conversations.ts";
import type { Place } from "../place/place.ts";
import { reconcileStores } from "../place/workspace.ts";
import type { CaptureJob } from "../records/capture-queue.ts";
import { type SessionProgress, readProgress, writeProgress } from "../records/session-progress.ts";
import { type IsToStop, type ReadReport, readSessionOn } from "../transcripts/read-session.ts";
import { learnByModel, notSeenBefore } from "./learn-by-model.ts";
import { writeEpisode } from "./write-episode.ts";
import { foldEvent } from "../../capture/fold-event.ts";

/** While a session goes on its episode is written this often at most: each time is a commit. */
const EPISODE_EVERY_MS = 5 * 60_000;

/**
 * Reads a session on and keeps its record: the episode, and what a model proposes where the user set one up. Undefined
 * when it was told to stop: what was read until there is noted, and the next run goes on from it. Rejects when the
 * transcript cannot be read.
 */
export async function captureSession(
  outer: Place,
  job: CaptureJob,
  isToStop: IsToStop = () => false,
): Promise<CapturedSession | undefined> {
  const progress = readProgress(outer.places, job.session);
  const { bytes, passedBytes, lostLines } = readSummaryOn(progress, job.transcript, isToStop);
  if (isToStop()) {
    writeProgress(outer.places, progress);
    return undefined;
  }
  const place = placeOf(outer, job, progress);
  progress.digest.cwd ||= job.cwd;
  const client = job.client === "" ? progress.format : job.client;
  const { turns } = progress.digest;
  // A resumed or forked session carries the turns of the one before.
  turns.splice(0, turns.length, ...notSeenBefore(place.places, turns));
  const read = turns.length;
  const isWanted = place.found.capture !== "off";
  const isOver = job.why === "end" || job.why === "backfill";
  const proposals = isWanted ? await learnByModel(place, progress, { client, isOver, isToStop }) : [];
  const episode =
    isWanted && isEpisodeDue(place, progress, job.why)
      ? await refreshEpisode(place, progress, client)
      : undefined;
  writeProgress(place.places, progress);
  if (place !== outer) await reconcileStores(place.workspace);
  const { session } = job;
  return {
    session,
    client,
    cwd: place.cwd,
    episode,
    turns: read,
    proposals,
    bytes,
    passedBytes,
    lostLines,
  };
}

/** Brings the episode of a session up to date with what was read of it. */
export async function refreshEpisode(
  place: Place,
  progress: SessionProgress,
  client: string,
): Promise<string | undefined> {
  const name = await writeEpisode(place, progress.session, progress.digest, client);
  progress.episodeAt = place.now().toISOString();
  progress.isDirty = false;
  return name;
}

/**
 * A session works where its client says; when that folder is gone, where its transcript says. When both are gone it
 * still is of that folder: what it holds must not become knowledge of the repository in which it happens to be read.
 */
function placeOf(outer: Place, job: CaptureJob, progress: SessionProgress): Place {
  const named = [job.cwd, progress.digest.cwd].filter((path) => path !== "" && isAbsolute(path));
  const cwd = named.find((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory()) ?? named.at(0);
  return cwd === undefined ? outer : outer.at(cwd);
}

function isEpisodeDue(place: Place, progress: SessionProgress, why: CaptureJob["why"]): boolean {
  if (!progress.isDirty) return false;
  if (why !== "stop" || progress.episodeAt === "") return true;
  return place.now().getTime() - Date.parse(progress.episodeAt) >= EPISODE_EVERY_MS;
}

/** Reads a session's transcript on into its digest. */
export function readSummaryOn(
  progress: SessionProgress,
  transcript: string,
  isToStop?: IsToStop,
): ReadReport {
  const { digest } = progress;
  const report = readSessionOn(
    progress,
    transcript,
    (event, agent) => foldEvent(digest, event, agent),
    isToStop,
  );
  if (report.bytes > 0) Object.assign(progress, { isDirty: true, isInjected: false });
  digest.client = progress.format;
  return report;
}
