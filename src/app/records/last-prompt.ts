import { closeSync, futimesSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { openToAppend } from "../../platform/event-log.ts";
import type { Places } from "../../platform/places.ts";
import { capturePlaces } from "./capture-places.ts";

/** Nobody has said anything for so long: then work that nobody waits for may begin. */
const IDLE_SECONDS = 60;

/** How long it has to be quiet, in milliseconds; `HEED_IDLE_SECONDS` sets another time, up to an hour. */
export function idleMs(env: Readonly<Record<string, string | undefined>>): number {
  const given = Number(env["HEED_IDLE_SECONDS"] || Number.NaN);
  return (given >= 0 && given <= 3600 ? given : IDLE_SECONDS) * 1000;
}

/** Notes that a person has just said something in a session of this machine. */
export function notePrompt(places: Places): void {
  const file = capturePlaces(places).lastPrompt;
  const now = new Date();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const handle = openToAppend(file);
  try {
    futimesSync(handle, now, now);
  } finally {
    closeSync(handle);
  }
}

/** When a person last said something, in milliseconds since 1970; 0 when that is not known. */
export function lastPromptMs(places: Places): number {
  return statSync(capturePlaces(places).lastPrompt, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
