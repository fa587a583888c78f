import { inboxOf } from "../../here/consent/inbox.ts";
import { SUMMARY_ALONE, isSummaryAlone } from "../../write/gates/schema-gate.ts";
import { invalidInput } from "../../machine/heed-error.ts";
import type { TypeTable } from "../../memory/memory-type.ts";
import { missingAsks } from "../../memory/codec/sections.ts";
import {
  type ForeignReading,
  type ForeignSource,
  type ImportFormat,
  leaveOut,
} from "../formats/import-format.ts";
import { describeUnknown, formatOf, IMPORT_FORMATS } from "../formats/import-formats.ts";
import type { Actor, MemoryDraft, StoreKind, StoreRef } from "../../memory/memory.ts";
import { handleOf, newId, slugOf } from "../../memory/handle.ts";
import { shellWord } from "../../machine/shell-word.ts";
import { type ImportRequest, type Entry, entriesOf } from "./import-entries.ts";
import type { Progress } from "../../here/open-options.ts";
import type { Place } from "../../here/place.ts";
import { requireMayWrite } from "../../write/write-consent.ts";
import { type Collection, openCollection } from "../../here/collection.ts";
import { MemoryWriter } from "../../write/memory-writer.ts";
import { propose } from "../../write/ask-user.ts";
import { editMemory } from "../../write/write-memory.ts";
import { type ImportRun, type Planned, ImportPlan } from "./import-plan.ts";
import { homeOf } from "../../machine/places.ts";
import { openSource } from "./open-source.ts";
import { openedStore } from "../../here/opened-stores.ts";

/** One change writes at most this many memories: it is kept whole in memory, and read again to be undone. */
const CHANGE_SIZE = 2000;

/** What became of one statement of a source, or would. */
export interface ImportedMemory {
  /**
   * `new` is written; `waits` is in the inbox for the user's word; `known` was imported before; `changed` too, and the source
   * says something else by now; `refused` by a gate; `open` of an instruction file is not written until somebody says whether
   * it is a rule or a fact.
   */
  outcome: "open" | "new" | "waits" | "known" | "changed" | "refused";
  type: string;
  name: string;
  statement: string;
  /** Where it is in the source. */
  place: string;
  /** The heading above it there. */
  section?: string;
  /** Why it waits, is refused or was left as it is; of a new one, what is amiss. */
  detail?: string;
}

/** What is in a source and is not taken. */
export interface LeftOutOfImport {
  place: string;
  what: string;
  reason: string;
}

/** What an import did or would do. */
export interface ImportReport {
  /** Name and title of the format. */
  format: string;
  title: string;
  /** Absolute path of the source. */
  from: string;
  memories: ImportedMemory[];
  leftOut: LeftOutOfImport[];
  isApplied: boolean;
  /** The command line that applies this very import. */
  command: string;
  /** The session of the changes, by which all of them are undone; absent when nothing was written. */
  session?: string;
}

interface PlannedEntry {
  entry: Entry;
  planned: Planned;
  report: ImportedMemory;
}

