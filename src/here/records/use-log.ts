import { readdirSync } from "node:fs";
import { join } from "node:path";
import { newestFiles, pruneFiles } from "../../machine/atomic-file.ts";
import { appendEvent, readEvents, FORMATS } from "../../machine/state-file.ts";
import { statIfThere } from "../../machine/regular-file.ts";
import type { Places } from "../../machine/places.ts";
import { countWords } from "../../machine/read-fields.ts";

export interface UseEvent {
  time: string;
  session: string;
  /** `<store id>:<memory id>`. */
  key: string;
  name: string;
  /** Cited by its handle in an answer, found by a search, or opened. Older logs hold reports of models too, which count no more. */
  what: "cited" | "found" | "opened";
  /** The message in which it was cited, as a checksum, or the day: the same one counts once. */
  of: number;
}

const COUNTED: readonly unknown[] = ["cited", "found", "opened"] satisfies UseEvent["what"][];

/** Two years of use that is more than anybody's; a month beyond its room counts no more. */
const KEPT = { files: 24, bytes: 8 * 1024 * 1024 };
const MAX_MONTH_BYTES = 4 * 1024 * 1024;

const folderOf = (places: Places): string => join(places.state, "use");

export function appendUse(places: Places, events: readonly UseEvent[]): void {
  for (const month of new Set(events.map(({ time }) => time.slice(0, 7)))) {
    const file = join(folderOf(places), `${month}.jsonl`);
    if ((statIfThere(file)?.size ?? 0) > MAX_MONTH_BYTES) continue;
    appendEvent(file, FORMATS.use, ...events.filter(({ time }) => time.startsWith(month)));
  }
}

/** How often each memory was cited, found or opened since an ISO time, by key. */
export function readUse(places: Places, since = ""): Map<string, number> {
  const once = usesSince(places, since).map(
    ({ key, session, of }) => [`${session} ${of} ${key}`, key] as const,
  );
  return new Map(Object.entries(countWords([...new Map(once).values()])));
}

/** What the log says since a time; a damaged line is left out. */
export function usesSince(places: Places, since: string): Omit<UseEvent, "name">[] {
  // What cannot be read is not taken for nothing.
  const names = statIfThere(folderOf(places)) ? readdirSync(folderOf(places)).sort() : [];
  return names
    .filter((name) => /^\d{4}-\d\d\.jsonl$/.test(name) && name.slice(0, 7) >= since.slice(0, 7))
    .flatMap((month) => readEvents(join(folderOf(places), month), FORMATS.use, MAX_MONTH_BYTES))
    .flatMap(({ key, time, what, session, of }) =>
      COUNTED.includes(what) && typeof key === "string" && typeof time === "string" && time >= since
        ? [{ key, time, what: what as UseEvent["what"], session: String(session), of: Number(of) }]
        : [],
    );
}

export function pruneUse(places: Places): void {
  pruneFiles(newestFiles(folderOf(places), ".jsonl"), KEPT);
}
