import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Places } from "../../platform/places.ts";

/** How many memories wait in the inbox: counted by their files, since a session start must not parse them. */
export function countPending(places: Places): number {
  try {
    return readdirSync(join(places.state, "inbox")).filter((name) => name.endsWith(".md")).length;
  } catch {
    return 0;
  }
}
