import { renameSync, rmSync, statSync } from "node:fs";
import { appendEvent, readEvents } from "../../platform/event-log.ts";
import { FORMATS } from "../../platform/file-formats.ts";
import type { Places } from "../../platform/places.ts";
import { capturePlaces } from "./capture-places.ts";

/** So many lines are told at once. */
const MAX_LINES = 3;

/** What waits to be told: lines for the user, and what the model is to do about them. */
export interface Announcements {
  lines: string[];
  forModel: string[];
}

/** Leaves a line for the user, to be told at the next prompt or session start, and one for the model beside it. */
export function announceLater(places: Places, line: string, forModel?: string): void {
  appendEvent(capturePlaces(places).announcements, FORMATS.announcements, {
    line,
    ...(forModel !== undefined && { forModel }),
  });
}

/** What waits, each once; nothing mostly, at the cost of one look. */
export function takeAnnouncements(places: Places): Announcements {
  const { announcements } = capturePlaces(places);
  const taken = `${announcements}.${process.pid}`;
  try {
    if (!statSync(announcements, { throwIfNoEntry: false })) return { lines: [], forModel: [] };
    renameSync(announcements, taken);
    const events = readEvents(taken, FORMATS.announcements);
    const texts = (key: string): string[] =>
      events.flatMap((event) => (typeof event[key] === "string" ? [event[key]] : []));
    rmSync(taken, { force: true });
    const lines = texts("line");
    const more = lines.length - MAX_LINES;
    return {
      lines: [...lines.slice(0, MAX_LINES), ...(more > 0 ? [`… and ${more} more: heed log`] : [])],
      forModel: texts("forModel").slice(0, MAX_LINES),
    };
  } catch {
    // Another process took them, or the state cannot be read at all.
    return { lines: [], forModel: [] };
  }
}
