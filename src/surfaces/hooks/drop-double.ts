import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionEvent } from "../../heed.ts";
import { readRegularFile } from "../../machine/regular-file.ts";
import { sha256Hex } from "../../machine/sha256.ts";

/** Two roads to one hook are run within this time; the same event again after it is another one. */
const WINDOW_MS = 5000;
const MAX_ROAD_BYTES = 64 * 1024;

/**
 * Whether another registration of heed's answers the same event, since some clients also run others' hooks. The first one
 * leaves a mark; the same one again is a new event, as of a session that was resumed twice.
 *
 * @param road - The registration: the words by which this process was started.
 */
export function isDouble(event: SessionEvent, road: string, directory: string): boolean {
  const folder = join(directory, "doubles");
  const file = join(folder, sha256Hex(keyOf(event)).slice(0, 16));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const marks = event.kind === "session-start" ? readdirSync(folder) : [];
    for (const old of marks.map((name) => join(folder, name)))
      if (!isRecent(old)) rmSync(old, { force: true });
    try {
      writeFileSync(file, road, { flag: "wx", mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (isRecent(file) && readRegularFile(file, { maxBytes: MAX_ROAD_BYTES }) !== road) return true;
      writeFileSync(file, road);
    }
  } catch {
    // Then it is no double.
  }
  return false;
}

/** Another process may have removed it: then it is old. */
const isRecent = (file: string): boolean =>
  Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < WINDOW_MS;

function keyOf(event: SessionEvent): string {
  const { session, kind, agentId = "" } = event;
  let about = "";
  if (event.kind === "prompt") about = event.prompt;
  else if (event.kind === "session-start") about = event.source;
  else if (kind.startsWith("tool-") && "input" in event) about = JSON.stringify([event.tool, event.input]);
  return [session, kind, agentId, about].join("\0");
}
