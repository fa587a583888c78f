import { join } from "node:path";
import type { Actor } from "../memory/actor.ts";
import { SALIENCES } from "../memory/memory.ts";
import type { MemoryCard } from "../memory/memory-card.ts";
import { readText, writeFileAtomic } from "../store/atomic-file.ts";
import { capturePlaces } from "./capture/capture-places.ts";
import type { Collection } from "./collection.ts";
import { openedStore } from "./opened-stores.ts";
import { readReceipts } from "./receipt-log.ts";
import type { PlannedStep } from "./tidy-step.ts";
import type { Workspace } from "./workspace.ts";

const ACTOR: Actor = { kind: "hook", client: "heed-tidy" };
/** Told so often in the time that receipts are kept: it matters more than was thought. */
const OFTEN = 5;
/** Not told once in so many days, although it was there all the time: it matters less. */
const SILENT_DAYS = 60;
/** A memory moves one step a month at most. */
const REST_DAYS = 30;
const MAX_RECEIPTS = 5000;

/** Salience follows use, one step at a time and in both directions. Rules are told always: their use says nothing. */
export function planSalience(
  workspace: Workspace,
  collection: Collection,
  busy: ReadonlySet<string>,
): PlannedStep[] {
  const receipts = readReceipts(workspace.places, MAX_RECEIPTS);
  const counts = new Map<string, number>();
  for (const { decisions } of receipts)
    for (const { name, form } of decisions)
      if (form !== "none" && form !== "rule") counts.set(name, (counts.get(name) ?? 0) + 1);
  const oldest = receipts.at(-1)?.time ?? "";
  const moved = readMoves(workspace);
  const now = workspace.now();
  const silentSince = daysBefore(now, SILENT_DAYS);
  return collection
    .cards()
    .filter((card) => isMovable(card, collection) && !busy.has(card.name))
    .filter((card) => (moved[card.id] ?? "") < daysBefore(now, REST_DAYS))
    .flatMap((card): PlannedStep[] => {
      const told = counts.get(card.name) ?? 0;
      const at = SALIENCES.indexOf(card.salience);
      const isSilent =
        told === 0 &&
        (card.updated ?? card.created ?? "9") < silentSince &&
        oldest !== "" &&
        oldest < silentSince;
      const next = told >= OFTEN ? SALIENCES[at + 1] : isSilent ? SALIENCES[at - 1] : undefined;
      if (next === undefined) return [];
      const reason =
        told >= OFTEN
          ? `told ${told} times: salience ${card.salience} becomes ${next}`
          : `not told in ${SILENT_DAYS} days: salience ${card.salience} becomes ${next}`;
      return [
        {
          action: "salience",
          name: card.name,
          reason,
          apply: async () => {
            const store = openedStore(workspace, collection.storeOf(card));
            const { change } = await store.amend(card.file, { salience: next }, card.contentHash, {
              why: reason,
              actor: ACTOR,
            });
            keepMove(workspace, card.id);
            return change ? [change.id] : [];
          },
        },
      ];
    });
}

function isMovable(card: MemoryCard, collection: Collection): boolean {
  const store = collection.storeOf(card);
  const injection = collection.types.get(card.type)?.injection;
  return (
    !store.isReadOnly &&
    store.isTrusted &&
    card.section === undefined &&
    injection !== "always" &&
    injection !== "resume" &&
    card.status !== "superseded"
  );
}

function daysBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * 86_400_000).toISOString();
}

/** When the salience of a memory was moved last, by its id. */
function readMoves(workspace: Workspace): Record<string, string> {
  try {
    const value = JSON.parse(readText(movesFile(workspace)) ?? "{}") as Record<string, string> | null;
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function keepMove(workspace: Workspace, id: string): void {
  const now = workspace.now();
  const kept = Object.entries(readMoves(workspace)).filter(([, time]) => time >= daysBefore(now, REST_DAYS));
  const moves = Object.fromEntries([...kept, [id, now.toISOString()]]);
  writeFileAtomic(movesFile(workspace), JSON.stringify(moves), { mode: 0o600, isDurable: false });
}

function movesFile(workspace: Workspace): string {
  return join(capturePlaces(workspace.places).root, "salience.json");
}