/** Tells what it would take of a source, or takes it. Ids are made of the source, so that a second run finds them. */
export async function importMemories(
  place: Place,
  request: ImportRequest,
  actor: Actor,
  progress?: Progress,
): Promise<ImportReport> {
  if (request.isApplied === true) requireMayWrite(place, actor);
  const source = openSource(request.from, homeOf(place.env));
  const format = chosenFormat(source, request.format);
  const reading = await readWith(format, source, place.types);
  await place.learnRepository();
  const { entries, leftOut } = entriesOf(place, format, source, reading, request);
  const collection = await openCollection(place, { thoroughness: "full" });
  const isApplied = request.isApplied === true;
  const run: ImportRun = {
    place,
    collection,
    format,
    by: { kind: "import", client: format.name, session: newId(place.now()) },
    isPersons: actor.kind === "person",
    isDryRun: !isApplied,
  };
  const known = knownMemories(place, collection, request.store);
  const plan = new ImportPlan(
    run,
    [...known.values()].map(({ name }) => name),
  );
  const planned: PlannedEntry[] = [];
  const memories: ImportedMemory[] = [];
  for (const [i, entry] of entries.entries()) {
    if (i % 50 === 0) progress?.(i, entries.length, entry.foreign.place);
    const before = known.get(entry.id);
    if (before) {
      memories.push({ ...shownEntry(entry), name: before.name, ...comparedWith(before, entry.draft) });
      continue;
    }
    if (entry.draft.type === "") {
      memories.push({ ...shownEntry(entry), outcome: "open" });
      continue;
    }
    const next = await plan.take(request.store === undefined ? entry : intoStore(entry, request.store));
    const report = { ...shownEntry(entry), ...outcomeOf(next, place.types) };
    planned.push({ entry, planned: next, report });
    memories.push(report);
  }
  progress?.(entries.length, entries.length, "");
  if (isApplied) await write(run, source, planned);
  const isWritten = isApplied && planned.some((next) => next.planned.outcome === "new");
  return {
    format: format.name,
    title: format.title,
    from: source.path,
    memories,
    leftOut,
    isApplied,
    command: commandOf(source, request),
    ...(isWritten && run.by.session !== undefined && { session: run.by.session }),
  };
}

const intoStore = (entry: Entry, store: StoreKind): Entry => ({ ...entry, draft: { ...entry.draft, store } });

function chosenFormat(source: ForeignSource, name: string | undefined): ImportFormat {
  const named = name === undefined ? undefined : IMPORT_FORMATS.find((format) => format.name === name);
  const format = name === undefined ? formatOf(source) : named;
  if (format) return format;
  const names = IMPORT_FORMATS.map((one) => one.name).join(", ");
  if (name !== undefined)
    throw invalidInput("format", name, `no format is called "${name}". These are known: ${names}`);
  const way = `ask your agent to read it and to write what matters, or name its format, one of ${names}`;
  throw invalidInput("from", source.path, `${source.path} is ${describeUnknown(source)}: ${way}`);
}

async function readWith(
  format: ImportFormat,
  source: ForeignSource,
  types: TypeTable,
): Promise<ForeignReading> {
  const seen = new Set<string>();
  const { read, query } = source;
  const noted: Pick<ForeignSource, "read" | "query"> = {
    read: (file) => read(seen.add(file) && file),
    query: (file, sql) => query(seen.add(file) && file, sql),
  };
  const reading = await format.read({ ...source, ...noted }, types);
  for (const { place } of reading.leftOut) seen.add(place);
  for (const file of source.files)
    if (!seen.has(file) && !/(?:^|\/)\.[^/]*$/.test(file))
      leaveOut(reading, file, file, `not read as ${format.title}`);
  return reading;
}

function commandOf({ path }: ForeignSource, request: ImportRequest): string {
  const { format, project, type, store, isEverywhere } = request;
  const options = Object.entries({ format, project, as: type, store }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, shellWord(value)],
  );
  const words = [shellWord(path), ...options, ...(isEverywhere === true ? ["--everywhere"] : []), "--apply"];
  return `heed import ${words.join(" ")}`;
}

function shownEntry({ foreign, draft }: Entry): Omit<ImportedMemory, "outcome"> {
  return {
    type: draft.type,
    name: draft.name ?? slugOf(draft.statement).slice(0, 60),
    statement: draft.statement,
    place: foreign.place,
    ...(foreign.section !== undefined && { section: foreign.section }),
  };
}

