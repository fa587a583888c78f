import { createHash } from "node:crypto";
import { join } from "node:path";
import { readText, writeFileAtomic } from "../../platform/atomic-file.ts";
import type { Places } from "../../platform/places.ts";
import type { SaidTurn } from "../../capture/session-digest.ts";
import { capturePlaces } from "../records/capture-places.ts";

/** So many turns are remembered: a year of daily work. */
const MAX_TURNS = 20_000;
const HASH_CHARS = 12;

/**
 * The turns that were not read before, in this session or in another one: resumed and forked sessions carry the same
 * turns again, and so does a second backfill.
 */
export function notSeenBefore(places: Places, turns: readonly SaidTurn[]): SaidTurn[] {
  if (turns.length === 0) return [];
  const seen = new Set(readHashes(places));
  return turns.filter((turn) => {
    const hash = hashOf(turn);
    return !seen.has(hash) && seen.add(hash);
  });
}

/**
 * Takes turns down as read: after what came of them is kept, so that a run that dies in between loses none. Only the
 * holder of the capture lock may call it.
 */
export function markSeen(places: Places, turns: readonly SaidTurn[]): void {
  if (turns.length === 0) return;
  const text = [...readHashes(places), ...turns.map(hashOf)].slice(-MAX_TURNS).join("\n");
  writeFileAtomic(fileOf(places), `${text}\n`, { mode: 0o600, isDurable: false });
}

function fileOf(places: Places): string {
  return join(capturePlaces(places).root, "turns.txt");
}

function readHashes(places: Places): string[] {
  return (readText(fileOf(places)) ?? "").split("\n").filter((line) => line !== "");
}

/** A copied turn keeps its time and words. */
function hashOf({ time, said }: SaidTurn): string {
  return createHash("sha256").update(`${time}\n${said}`).digest("hex").slice(0, HASH_CHARS);
}
