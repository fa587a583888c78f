import type { Actor } from "../../memory/actor.ts";
import { HeedError } from "../../errors/heed-error.ts";
import type { FileChange } from "../../store/history/change-record.ts";
import type { HistoryEntry } from "../../store/history/store-history.ts";
import type { StoreReader } from "../../store/store-reader.ts";
import type { RollBackReport, RollBackRequest } from "../api/written-memory.ts";
import { changeMade, changeOf } from "../place/change-made.ts";
import type { Place } from "../place/place.ts";
import { MemoryWriter } from "../writing/memory-writer.ts";
import { newestFirst } from "./memory-history.ts";
import { requireMayWrite } from "../writing/write-consent.ts";
import { changesOfStores, requireFree, undoPlanner } from "./undo-change.ts";

/**
 * Takes back all that one session or actor changed, the newest first, as one change in each store. What later changes of
 * others touch stays, and is told.
 *
 * @throws HeedError `invalid-input` when it is not said whose; `not-found` when there is nothing of theirs.
 */
export async function rollBack(
  place: Place,
  request: RollBackRequest,
  actor: Actor,
): Promise<RollBackReport> {
  const { session, actor: whose, since, isApplied = false } = request;
  if (session === undefined && whose === undefined)
    throw new HeedError("invalid-input", "say whose changes: a session, or an actor as `heed log` names it", {
      argument: "session",
      value: "",
    });
  const isTheirs = (entry: HistoryEntry): boolean =>
    (session === undefined || entry.session === session) &&
    (whose === undefined || namesOf(entry).includes(whose.toLowerCase())) &&
    (since === undefined || entry.time >= since);
  if (isApplied) requireMayWrite(place, actor);
  const report: RollBackReport = { takenBack: [], kept: [], changes: [], isApplied };
  const all: HistoryEntry[] = [];
  for (const of of await changesOfStores(place)) {
    const { store } = of;
    const theirs = of.entries.filter((entry) => isTheirs(entry) && of.isOpen(entry));
    if (theirs.length === 0) continue;
    const { plan } = await undoPlanner(place, of, theirs);
    const state = new StateToBe(store);
    const taken: HistoryEntry[] = [];
    for (const entry of theirs) {
      try {
        const files = plan(entry, (file) => state.read(file));
        if (actor.kind !== "person") requireFree(store, entry, files, place.types);
        state.take(files);
        taken.push(entry);
      } catch (error) {
        if (!(error instanceof HeedError)) throw error;
        report.kept.push({ ...changeOf(entry), why: error.message.split("\n")[0] ?? "" });
      }
    }
    all.push(...taken);
    const files = state.changes();
    if (!isApplied || files.length === 0) continue;
    const record = await new MemoryWriter(place, actor).changeFiles(store.ref, files, {
      kind: "undo",
      why: `undo: ${taken.length} changes of ${session === undefined ? whose : `session ${session}`}`,
      undoes: taken.map(({ record: own, id }) => own ?? id).join(" "),
    });
    report.changes.push(await changeMade(store, record));
  }
  if (all.length + report.kept.length === 0)
    throw new HeedError(
      "not-found",
      `there is no change of ${session === undefined ? `"${whose}"` : `session "${session}"`} to take back: \`heed log --json\` tells who changed what`,
      { handle: session ?? whose, suggestions: [] },
    );
  report.takenBack.push(...all.sort(newestFirst).map(changeOf));
  return report;
}

/** What an actor is called: `claude-code (model)`, `claude-code`, `model`. */
function namesOf({ actor }: HistoryEntry): string[] {
  const whole = actor.toLowerCase();
  const parts = /^(.*) \((\w+)\)$/.exec(whole);
  return [whole, ...(parts ? [parts[1] ?? "", parts[2] ?? ""] : [])];
}

/** The files of a store as they will be: each change is taken back in what the ones after it leave. */
class StateToBe {
  readonly #store: StoreReader;
  readonly #files = new Map<string, FileChange>();

  constructor(store: StoreReader) {
    this.#store = store;
  }

  read(file: string): string | null {
    const known = this.#files.get(file);
    return known ? known.after : (this.#store.read(file).text ?? null);
  }

  take(files: readonly FileChange[]): void {
    for (const { file, before, after } of files) {
      const first = this.#files.get(file);
      this.#files.set(file, { file, before: first ? first.before : before, after });
    }
  }

  changes(): FileChange[] {
    return [...this.#files.values()].filter(({ before, after }) => before !== after);
  }
}
