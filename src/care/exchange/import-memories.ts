import { invalidInput } from "../../machine/heed-error.ts";
import { ForeignReading, type ForeignSource, type LeftOutOfImport } from "../formats/import-format.ts";
import { describeUnknown, formatOf } from "../formats/import-formats.ts";
import type { Actor } from "../../memory/memory.ts";
import { newId } from "../../memory/handle.ts";
import { cutShown } from "../../memory/screening/find-secrets.ts";
import { shellWord } from "../../machine/shell-word.ts";
import { requireMayWrite } from "../../write/write-consent.ts";
import { openCollection } from "../../here/collection.ts";
import type { Place } from "../../here/place.ts";
import { MemoryWriter } from "../../write/memory-writer.ts";
import { propose } from "../../write/ask-user.ts";
import { editMemory } from "../../write/write-memory.ts";
import {
  type Entry,
  entriesOf,
  ImportPlan,
  type ImportedMemory,
  type ImportRequest,
  type ImportRun,
} from "./import-plan.ts";
import { homeOf } from "../../machine/places.ts";
import { openSource } from "./open-source.ts";

/** One change writes at most this many memories: it is kept whole in memory, and read again to be undone. */
const CHANGE_SIZE = 2000;

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

/** Tells what it would take of a source, or takes it. Ids are made of the source, so that a second run finds them. */
export async function importMemories(
  place: Place,
  request: ImportRequest,
  actor: Actor,
): Promise<ImportReport> {
  const { isApplied = false } = request;
  if (isApplied) requireMayWrite(place, actor);
  const { from, type = "" } = request;
  const types = place.types.all().map(({ name }) => name);
  if (type !== "" && !types.includes(type))
    throw invalidInput(
      "type",
      type,
      `there is no type "${cutShown(type, 60)}"; there are ${types.join(", ")}`,
    );
  const source = openSource(from, homeOf(place.env));
  const format = formatOf(source);
  if (!format) {
    const way = "ask your agent to read it and to write what matters";
    throw invalidInput("from", source.path, `${source.path} is ${describeUnknown(source)}: ${way}`);
  }
  const reading = new ForeignReading(source);
  await format.read(reading, place.types);
  reading.leaveRest(format.title);
  await place.learnRepository();
  const entries = entriesOf(place, format, source, reading, request);
  const run: ImportRun = {
    place,
    collection: await openCollection(place, { thoroughness: "full" }),
    format,
    by: { kind: "import", client: format.name, session: newId(place.now()) },
    isPersons: actor.kind === "person",
    isDryRun: !isApplied,
  };
  const plan = new ImportPlan(run, request.store);
  for (const entry of entries) await plan.take(entry);
  if (isApplied) await write(run, source, entries);
  const memories = entries.map(({ report }) => report);
  const isWritten = isApplied && memories.some(({ outcome }) => outcome === "new");
  return {
    format: format.name,
    title: format.title,
    from: source.path,
    memories,
    leftOut: reading.leftOut,
    isApplied,
    command: commandOf(source, request),
    ...(isWritten && run.by.session !== undefined && { session: run.by.session }),
  };
}

function commandOf({ path }: ForeignSource, request: ImportRequest): string {
  const { project, type, store, isEverywhere } = request;
  const options = Object.entries({ project, as: type, store }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, shellWord(value)],
  );
  const words = [shellWord(path), ...options, ...(isEverywhere === true ? ["--everywhere"] : []), "--apply"];
  return `heed import ${words.join(" ")}`;
}

async function write(
  { place, collection, format, by, isPersons }: ImportRun,
  source: ForeignSource,
  entries: readonly Entry[],
): Promise<void> {
  const why = `imported from ${format.name}: ${source.name}`;
  const writer = new MemoryWriter(place, by);
  const taken = entries.flatMap(({ foreign, report, taken: one }) =>
    one ? [{ ...one, foreign, report }] : [],
  );
  const fresh = taken.filter(({ report }) => report.outcome === "new");
  for (const ref of new Set(fresh.map(({ store }) => store.ref))) {
    const here = fresh.filter(({ store }) => store.ref === ref);
    for (let start = 0; start < here.length; start += CHANGE_SIZE) {
      const part = here.slice(start, start + CHANGE_SIZE);
      const items = part.map(({ memory }) => memory);
      const written = await writer.createAll(ref, items, { kind: "write", why });
      for (const [i, { memory, after }] of written.entries()) {
        // What heed's own export says besides: comments, unknown keys, a guard, which is a person's.
        const text = part[i]?.foreign.text;
        const { id, contentHash: ifHash } = memory.metadata;
        // One that another store has too could not be told from this by its id.
        const isTwice = collection.memories().some((one) => one.id === id);
        if (text !== undefined && text !== after && isPersons && !isTwice)
          await editMemory(place, id, { text, ifHash }, { kind: "person" });
      }
    }
  }
  for (const { memory, store, report } of taken) {
    if (report.outcome !== "waits") continue;
    const result = await propose(place, { memory, actor: by, store, reason: report.detail ?? "" });
    // Another may wait under its name.
    if (result.outcome === "pending") report.name = result.name;
  }
}
