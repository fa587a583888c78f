import { createHash } from "node:crypto";
import { basename } from "node:path";
import { Inbox } from "../../curate/inbox.ts";
import { HeedError } from "../../errors/heed-error.ts";
import type { ForeignMemory, ForeignReading } from "../../exchange/foreign-memory.ts";
import type { ForeignSource } from "../../exchange/foreign-source.ts";
import type { ForeignAuthor, ImportFormat } from "../../exchange/import-format.ts";
import { describeUnknown, formatOf, IMPORT_FORMATS } from "../../exchange/formats/import-formats.ts";
import type { Actor } from "../../memory/actor.ts";
import { withSourceQuoted } from "../../memory/codec/quotation.ts";
import type { Memory } from "../../memory/memory.ts";
import type { MemoryDraft } from "../../memory/memory-draft.ts";
import type { TypePolicy } from "../../memory/memory-type.ts";
import { newId } from "../../memory/new-id.ts";
import { slugOf } from "../../memory/slug.ts";
import { findProjectRoot } from "../../store/find-stores.ts";
import type { ImportedMemory, ImportReport, ImportRequest } from "../api/exchange-reports.ts";
import type { Progress } from "../api/progress.ts";
import type { WriteResult } from "../api/written-memory.ts";
import { openCollection } from "../place/collection.ts";
import { openedStore } from "../place/opened-stores.ts";
import type { Place } from "../place/place.ts";
import { chooseStore } from "../writing/choose-store.ts";
import { askGates } from "../writing/gate-context.ts";
import { memoryOfDraft } from "../writing/memory-of-draft.ts";
import { editMemory } from "../writing/write-memory.ts";
import { enterStore } from "../writing/write-pipeline.ts";
import { openSource } from "./open-source.ts";

/** A statement on its way in. */
interface Entry {
  foreign: ForeignMemory;
  draft: MemoryDraft;
  id: string;
}

/** What stays the same for all statements of an import. */
interface Run {
  place: Place;
  format: ImportFormat;
  /** The import as who acts: its session is what an undo names. */
  by: Actor;
  /** A person asked for it. */
  isPersons: boolean;
}

/**
 * Reads another tool's memories and tells what it would take; with `isApplied` it writes them, each through the gates
 * as what came from elsewhere. Their ids are made of their source, so that they are found again. Rules that stand there
 * are the user's word when a person imports them, as with a directory that they attach; statements about the user, and
 * what a tool concluded by itself, are not.
 *
 * @throws HeedError `invalid-input` for a source that is none, or of no known format.
 */
export async function importMemories(
  place: Place,
  request: ImportRequest,
  actor: Actor,
  progress?: Progress,
): Promise<ImportReport> {
  const source = openSource(request.from);
  const format = chosenFormat(source, request.format);
  const reading = await format.read(source, place.types);
  const run: Run = {
    place,
    format,
    by: { kind: "import", client: format.name, session: newId(place.now()) },
    isPersons: actor.kind === "person",
  };
  const { entries, leftOut } = entriesOf(run, source, reading, request);
  const known = knownMemories(place, await openCollection(place, { thoroughness: "full" }));
  const memories: ImportedMemory[] = [];
  for (const [i, entry] of entries.entries()) {
    progress?.(i, entries.length, entry.foreign.place);
    const before = known.get(entry.id);
    memories.push(
      before === undefined
        ? await take(run, entry, request.isApplied === true)
        : { ...told(entry), name: before.name, ...comparison(before, entry) },
    );
  }
  progress?.(entries.length, entries.length, "");
  const isWritten = request.isApplied === true && memories.some(({ outcome }) => outcome === "new");
  return {
    format: format.name,
    title: format.title,
    from: source.path,
    memories,
    leftOut,
    isApplied: request.isApplied === true,
    ...(isWritten && run.by.session !== undefined && { session: run.by.session }),
  };
}

function chosenFormat(source: ForeignSource, name: string | undefined): ImportFormat {
  const named = name === undefined ? undefined : IMPORT_FORMATS.find((format) => format.name === name);
  const format = name === undefined ? formatOf(source) : named;
  if (format) return format;
  const names = IMPORT_FORMATS.map((one) => one.name).join(", ");
  throw new HeedError(
    "invalid-input",
    name === undefined
      ? `${source.path} is ${describeUnknown(source)}: name its format, one of ${names}`
      : `no format is called "${name}": there are ${names}`,
    { argument: name === undefined ? "from" : "format", value: name ?? source.path },
  );
}

