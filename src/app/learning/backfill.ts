import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BackfillOptions, BackfillReport, CapturedSession } from "../api/conversations.ts";
import type { Progress } from "../api/setup-reports.ts";
import type { Place } from "../place/place.ts";
import type { SessionProgress } from "../records/session-progress.ts";
import { capturePlaces } from "../records/session-state.ts";
import { type OldTranscript, findTranscripts } from "../transcripts/find-transcripts.ts";
import { captureSession, readSummaryOn } from "./capture-session.ts";
import { notSeenBefore } from "./learn-by-model.ts";
import { emptySummary } from "../../capture/session-summary.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { appendEvent, readEvents } from "../../platform/event-log.ts";
import { FORMATS } from "../../platform/versioned-file.ts";
import { withLock } from "../../platform/file-lock.ts";

/** A person can answer so many proposals of one run; the rest comes with the next run. */
const MAX_NEW_PROPOSALS = 30;
const DEFAULT_LIMIT = 200;

/**
 * Reads old transcripts, the newest first. Without `isApplied` it only tells; with it each session is captured as if it
 * had just ended, and noted, so that the next run goes on behind it.
 * @throws HeedError `invalid-input` when there is nothing at a path that was given.
 */
export async function backfill(
  place: Place,
  options: BackfillOptions = {},
  progress?: Progress,
): Promise<BackfillReport> {
  const { root, lock } = capturePlaces(place.places);
  const isApplied = options.isApplied === true;
  const missing = options.from?.find((path) => !existsSync(path));
  if (missing !== undefined)
    throw new HeedError(
      "invalid-input",
      `there is nothing at ${missing}: give a transcript or a folder of them`,
      {
        argument: "from",
        value: missing,
      },
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

/** What a session would give, leaving no trace. */
function dryRun(place: Place, transcript: OldTranscript): CapturedSession {
  const progress: SessionProgress = {
    session: transcript.session,
    offsets: {},
    format: "",
    digest: emptySummary(),
    episodeAt: "",
    isDirty: false,
    isInjected: false,
  };
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
