import { join } from "node:path";
import type { Places } from "../../platform/places.ts";
import { sha256Hex } from "../../platform/sha256.ts";

/** Where capture keeps what is private to the machine: jobs that wait, and how far each session was read. */
export interface CapturePlaces {
  root: string;
  queue: string;
  sessions: string;
  lock: string;
  announcements: string;
  /** Empty; its time is that of the last prompt. */
  lastPrompt: string;
  /** Empty; there while a process waits for a quiet minute. */
  waiting: string;
}

export function capturePlaces(places: Places): CapturePlaces {
  const root = join(places.state, "capture");
  return {
    root,
    queue: join(root, "queue"),
    sessions: join(root, "sessions"),
    lock: join(root, "lock"),
    announcements: join(root, "announcements.jsonl"),
    lastPrompt: join(root, "last-prompt"),
    waiting: join(root, "waiting"),
  };
}

/** A file name for a session: its id when that is a plain word, else a hash of it, since it comes from outside. */
export function sessionKey(session: string): string {
  return /^[a-z0-9][a-z0-9-]{0,79}$/.test(session) ? session : `h-${sha256Hex(session).slice(0, 32)}`;
}