/** Statements as drafts, without those that belong to other projects. */
function entriesOf(
  run: Run,
  source: ForeignSource,
  reading: ForeignReading,
  request: ImportRequest,
): { entries: Entry[]; leftOut: ForeignReading["leftOut"] } {
  const { place, format } = run;
  const root = findProjectRoot(place.cwd);
  const isHere = root !== undefined && (source.path === root || source.path.startsWith(`${root}/`));
  const names = new Set([
    request.project,
    ...(root === undefined ? [] : [basename(root), encodedPath(root)]),
  ]);
  const leftOut = [...reading.leftOut];
  const entries: Entry[] = [];
  const seen = new Set<string>();
  for (const foreign of reading.memories) {
    const project = foreign.project ?? projectOf(source.path);
    const isOther = project !== undefined && request.isEverywhere !== true && !names.has(project);
    if (isOther) {
      const reason = `it belongs to the project ${project}: import it there, or with --project ${project} if that is this one, or with --everywhere`;
      leftOut.push({ place: foreign.place, what: foreign.draft.description, reason });
      continue;
    }
    const id = foreign.id ?? idOf(format.name, foreign, place.now());
    // The same statement twice in one source is one.
    if (seen.has(id)) continue;
    seen.add(id);
    // A file of the home is meant for every repository; a file that lies elsewhere says of itself where it holds.
    const isWide = request.isEverywhere === true || (format.isOfRepository === true && !isHere);
    const draft: MemoryDraft = {
      ...foreign.draft,
      ...(request.type !== undefined && { type: request.type }),
      ...(isWide &&
        foreign.draft.scope === undefined &&
        foreign.scope === undefined && { scope: "everywhere" as const }),
      ...fieldsBy(format.author),
    };
    const isRule = place.types.get(draft.type)?.injection === "always";
    const body = isRule ? withSourceQuoted(draft.body, placeOf(source, foreign)) : draft.body;
    entries.push({ foreign, id, draft: { ...draft, body } });
  }
  return { entries, leftOut };
}

function placeOf({ isFile, name }: ForeignSource, { place }: ForeignMemory): string {
  return isFile ? place : `${name}/${place}`;
}

/** What a tool concluded by itself is not yet known to be so. */
function fieldsBy(author: ForeignAuthor): Partial<MemoryDraft> {
  return author === "tool" ? { source: "inferred", status: "provisional", confidence: "low" } : {};
}

/** Claude Code names a project's folder by its path, with dashes. */
function projectOf(path: string): string | undefined {
  return /[/\\]\.claude[/\\]projects[/\\]([^/\\]+)/.exec(path)?.[1];
}

function encodedPath(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, "-");
}

function idOf(format: string, { key, created }: ForeignMemory, now: Date): string {
  const digest = createHash("sha256").update(`${format}\n${key}`).digest();
  const time = created === undefined ? new Date(digest.readUIntBE(10, 4)) : new Date(created);
  return newId(Number.isNaN(time.getTime()) || time > now ? new Date(0) : time, digest);
}

type Known = {
  name: string;
  description: string;
  body: string | undefined;
  state: "living" | "waiting" | "gone";
};

/** Everything that was here once, by id: also what was removed and rejected since, which does not come back by itself. */
function knownMemories(
  place: Place,
  collection: Awaited<ReturnType<typeof openCollection>>,
): Map<string, Known> {
  const known = new Map<string, Known>();
  const inbox = new Inbox(place.places, place.types);
  for (const { memory } of inbox.listRejected()) known.set(memory.id, { ...memory, state: "gone" });
  for (const { memory } of inbox.list()) known.set(memory.id, { ...memory, state: "waiting" });
  for (const store of place.stores)
    for (const { memory } of openedStore(place, store).listTombstones())
      known.set(memory.card.id, { ...memory.card, body: memory.body, state: "gone" });
  for (const card of collection.cards()) known.set(card.id, { ...card, body: undefined, state: "living" });
  return known;
}

