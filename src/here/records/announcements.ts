import { renameSync, rmSync, statSync } from "node:fs";
import { appendEvent, readEvents, FORMATS } from "../../machine/state-file.ts";
import { type Places, capturePlaces } from "../../machine/places.ts";

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
  isModelSeen: boolean,
): Promise<{ lines: string[]; forModel: string[] }> {
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
    const lines = new Set<string>();
    const forModel: string[] = [];
    const kept = all.flatMap((event): Record<string, unknown>[] => {
      const { about, line, ...rest } = event;
      if (!isHere(event) || (about !== undefined && said === undefined)) return [event];
      if (about !== undefined && said?.includes(about as AnnouncedMemory) !== true) return [];
      if (typeof line === "string") lines.add(line);
      if (!isModelSeen) return rest["forModel"] === undefined ? [] : [rest];
      if (typeof rest["forModel"] === "string") forModel.push(rest["forModel"]);
      return [];
    });
    for (const event of kept.slice(-MAX_KEPT)) appendEvent(announcements, FORMATS.announcements, event);
    rmSync(taken, { force: true });
    return { lines: [...lines], forModel };
  } catch {
    // Another process took them, or the state cannot be read at all.
    return { lines: [], forModel: [] };
  }
}
