import { createHash } from "node:crypto";
import { join } from "node:path";
import { readText, writeFileAtomic } from "../../store/atomic-file.ts";
import type { Places } from "../../store/places.ts";
import type { UserTurn } from "../../capture/session-digest.ts";
import { capturePlaces } from "./capture-places.ts";

/** So many turns are remembered: a year of daily work. */
const MAX_TURNS = 20_000;
const HASH_CHARS = 12;

/**
 * The turns that were not judged before, in this session or in another one: resumed and forked sessions carry the same
 * turns again, and so does a second backfill. They count as judged from now on. Only the holder of the capture lock
 * may call it.
 */
export function notSeenBefore(places: Places, turns: readonly UserTurn[], isKept = true): UserTurn[] {
  if (turns.length === 0) return [];
  const file = join(capturePlaces(places).root, "turns.txt");
  const known = (readText(file) ?? "").split("\n").filter((line) => line !== "");
  const seen = new Set(known);
  const fresh = turns.filter((turn) => {
    const hash = hashOf(turn);
    if (seen.has(hash)) return false;
    seen.add(hash);
    known.push(hash);
    return true;
  });
  if (isKept && fresh.length > 0)
    writeFileAtomic(file, `${known.slice(-MAX_TURNS).join("\n")}\n`, { mode: 0o600, isDurable: false });
  return fresh;
}

/** A copied turn keeps its time and words. */
function hashOf({ time, said }: UserTurn): string {
  return createHash("sha256").update(`${time}\n${said}`).digest("hex").slice(0, HASH_CHARS);
}
