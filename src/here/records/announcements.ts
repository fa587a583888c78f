import { renameSync, rmSync, statSync } from "node:fs";
import { appendEvent, readEvents, FORMATS } from "../../machine/state-file.ts";
import { type Places, capturePlaces } from "../../machine/places.ts";

interface Announcements {
  lines: string[];
  forModel: string[];
}

const MAX_KEPT = 50;

export interface AnnouncedMemory {
  key: string;
  /** Absent: it was removed. */
  description?: string;
}

interface Announcement {
  line?: string | undefined;
  forModel?: string | undefined;
  /** The memory that the line tells of, by its memoryKey, and what it said: told only while that is so. */
  about?: AnnouncedMemory;
  /** Absolute path; default: it is told wherever somebody speaks next. */
  where?: string;
}

/** Leaves a line for the user, to be told at the next prompt or session start there, and one for the model beside it. */
export function announceLater(places: Places, announcement: Announcement): void {
  appendEvent(capturePlaces(places).announcements, FORMATS.announcements, announcement);
}

/** Takes what waits to be told at a place, each once. What is of elsewhere, or unheard by the model now, stays; so does what `isSo` cannot say. */
export async function takeAnnouncements(
  places: Places,
  where: string,
  isSo: (about: readonly AnnouncedMemory[]) => Promise<readonly AnnouncedMemory[] | undefined>,
  { isModelSeen = true }: { isModelSeen?: boolean } = {},
): Promise<Announcements> {
  const { announcements } = capturePlaces(places);
  const taken = `${announcements}.${process.pid}`;
  try {
    if (!statSync(announcements, { throwIfNoEntry: false })) return { lines: [], forModel: [] };
    const isHere = (event: Record<string, unknown>): boolean => (event["where"] ?? where) === where;
    const isDue = (event: Record<string, unknown>): boolean =>
      isHere(event) && (isModelSeen || typeof event["line"] === "string");
    if (!readEvents(announcements, FORMATS.announcements).some(isDue)) return { lines: [], forModel: [] };
    renameSync(announcements, taken);
    const all = readEvents(taken, FORMATS.announcements);
    const announced = all.flatMap(({ about }) => (about === undefined ? [] : [about as AnnouncedMemory]));
    const said = announced.length === 0 ? [] : await isSo(announced);
    const holding = new Set(said ?? announced);
    const events = all.filter(({ about }) => about === undefined || holding.has(about as AnnouncedMemory));
    const isTold = (event: Record<string, unknown>): boolean =>
      isHere(event) && (event["about"] === undefined || said !== undefined);
    const texts = (key: string): string[] =>
      events.filter(isTold).flatMap((event) => (typeof event[key] === "string" ? [event[key]] : []));
    const kept = events.flatMap(({ line, ...rest }): Record<string, unknown>[] => {
      if (!isTold(rest)) return [{ ...rest, line }];
      return !isModelSeen && rest["forModel"] !== undefined ? [rest] : [];
    });
    for (const event of kept.slice(-MAX_KEPT)) appendEvent(announcements, FORMATS.announcements, event);
    rmSync(taken, { force: true });
    const lines = [...new Set(texts("line"))];
    return { lines, forModel: isModelSeen ? texts("forModel") : [] };
  } catch {
    // Another process took them, or the state cannot be read at all.
    return { lines: [], forModel: [] };
  }
}
