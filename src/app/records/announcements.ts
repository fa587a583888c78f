import { renameSync, rmSync, statSync } from "node:fs";
import { appendEvent, readEvents } from "../../platform/event-log.ts";
import { FORMATS } from "../../platform/file-formats.ts";
import type { Places } from "../../platform/places.ts";
import { capturePlaces } from "./capture-places.ts";

/** So many lines are told at once. */
const MAX_LINES = 3;

/** Leaves a line for the user, to be told at the next prompt or session start. */
export function announceLater(places: Places, line: string): void {
  appendEvent(capturePlaces(places).announcements, FORMATS.announcements, { line });
}

/** The lines that wait, each once; empty mostly, at the cost of one look. */
export function takeAnnouncements(places: Places): string[] {
  const { announcements } = capturePlaces(places);
  const taken = `${announcements}.${process.pid}`;
  try {
    if (!statSync(announcements, { throwIfNoEntry: false })) return [];
    renameSync(announcements, taken);
    const lines = readEvents(taken, FORMATS.announcements).flatMap(({ line }) =>
      typeof line === "string" ? [line] : [],
    );
    rmSync(taken, { force: true });
    const more = lines.length - MAX_LINES;
    return [...lines.slice(0, MAX_LINES), ...(more > 0 ? [`… and ${more} more: heed log`] : [])];
  } catch {
    // Another process took them, or the state cannot be read at all.
    return [];
  }
}