function comparison(known: Known, { draft }: Entry): Pick<ImportedMemory, "outcome" | "detail"> {
  if (known.state === "gone") return { outcome: "known", detail: "it was removed or rejected here since" };
  if (known.state === "waiting") return { outcome: "known", detail: "it waits for your word: heed inbox" };
  if (known.description === draft.description.trim()) return { outcome: "known" };
  return { outcome: "changed", detail: `here it says: ${known.description}` };
}

function told({ foreign, draft }: Entry): Omit<ImportedMemory, "outcome"> {
  return {
    type: draft.type,
    name: draft.name ?? slugOf(draft.description).slice(0, 60),
    description: draft.description,
    place: foreign.place,
  };
}

async function take(run: Run, entry: Entry, isApplied: boolean): Promise<ImportedMemory> {
  const { place, by } = run;
  const policy = place.types.get(entry.draft.type);
  const chosen = await chooseStore(place, entry.draft, policy);
  if ("refusal" in chosen) return { ...told(entry), outcome: "refused", detail: chosen.refusal.reason };
  const store = openedStore(place, chosen.store);
  const isConfirmed = isUsersWord(run, entry, policy);
  const isFromInstructions = run.format.isOfRepository === true;
  if (!isApplied || !policy) {
    const collection = await openCollection(place, { thoroughness: "full" });
    const cards = collection.cards().filter(({ storeId }) => storeId === chosen.store.id);
    const { refusals, pending } = await askGates(place, {
      draft: entry.draft,
      actor: by,
      store,
      current: undefined,
      collection,
      cards,
      isConfirmed,
      isFromInstructions,
    });
    const [refusal] = refusals;
    if (refusal) return { ...told(entry), outcome: "refused", detail: `${refusal.gate}: ${refusal.reason}` };
    return pending === undefined
      ? { ...told(entry), outcome: "new" }
      : { ...told(entry), outcome: "waits", detail: pending };
  }
  const circumstances = {
    now: place.now(),
    actor: by,
    store: chosen.store,
    policy,
    repository: await place.learnRepository(),
  };
  const proposed = withSource(memoryOfDraft(entry.draft, circumstances), entry);
  const result = await enterStore(place, {
    draft: entry.draft,
    actor: by,
    store,
    isConfirmed,
    isFromInstructions,
    proposed,
    why: `imported from ${run.format.name}: ${entry.foreign.place}`,
  });
  await keepWholeText(run, entry, result);
  return outcomeOf(entry, result);
}

/** Rules in files that stand there when a person imports them; nothing that speaks of the user, nothing a tool made. */
function isUsersWord({ isPersons, format }: Run, { draft }: Entry, policy: TypePolicy | undefined): boolean {
  const isOwnWord = draft.source !== "inferred" && format.author !== "tool";
  return isPersons && isOwnWord && policy?.injection === "always";
}

/** Identity, time, place and origin as the source has them. */
function withSource(memory: Memory, { foreign, id }: Entry): Memory {
  return {
    ...memory,
    id,
    ...(foreign.created !== undefined && { created: foreign.created.replace(/\.\d+Z$/, "Z") }),
    ...(foreign.scope && { scope: foreign.scope }),
    // What was heed's keeps where it came from; anything else says that it was imported, and from what.
    origin:
      foreign.text === undefined
        ? { ...memory.origin, ...foreign.origin, actor: "import" }
        : (foreign.origin ?? {}),
  };
}

/** What heed's own export says besides: comments, unknown keys, a guard, which is a person's. */
async function keepWholeText(
  { place, isPersons }: Run,
  { foreign }: Entry,
  result: WriteResult,
): Promise<void> {
  if (foreign.text === undefined || result.outcome !== "written" || !isPersons) return;
  await editMemory(place, result.card.id, foreign.text, result.card.contentHash, { kind: "person" });
}

function outcomeOf(entry: Entry, result: WriteResult): ImportedMemory {
  if (result.outcome === "refused") {
    const [refusal] = result.refusals;
    const detail = refusal ? `${refusal.gate}: ${refusal.reason}` : "refused";
    return { ...told(entry), outcome: "refused", detail };
  }
  if (result.outcome === "pending") {
    const [detail = ""] = result.reason.split(":", 1);
    return { ...told(entry), outcome: "waits", name: result.name, detail };
  }
  const outcome = result.outcome === "unchanged" ? "known" : "new";
  return { ...told(entry), outcome, name: result.card.name };
}
