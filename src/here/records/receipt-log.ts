import { newestFiles, pruneFiles } from "../../machine/atomic-file.ts";
import { namesInFolder } from "../../machine/regular-file.ts";
import { join } from "node:path";
import type { EventAnswer, Receipt, SessionEvent } from "./session-events.ts";
import { isShellTool } from "../../guard/tools.ts";
import { HeedError } from "../../machine/heed-error.ts";
import { appendEvent, readEvents, FORMATS } from "../../machine/state-file.ts";
import type { Places } from "../../machine/places.ts";
import { cutShown, redactSecrets } from "../../memory/screening/find-secrets.ts";

/** So many decisions of an event are kept at most: enough to see why the runners-up stayed out. */
const MAX_DECISIONS: number = 50;
const KEPT_DAYS = 90;
const KEPT_BYTES = 16 * 1024 * 1024;
/** A day's file is read to this size, from its end. */
const MAX_DAY_BYTES = 16 * 1024 * 1024;
const DEFAULT_LIMIT = 20;

const folderOf = (places: Places): string => join(places.state, "receipts");

const MAX_ABOUT_CHARS = 200;

/** Looked at for secrets: one that the cut would tear is still whole here. */
const MAX_SCANNED_CHARS = 1000;

/** The record of an event: what was injected first, then what was not. */
export function makeReceipt(
  place: { cwd: string; now(): Date },
  event: SessionEvent,
  outcome: EventAnswer & Pick<Receipt, "decisions" | "isCut" | "elapsedMs">,
): Receipt {
  const time = place.now().toISOString();
  const [day, clock] = time.replace(/[-:]/g, "").split(/[T.]/);
  // Tells two of one second apart and guards nothing: loading node:crypto would take milliseconds.
  const suffix = Math.floor(Math.random() * 0x1_00_00_00).toString(16);
  return {
    // It sorts by time, and its first part names the file.
    id: `${day}-${clock}-${suffix.padStart(6, "0")}`,
    time,
    session: event.session,
    kind: event.kind,
    cwd: place.cwd,
    about: redactSecrets(aboutOf(event).slice(0, MAX_SCANNED_CHARS)).slice(0, MAX_ABOUT_CHARS),
    chars: outcome.context?.length ?? 0,
    decisions: outcome.decisions
      .toSorted((a, b) => Number(a.form === "none") - Number(b.form === "none"))
      .slice(0, MAX_DECISIONS),
    isCut: outcome.isCut,
    elapsedMs: Math.round(outcome.elapsedMs * 10) / 10,
  };
}

function aboutOf(event: SessionEvent): string {
  switch (event.kind) {
    case "prompt":
      return event.prompt;
    case "tool-use": {
      const { command, file_path: file } = event.input;
      if (typeof command === "string" && isShellTool(event.tool)) return command;
      return `${event.tool} ${typeof file === "string" ? file : JSON.stringify(event.input)}`;
    }
    case "tool-failure":
      return `${event.tool}: ${event.error}`;
    case "session-start":
      return event.source;
    case "subagent-start":
      return event.agentType;
    default:
      return "";
  }
}

/** Adds a receipt, with the text that was injected. Throws what the file system throws. */
export function appendReceipt(places: Places, receipt: Receipt, context: string): void {
  appendEvent(join(folderOf(places), `${receipt.id.slice(0, 8)}.jsonl`), FORMATS.receipts, {
    ...receipt,
    context,
  });
}

/** The newest receipts, newest first, 20 by default; of those by which the memory of a name was told, where one is given. */
export function readReceipts(places: Places, limit: number = DEFAULT_LIMIT, name?: string): Receipt[] {
  const tells = ({ decisions }: Receipt): boolean =>
    name === undefined ||
    decisions.some((one) => one?.name === name && one.form !== "none" && one.form !== "map");
  const found: Receipt[] = [];
  for (const day of namesInFolder(folderOf(places)).reverse()) {
    if (!/^\d{8}\.jsonl$/.test(day)) continue;
    const receipts = recordsOf(places, day).flatMap((record) => toExplanation(record)?.receipt ?? []);
    found.push(...receipts.filter(tells).reverse());
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

const recordsOf = (places: Places, day: string): Record<string, unknown>[] =>
  readEvents(join(folderOf(places), day), FORMATS.receipts, MAX_DAY_BYTES);

/** What `why` answers: the decisions for a prompt now, or those of a past receipt. */
export interface Explanation {
  receipt: Receipt;
  /** The text that was or would be injected. */
  context: string;
  /** Whether this is a past receipt or a dry run that left no trace. */
  isDryRun: boolean;
}

/** A past receipt by its id. Rejects with `not-found` when there is none (any more). */
export function findReceipt(places: Places, id: string): Explanation {
  const day = /^(\d{8})-\d{6}-[0-9a-f]{6}$/.exec(id)?.[1];
  const records = day === undefined ? [] : recordsOf(places, `${day}.jsonl`);
  const [explanation] = records.filter((entry) => entry["id"] === id).map(toExplanation);
  if (explanation) return explanation;
  throw new HeedError(
    "not-found",
    `there is no receipt ${JSON.stringify(cutShown(id, 100))}; \`heed why\` lists the newest ones; they are kept for ${KEPT_DAYS} days`,
    { handle: id, suggestions: readReceipts(places, 3).map((receipt) => receipt.id) },
  );
}

/** Removes receipts that are too old or beyond the room kept for them. Never throws. */
export function pruneReceipts(places: Places, now: Date): void {
  // Of the last day on which something was told, all is kept.
  const [, ...before] = newestFiles(folderOf(places), ".jsonl");
  pruneFiles(before, { oldestMs: now.getTime() - KEPT_DAYS * 86_400_000, bytes: KEPT_BYTES });
}

function toExplanation(record: Record<string, unknown>): Explanation | undefined {
  const { context, ...receipt } = record;
  if (typeof receipt["id"] !== "string" || !Array.isArray(receipt["decisions"])) return undefined;
  return {
    // Written by appendReceipt; a line edited by hand can lack fields, which only its reader notices.
    receipt: receipt as unknown as Receipt,
    context: typeof context === "string" ? context : "",
    isDryRun: false,
  };
}

const MAX_RECEIPTS = 5_000;

/** Counts what receipts say was told, as far as they are kept, by `<kind of store>:<name>`. A damaged line costs itself alone. */
export function readInjected(places: Places): ReadonlyMap<string, number> {
  const receipts = readReceipts(places, MAX_RECEIPTS).filter(
    ({ decisions }) => !decisions.some((one) => !one),
  );
  const byMemory = new Map<string, number>();
  for (const { decisions } of receipts)
    for (const { name, store, form } of decisions) {
      // A line in the map stands there in every session: it says nothing of the memory.
      if (form === "none" || form === "map") continue;
      const key = `${store}:${name}`;
      byMemory.set(key, (byMemory.get(key) ?? 0) + 1);
    }
  return byMemory;
}
