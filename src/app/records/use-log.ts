import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { appendEvent, readEvents } from "../../platform/event-log.ts";
import { FORMATS } from "../../platform/file-formats.ts";
import type { Places } from "../../platform/places.ts";
import type { UseCounts } from "../api/memory-use.ts";
import type { UseOutcome } from "../../memory/use-outcome.ts";
import { USE_OUTCOMES } from "../../memory/use-outcome.ts";

/** One line of the log of use. */
export interface UseEvent {
  /** ISO time. */
  time: string;
  session: string;
  /** `<store id>:<memory id>`. */
  key: string;
  /** Its name then. */
  name: string;
  /** Cited by its handle in an answer, or reported with what came of it. */
  what: "cited" | UseOutcome;
  /** The message in which it was cited, as a checksum: the same message counts once. */
  of?: number;
  /** What the reporter said. */
  note?: string;
}

/** What the log says about one memory. */
export interface MemoryUse extends UseCounts {
  /** Reports that raise a question, the newest last. */
  questions: { time: string; what: "contradicted" | "corrected"; note?: string }[];
}

/** A month is one file; this many are kept. */
const KEPT_MONTHS = 24;
const MAX_MONTH_BYTES = 8 * 1024 * 1024;
const MAX_QUESTIONS = 10;

const folderOf = (places: Places): string => join(places.state, "use");

/** Adds events. Throws what the file system throws. */
export function appendUse(places: Places, events: readonly UseEvent[]): void {
  for (const event of events)
    appendEvent(join(folderOf(places), `${event.time.slice(0, 7)}.jsonl`), FORMATS.use, event);
}

/**
 * The counts per memory, by key, folded from the log. A damaged line is left out.
 *
 * @param since ISO time; earlier events do not count. Default: all that are kept.
 */
export function readUse(places: Places, since = ""): Map<string, MemoryUse> {
  const counts = new Map<string, MemoryUse>();
  const seen = new Set<string>();
  for (const month of monthsOf(places)) {
    if (month.slice(0, 7) < since.slice(0, 7)) continue;
    for (const record of readEvents(join(folderOf(places), month), FORMATS.use, MAX_MONTH_BYTES)) {
      const { key, time, what, session, of, note } = record;
      if (typeof key !== "string" || typeof time !== "string" || time < since) continue;
      const outcome = what === "cited" ? "cited" : USE_OUTCOMES.find((known) => known === what);
      if (!outcome) continue;
      if (outcome === "cited") {
        const once = `${String(session)} ${String(of)} ${key}`;
        if (seen.has(once)) continue;
        seen.add(once);
      }
      const use = counts.get(key) ?? emptyUse();
      counts.set(key, use);
      use[outcome] += 1;
      use.last = time;
      if (outcome === "contradicted" || outcome === "corrected") {
        use.questions.push({ time, what: outcome, ...(typeof note === "string" && { note }) });
        if (use.questions.length > MAX_QUESTIONS) use.questions.shift();
      }
    }
  }
  return counts;
}

/** How often a memory was of use: applied, cited, confirmed, or corrected, which takes reading it. Being told is no use. */
export function usesOf(use: MemoryUse | undefined): number {
  return use === undefined ? 0 : use.applied + use.cited + use.corrected;
}

/** When something came of a memory, and what: events since an ISO time, the oldest first. */
export function readUseEvents(places: Places, since: string): Pick<UseEvent, "time" | "what">[] {
  return monthsOf(places)
    .filter((month) => month.slice(0, 7) >= since.slice(0, 7))
    .flatMap((month) => readEvents(join(folderOf(places), month), FORMATS.use, MAX_MONTH_BYTES))
    .flatMap(({ time, what }) => {
      const outcome = what === "cited" ? what : USE_OUTCOMES.find((known) => known === what);
      return outcome && typeof time === "string" && time >= since ? [{ time, what: outcome }] : [];
    });
}

/** Removes months that are too old. Never throws. */
export function pruneUse(places: Places): void {
  try {
    for (const month of monthsOf(places).slice(0, -KEPT_MONTHS))
      rmSync(join(folderOf(places), month), { force: true });
  } catch {
    // What is too old is removed another time.
  }
}

function emptyUse(): MemoryUse {
  return { cited: 0, applied: 0, ignored: 0, contradicted: 0, corrected: 0, questions: [] };
}

/** The files of the log, the oldest month first. */
function monthsOf(places: Places): string[] {
  const folder = folderOf(places);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d{4}-\d\d\.jsonl$/.test(name) && statSync(join(folder, name)).isFile())
    .sort();
}
