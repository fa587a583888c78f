import { inboxOf } from "../here/consent/inbox.ts";
import { HeedError, invalidInput } from "../machine/heed-error.ts";
import { withLock } from "../machine/file-lock.ts";
import { mkdirSync, rmSync, existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { writeFileAtomic } from "../machine/atomic-file.ts";
import { readSession } from "../here/records/session-state.ts";
import { capturePlaces } from "../machine/places.ts";
import { hasJobs, takeJob, idleMs, lastPromptMs } from "../here/capture-queue.ts";
import { type CapturedSession, captureSession, refreshEpisode, readSummaryOn } from "./capture-session.ts";
import { readConversations } from "./conversations/read-conversations.ts";
import type { IsToStop } from "./transcripts/read-session.ts";
import { learnByModel, notSeenBefore } from "./learn-by-model.ts";
import {
  listProgress,
  pruneProgress,
  readProgress,
  writeProgress,
} from "../here/records/session-progress.ts";
import { logTrouble } from "../here/trouble-log.ts";
import type { SessionEvent } from "../here/records/session-events.ts";
import type { Place } from "../here/place.ts";
import { modeHere } from "../here/user-config.ts";
import { join } from "node:path";
import type { Progress } from "../here/workspace.ts";
import { type OldTranscript, findTranscripts } from "./transcripts/find-transcripts.ts";
import { appendEvent, readEvents, FORMATS } from "../machine/state-file.ts";

const PROPOSAL_DAYS: number = 14;
/** A session that stopped without an end, and was silent for so long, gets its episode from somebody else's run. */
const SILENT_MS = 10 * 60_000;
const MAX_SWEPT = 20;
/** A run that stops for a prompt leaves its jobs to the one that the end of that prompt's turn has started meanwhile. */
const MAX_LOCK_WAIT_MS = 3000;

/** What a run of capture did. */
export interface CaptureReport {
  sessions: CapturedSession[];
  /** Another process is at work and takes what waits. */
  isLeftToOther: boolean;
  /** Sessions that could not be read, one line each. */
  problems: string[];
}

/** What to look for in old transcripts. */
export interface BackfillOptions {
  /** Folders or files to read; default: where the known clients keep theirs. */
  from?: readonly string[];
  /** Only sessions that changed since then (ISO date). */
  since?: string;
  /** The most sessions to give, the newest first. */
  limit?: number;
  /** Write episodes and, with `learn: model`, put proposals into the inbox; default: a dry run. */
  isApplied?: boolean;
}

/** What was found in old transcripts. */
export interface BackfillReport {
  sessions: CapturedSession[];
  /** Sessions that an earlier run has done. */
  doneBefore: number;
  problems: string[];
  isApplied: boolean;
}

/** Captures the sessions that wait, one process at a time; in the background until somebody says something in a session. */
export async function runCapture(
  place: Place,
  options: { isInBackground?: boolean | undefined; waitsForIdle?: boolean | undefined } = {},
): Promise<CaptureReport> {
  const { places } = place;
  if (options.waitsForIdle === true && !(await waitForIdle(place)))
    return { sessions: [], isLeftToOther: false, problems: [] };
  const startedMs = Date.now();
  const isToStop = (): boolean => options.isInBackground === true && lastPromptMs(places) > startedMs;
  const { root, lock } = capturePlaces(places);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const report: CaptureReport = { sessions: [], isLeftToOther: false, problems: [] };
  do {
    try {
      const waitMs = options.isInBackground === true ? MAX_LOCK_WAIT_MS : 0;
      await withLock(lock, { what: "capture", waitMs }, async (held) => {
        await workThrough(place, report, isToStop, () => held.assertHeld());
      });
    } catch (error) {
      if (!(error instanceof HeedError && error.code === "locked")) throw error;
      return { ...report, isLeftToOther: true };
    }
  } while (!isToStop() && hasJobs(places, place.now().getTime()));
  return report;
}

/** Reads a session on at once, as far as it comes in a time: its context is about to be compacted, and is told of it then. */
export async function captureNow(outer: Place, event: SessionEvent, withinMs: number): Promise<void> {
  const { session, client, cwd, agentId, transcriptPath: transcript = "" } = event;
  if (agentId !== undefined || session === "" || transcript === "") return;
  const place = outer.at(cwd);
  const mode = modeHere(place, readSession(place.places, session).mode);
  if (mode === "off" || place.found.capture === "off") return;
  const { root, lock } = capturePlaces(place.places);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const untilMs = performance.now() + withinMs;
  const job = { session, transcript, client, cwd, why: "compaction" } as const;
  await withLock(lock, { what: "capture", waitMs: withinMs / 4 }, () =>
    captureSession(place, job, () => performance.now() >= untilMs),
  );
}

/** How often a run that waits looks whether it is quiet, and says that it still waits. */
const LOOK_EVERY_MS = 10_000;
const MAX_WAIT_MS = 3_600_000;

/** Whether it became quiet within an hour. */
async function waitForIdle({ places, env }: Place): Promise<boolean> {
  const { waiting } = capturePlaces(places);
  const giveUpMs = Date.now() + MAX_WAIT_MS;
  try {
    while (Date.now() < giveUpMs) {
      const leftMs = lastPromptMs(places) + idleMs(env) - Date.now();
      if (leftMs <= 0) return true;
      writeFileAtomic(waiting, "", { mode: 0o600, isDurable: false });
      await sleep(Math.min(leftMs, LOOK_EVERY_MS));
    }
    return false;
  } finally {
    rmSync(waiting, { force: true });
  }
}

async function workThrough(
  place: Place,
  report: CaptureReport,
  isToStop: IsToStop,
  assertHeld: () => void,
): Promise<void> {
  const read: { file: string; session: string; cwd: string }[] = [];
  const next = (): ReturnType<typeof takeJob> => takeJob(place.places, place.now().getTime());
  for (let taken = next(); taken; taken = next()) {
    assertHeld();
    read.push({ file: taken.job.transcript, session: taken.job.session, cwd: taken.job.cwd });
    try {
      const captured = await captureSession(place, taken.job, isToStop);
      // It stays in the queue, marked as at work, which the next run takes up.
      if (captured === undefined) return;
      report.sessions.push(captured);
    } catch (error) {
      // A session that cannot be read is reported and not tried for ever.
      report.problems.push(`${taken.job.session}: ${error instanceof Error ? error.message : String(error)}`);
      logTrouble(`capture ${taken.job.session}`, error, place.env);
    }
    taken.done();
    if (isToStop()) return;
  }
  assertHeld();
  readConversations(place, { transcripts: read, isToStop });
  await sweep(place, isToStop);
  expireProposals(place);
  pruneProgress(place.places, place.now());
}

/** Episodes of sessions that were killed, or whose last stop came soon after the one before. */
async function sweep(place: Place, isToStop: IsToStop): Promise<void> {
  const before = place.now().getTime() - SILENT_MS;
  for (const { session, mtimeMs } of listProgress(place.places).slice(0, MAX_SWEPT)) {
    if (mtimeMs > before) continue;
    const progress = readProgress(place.places, session);
    if ((!progress.isDirty && progress.digest.turns.length === 0) || progress.digest.cwd === "") continue;
    try {
      const there = place.at(progress.digest.cwd);
      const { client } = progress.digest;
      // Silent for so long, it is over.
      if (place.found.capture !== "off")
        await learnByModel(there, progress, { client, isOver: true, isToStop });
      if (progress.isDirty) await refreshEpisode(there, progress, client);
      writeProgress(place.places, progress);
    } catch (error) {
      logTrouble(`capture ${session}`, error, place.env);
    }
  }
}

/** Rejects what heed proposed by itself, and what a model concluded about the user once they were shown it, after two weeks. */
function expireProposals(place: Place): void {
  const inbox = inboxOf(place);
  const oldest = place.now().getTime() - PROPOSAL_DAYS * 86_400_000;
  for (const { memory, proposal } of inbox.list()) {
    const isAboutUser = place.types.get(memory.type)?.needs.includes("confirmation") === true;
    const since =
      proposal.by.kind === "hook"
        ? proposal.at
        : proposal.by.kind === "model" && isAboutUser && !proposal.target
          ? proposal.shown
          : undefined;
    if (since === undefined || !(Date.parse(since) < oldest)) continue;
    const reason = `no answer in ${PROPOSAL_DAYS} days`;
    inbox.reject(memory.name, { reason, actor: { kind: "hook" }, at: place.now() });
  }
}

/** A person can answer this many proposals of one run; the rest comes with the next run. */
const MAX_NEW_PROPOSALS = 30;
const DEFAULT_LIMIT = 200;

/**
 * Reads old transcripts, the newest first. Without `isApplied` it only tells; with it each session is captured as if it
 * had just ended, and noted, so that the next run goes on behind it.
 * @throws HeedError `invalid-input` when there is nothing at a path that was given, or capture is off.
 */
export async function backfill(
  place: Place,
  options: BackfillOptions = {},
  progress?: Progress,
): Promise<BackfillReport> {
  const { root, lock } = capturePlaces(place.places);
  const isApplied = options.isApplied === true;
  if (place.found.capture === "off")
    throw invalidInput(
      "capture",
      "off",
      "capture is off here, by a config.yaml or the organisation's policy",
    );
  const missing = options.from?.find((path) => !existsSync(path));
  if (missing !== undefined)
    throw invalidInput(
      "from",
      missing,
      `there is nothing at ${missing}: give a transcript or a folder of them`,
    );
  const done = new Set(readEvents(doneFile(place), FORMATS.backfill).map(({ key }) => key));
  const all = findTranscripts(place.env, options.from).filter(
    ({ mtimeMs }) => options.since === undefined || mtimeMs >= Date.parse(options.since),
  );
  const open = all.filter((transcript) => !done.has(keyOf(transcript)));
  const todo = open.slice(0, options.limit ?? DEFAULT_LIMIT);
  const report: BackfillReport = {
    sessions: [],
    doneBefore: all.length - open.length,
    problems: [],
    isApplied,
  };
  const work = async (): Promise<void> => {
    let proposed = 0;
    for (const [i, transcript] of todo.entries()) {
      progress?.(i, todo.length, transcript.file);
      try {
        const captured = isApplied
          ? await captureSession(place, jobOf(transcript))
          : dryRun(place, transcript);
        if (captured === undefined) continue;
        report.sessions.push(captured);
        proposed += captured.proposals.filter(({ outcome }) => outcome === "proposed").length;
      } catch (error) {
        report.problems.push(`${transcript.file}: ${error instanceof Error ? error.message : String(error)}`);
      }
      if (isApplied) appendEvent(doneFile(place), FORMATS.backfill, { key: keyOf(transcript) });
      if (isApplied && proposed >= MAX_NEW_PROPOSALS) {
        report.problems.push(`${proposed} proposals wait for you: run it again when the inbox is empty`);
        break;
      }
    }
    progress?.(todo.length, todo.length, "");
  };
  if (!isApplied) await work();
  else {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    await withLock(lock, { what: "backfill", waitMs: 60_000 }, work);
  }
  return report;
}

function dryRun(place: Place, transcript: OldTranscript): CapturedSession {
  // Of no session: it begins at the beginning.
  const progress = readProgress(place.places, "");
  const { bytes, passedBytes, lostLines } = readSummaryOn(progress, transcript.file);
  return {
    session: transcript.session,
    client: progress.format,
    cwd: progress.digest.cwd,
    episode: undefined,
    turns: notSeenBefore(place.places, progress.digest.turns).length,
    proposals: [],
    bytes,
    passedBytes,
    lostLines,
  };
}

function jobOf({ file, session }: OldTranscript): Parameters<typeof captureSession>[1] {
  return { session, transcript: file, client: "", cwd: "", why: "backfill" };
}

/** A transcript that has grown since is another one. */
function keyOf({ file, sizeBytes }: OldTranscript): string {
  return `${sizeBytes} ${file}`;
}

function doneFile(place: Place): string {
  return join(capturePlaces(place.places).root, "backfill.jsonl");
}
