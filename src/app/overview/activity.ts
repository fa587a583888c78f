import type { ActivityDay, Receipt } from "../api/session-events.ts";
import type { Place } from "../place/place.ts";
import { readReceipts } from "../records/receipt-log.ts";
import { userTurns } from "../records/session-state.ts";
import { readUseTimes } from "../records/use-log.ts";

const DEFAULT_DAYS = 30;
/** Receipts are kept for so long. */
const MAX_DAYS = 90;
/** So many receipts are counted, the newest ones. */
const MAX_RECEIPTS = 20_000;
const DAY_MS = 86_400_000;

/** What was told in sessions of this repository, day by day, the oldest first, and what came of memories. */
export function activityOf(
  place: Place,
  { days = DEFAULT_DAYS }: { days?: number | undefined } = {},
): ActivityDay[] {
  const today = Date.parse(place.now().toISOString().slice(0, 10));
  const span = Math.min(days, MAX_DAYS);
  const byDate = new Map<string, ActivityDay>();
  for (let i = span - 1; i >= 0; i--) {
    const date = new Date(today - i * DAY_MS).toISOString().slice(0, 10);
    byDate.set(date, emptyDay(date));
  }
  const roots = [place.cwd, place.repository?.root ?? place.cwd];
  const seen = new Map<string, Set<string>>();
  for (const receipt of readReceipts(place.places, MAX_RECEIPTS)) {
    const day = byDate.get(receipt.time.slice(0, 10));
    if (!day || !roots.some((root) => isBelow(receipt.cwd, root))) continue;
    const dates = seen.get(receipt.session) ?? new Set<string>();
    seen.set(receipt.session, dates.add(day.date));
    addReceipt(day, receipt);
  }
  for (const [session, dates] of seen) {
    for (const date of dates) addTo(byDate, date, "sessions");
    for (const { time } of userTurns(place.places, session)) addTo(byDate, time, "prompts");
  }
  for (const time of readUseTimes(place.places, [...byDate.keys()][0] ?? "")) addTo(byDate, time, "used");
  return [...byDate.values()];
}

function addTo(
  byDate: ReadonlyMap<string, ActivityDay>,
  time: string,
  count: "sessions" | "prompts" | "used",
): void {
  const day = byDate.get(time.slice(0, 10));
  if (day) day[count] += 1;
}

function addReceipt(day: ActivityDay, { kind, decisions, chars }: Receipt): void {
  day.chars += chars;
  const injected = decisions.filter((one) => one && one.form !== "none");
  if (kind === "prompt" && injected.length > 0) day.promptsInjected += 1;
  for (const { form } of injected) {
    if (form === "guard") day.guardsFired += 1;
    else if (form === "pointer") day.injectedPointers += 1;
    else if (form === "body" || form === "passages") day.injectedBodies += 1;
  }
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`) || path.startsWith(`${root}\\`);
}

function emptyDay(date: string): ActivityDay {
  return {
    date,
    sessions: 0,
    prompts: 0,
    promptsInjected: 0,
    injectedBodies: 0,
    injectedPointers: 0,
    chars: 0,
    guardsFired: 0,
    used: 0,
  };
}
