import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Struggle } from "../../capture/solutions/struggle.ts";
import type { UserTurn } from "../../capture/digest/session-digest.ts";
import { oneLine } from "../../capture/text/one-line.ts";
import type { CapturedSession, ProposalReport, SolutionReport } from "../api/learning-reports.ts";
import type { Place } from "../place/place.ts";
import { settleStores } from "../place/workspace.ts";
import { announceLater } from "../records/announcements.ts";
import type { CaptureJob } from "../records/capture-queue.ts";
import { markSeen, notSeenBefore } from "./known-turns.ts";
import { announceKept } from "./announce-kept.ts";
import { learnByModel } from "./learn-by-model.ts";
import { proposeTurns } from "./propose-turns.ts";
import type { IsToStop } from "../transcripts/read-session.ts";
import { readDigestOn } from "./read-digest.ts";
import { saveSolutions } from "./save-solutions.ts";
import type { SessionProgress } from "./session-progress.ts";
import { readProgress, writeProgress } from "./session-progress.ts";
import { writeEpisode } from "./write-episode.ts";

/** While a session goes on its episode is written this often at most: each time is a commit. */
const EPISODE_EVERY_MS = 5 * 60_000;

/**
 * Reads a session on and keeps what came of it. Undefined when it was told to stop: what was read until there is noted,
 * and the next run goes on from it. Rejects when the transcript cannot be read.
 */
export async function captureSession(
  outer: Place,
  job: CaptureJob,
  isToStop: IsToStop = () => false,
): Promise<CapturedSession | undefined> {
  const progress = readProgress(outer.places, job.session);
  const { bytes, passedBytes, lostLines } = readDigestOn(progress, job.transcript, isToStop);
  if (isToStop()) {
    writeProgress(outer.places, progress);
    return undefined;
  }
  const place = placeOf(outer, job, progress);
  const client = job.client === "" ? progress.format : job.client;
  const { turns, won } = takeFinished(progress, job.why);
  const told = { session: job.session, client };
  const isWanted = place.found.capture !== "off";
  const fresh = isWanted ? notSeenBefore(place.places, turns) : [];
  const proposals = await proposeTurns(place, fresh, told);
  if (isWanted && job.why !== "backfill") {
    const isOver = job.why === "end";
    proposals.push(...(await learnByModel(place, progress, fresh, { ...told, isOver, isToStop })));
  }
  const solutions = isWanted ? await saveSolutions(place, won, told) : [];
  note(place, progress, proposals, solutions);
  markSeen(place.places, fresh);
  const episode =
    isWanted && isEpisodeDue(place, progress, job.why)
      ? await refreshEpisode(place, progress, client)
      : undefined;
  writeProgress(place.places, progress);
  if (place !== outer) await settleStores(place.workspace);
  return {
    session: job.session,
    client,
    cwd: place.cwd,
    episode,
    proposals,
    solutions,
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

/**
 * In the middle of a turn its last words may still be answered, by a memory that the agent writes itself, and why something
 * worked is mostly said at its end.
 */
function takeFinished(
  progress: SessionProgress,
  why: CaptureJob["why"],
): { turns: UserTurn[]; won: Struggle[] } {
  const { digest } = progress;
  const turns = digest.turns.splice(
    0,
    why === "compaction" || why === "begun" ? Math.max(0, digest.turns.length - 1) : digest.turns.length,
  );
  return { turns, won: why === "compaction" ? [] : digest.won.splice(0) };
}

function isEpisodeDue(place: Place, progress: SessionProgress, why: CaptureJob["why"]): boolean {
  if (!progress.isDirty) return false;
  if (why !== "stop" || progress.episodeAt === "") return true;
  return place.now().getTime() - Date.parse(progress.episodeAt) >= EPISODE_EVERY_MS;
}

/** Tells the user in a line what was saved unasked, and the episode what came of the session. */
function note(
  place: Place,
  progress: SessionProgress,
  proposals: readonly ProposalReport[],
  solutions: readonly SolutionReport[],
): void {
  for (const { outcome, announcement, name } of solutions) {
    if (outcome === "saved") announceLater(place.places, { line: announcement, where: place.workRoot });
    if (outcome !== "refused") progress.digest.notes.push(`solution heed:${name} (${outcome})`);
  }
  announceKept(
    place,
    progress.session,
    proposals.filter(({ outcome }) => outcome !== "known"),
  );
  for (const { outcome, type, description, detail, about } of proposals) {
    if (outcome === "known" || outcome === "refused") continue;
    const where = outcome === "proposed" ? `waits in the inbox as ${detail}` : detail;
    progress.digest.notes.push(`${about ?? type}: ${oneLine(description, 120)} (${where})`);
  }
  progress.digest.notes.splice(0, Math.max(0, progress.digest.notes.length - 20));
}
