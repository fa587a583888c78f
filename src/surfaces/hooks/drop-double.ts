import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionEvent } from "../../heed.ts";
import { readRegularFile } from "../../machine/regular-file.ts";

/** Two roads to one hook are run within this time; the same event again after it is another one. */
const WINDOW_MS = 5000;
const MAX_ROAD_BYTES = 64 * 1024;

/**
 * Whether another hook of heed's answers the same event: some clients also run the hooks that other clients' files name.
 * The first one leaves a mark. The same registration that comes again is a new event (a session that was resumed twice),
 * another one is the double. Without a mark nothing is a double.
 *
 * @param road - The registration: the words by which this process was started.
 */
export function isDouble(event: SessionEvent, road: string, directory: string): boolean {
  const folder = join(directory, "doubles");
  const file = join(folder, hashOf(keyOf(event)));
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

/** FNV-1a twice over: a name for a file, nothing secret; Node's own hashes take longer to load than all of this. */
function hashOf(text: string): string {
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(i), 0x85ebca6b);
  }
  return [a, b].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
}