function outcomeOf(
  planned: Planned,
  types: TypeTable,
): Pick<ImportedMemory, "outcome" | "detail"> & Partial<Pick<ImportedMemory, "name">> {
  if (!("memory" in planned)) return planned;
  const { name, type } = planned.memory;
  const policy = types.get(type);
  const lacked = policy ? missingAsks(planned.memory, policy) : "";
  const detail =
    (isSummaryAlone(planned.memory, policy) && SUMMARY_ALONE) ||
    (lacked !== "" && `missing: ${lacked}`) ||
    planned.near.map(
      (one) => `near ${handleOf(one)}: ${one.statement}${one.removed ? ` (${one.removed})` : ""}`,
    )[0];
  return planned.outcome === "new"
    ? { outcome: "new", name, ...(detail && { detail }) }
    : { outcome: "waits", name, detail: planned.detail };
}

async function write(
  { place, collection, format, by, isPersons }: ImportRun,
  source: ForeignSource,
  entries: readonly PlannedEntry[],
): Promise<void> {
  const why = `imported from ${format.name}: ${source.name}`;
  const writer = new MemoryWriter(place, by);
  const fresh = entries.flatMap(({ entry, planned }) =>
    planned.outcome === "new" ? [{ entry, ...planned }] : [],
  );
  for (const ref of new Set(fresh.map(({ store }) => store.ref))) {
    const here = fresh.filter(({ store }) => store.ref === ref);
    for (let start = 0; start < here.length; start += CHANGE_SIZE) {
      const part = here.slice(start, start + CHANGE_SIZE);
      const items = part.map(({ memory, pass }) => ({ memory, ...(pass && { pass }) }));
      const written = await writer.createAll(ref, items, { kind: "write", why });
      for (const [i, { memory, after }] of written.entries()) {
        // What heed's own export says besides: comments, unknown keys, a guard, which is a person's.
        const text = part[i]?.entry.foreign.text;
        const { id, contentHash: ifHash } = memory.metadata;
        // One that another store has too could not be told from this by its id.
        const isTwice = collection.memories().some((one) => one.id === id);
        if (text !== undefined && text !== after && isPersons && !isTwice)
          await editMemory(place, id, { text, ifHash }, { kind: "person" });
      }
    }
  }
  for (const { planned, report } of entries) {
    if (planned.outcome !== "waits") continue;
    const { memory, store, detail } = planned;
    const result = await propose(place, { memory, actor: by, store, reason: detail });
    // Another may wait under its name.
    if (result.outcome === "pending") report.name = result.name;
  }
}

interface KnownMemory {
  name: string;
  statement: string;
  state: "living" | "waiting" | "gone";
}

/** Everything that was here once, by id: also what was removed and rejected since, which does not come back by itself. */
function knownMemories(
  place: Place,
  collection: Collection,
  kind: StoreKind | undefined,
): Map<string, KnownMemory> {
  const isAsked = (store: StoreRef): boolean => kind === undefined || store.kind === kind;
  const inbox = inboxOf(place);
  const removed = place.stores.filter(isAsked).flatMap((store) =>
    openedStore(place, store)
      .listTombstones()
      .map(({ memory }) => memory.metadata),
  );
  const living = collection.memories().filter((metadata) => isAsked(collection.storeOf(metadata)));
  const states = [
    ["gone", inbox.listRejected().map(({ memory }) => memory)],
    ["waiting", inbox.list().map(({ memory }) => memory)],
    ["gone", removed],
    ["living", living],
  ] as const;
  const known = new Map<string, KnownMemory>();
  for (const [state, memories] of states)
    for (const { id, name, statement } of memories) known.set(id, { name, statement, state });
  return known;
}

function comparedWith(known: KnownMemory, draft: MemoryDraft): Pick<ImportedMemory, "outcome" | "detail"> {
  if (known.state === "gone") return { outcome: "known", detail: "it was removed or rejected here since" };
  if (known.state === "waiting") return { outcome: "known", detail: "it needs your approval: heed inbox" };
  if (known.statement === draft.statement.trim()) return { outcome: "known" };
  return { outcome: "changed", detail: `here it says: ${known.statement}` };
}
