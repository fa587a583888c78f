import { createHash } from "node:crypto";
import { basename } from "node:path";
import { foldStatement, isSameStatement, repeatsText } from "../../write/gates/near-memories.ts";
import type { ForeignMemory, ForeignReading, ForeignSource, ImportFormat } from "../formats/import-format.ts";
import type { Actor, Memory, MemoryDraft, StoreKind, StoreRef } from "../../memory/memory.ts";
import { type TypePolicy, decayDay } from "../../memory/memory-type.ts";
import { freeName, handleOf, newId, slugOf } from "../../memory/handle.ts";
import { findProjectRoot } from "../../store/find-stores.ts";
import type { StoreReader } from "../../store/store-reader.ts";
import { ClaimChecker } from "../../here/claims/claim-checker.ts";
import { projectSlug } from "../../here/client-memory.ts";
import type { Collection } from "../../here/collection.ts";
import { inboxOf } from "../../here/consent/inbox.ts";
import { openedStore } from "../../here/opened-stores.ts";
import type { Place } from "../../here/place.ts";
import { chooseStore } from "../../write/write-memory.ts";
import { type Stock, holdsBeside, stockOf } from "../../write/gate-context.ts";
import { whyShared } from "../../write/write-consent.ts";
import { memoryOfDraft, nameFor } from "../../write/memory-of-draft.ts";
import { check } from "../../write/write-pipeline.ts";

/** What to import, and as what. */
export interface ImportRequest {
  /** The file or folder of the other tool. */
  from: string;
  /** The other tool's name of this repository, where its records name projects; default: the repository's own. */
  project?: string;
  /** What is imported holds everywhere, whatever project it names; default: where its source says, else as its type does. */
  isEverywhere?: boolean;
  /** All of it is of this type; default: as the source says, else as `types` says. */
  type?: string;
  /** What each statement of an instruction file is, by its place: `feedback`, `project`; what is not named is left. */
  types?: Readonly<Record<string, string>>;
  /** The kind of store that takes it; default: as for a write. What other stores hold is then not taken for known. */
  store?: "user" | "project" | "team";
  /** Write; default: only tell. */
  isApplied?: boolean;
}

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
  /** Its file says that it always holds, or on paths. */
  isRule?: boolean;
  /** Why it waits, is refused or was left as it is; of a new one, what is amiss. */
  detail?: string;
}

/** A statement on its way in, and what became of it. */
export interface Entry {
  foreign: ForeignMemory;
  draft: MemoryDraft;
  /** Made of its source, so that it is found again. */
  id: string;
  /** Where it was imported from. */
  from: string;
  report: ImportedMemory;
  /** What of it is to be written, or to wait. */
  taken?: { memory: Memory; store: StoreReader };
}

type Outcome = Pick<ImportedMemory, "outcome"> & Partial<Pick<ImportedMemory, "detail" | "name">>;

/** Statements as drafts, without those that belong to other projects. */
export function entriesOf(
  place: Place,
  format: ImportFormat,
  source: ForeignSource,
  reading: ForeignReading,
  request: ImportRequest,
): Entry[] {
  const root = findProjectRoot(place.cwd);
  const isHere = root !== undefined && (source.path === root || source.path.startsWith(`${root}/`));
  const names = new Set([
    request.project,
    ...(root === undefined ? [] : [basename(root), projectSlug(root)]),
  ]);
  const here = place.here();
  const entries = new Map<string, Entry>();
  for (const foreign of reading.memories) {
    const leave = (reason: string): number =>
      reading.leftOut.push({ place: foreign.place, what: foreign.draft.statement, reason });
    // What heed wrote says where it holds; another tool's file says where it was written.
    const repo = foreign.id === undefined ? foreign.own?.origin?.repo : undefined;
    const project = foreign.project ?? repo ?? projectOf(source.path);
    const isOfHere = names.has(project) || (repo !== undefined && here.isRepositoryHere(repo));
    if (project !== undefined && request.isEverywhere !== true && !isOfHere) {
      leave(
        `it belongs to the project ${project}: import it there, or with --project ${project} if that is this one, or with --everywhere`,
      );
      continue;
    }
    const id = foreign.id ?? idOf(format.name, foreign, place.now());
    // The same statement twice in one source is one.
    if (entries.has(id)) continue;
    // What lies in no repository and names none holds everywhere, as it did in the other tool.
    const isPlaceless = !isHere && (project ?? request.project) === undefined && foreign.id === undefined;
    const isWide = request.isEverywhere === true || isPlaceless;
    const isUnscoped = (foreign.own?.scope ?? foreign.draft.scope) === undefined;
    const draft: MemoryDraft = {
      ...foreign.draft,
      type: request.type ?? request.types?.[foreign.place] ?? foreign.draft.type,
      ...(isWide && isUnscoped && { scope: "everywhere" as const }),
      ...(format.isConcluded === true && { source: "inferred", status: "provisional", confidence: "low" }),
      ...(request.store !== undefined && { store: request.store }),
    };
    const policy = place.types.get(draft.type);
    if (foreign.isOnRequest === true && policy?.injection === "always") {
      leave(ON_REQUEST);
      continue;
    }
    // It is over: nobody goes on with it here.
    if (policy?.injection === "resume" && foreign.id === undefined) draft.status = "confirmed";
    const report: ImportedMemory = {
      outcome: "open",
      type: draft.type,
      name: draft.name ?? slugOf(draft.statement).slice(0, 60),
      statement: draft.statement,
      place: foreign.place,
      ...(foreign.section !== undefined && { section: foreign.section }),
      ...(foreign.isRule && { isRule: true }),
    };
    entries.set(id, { foreign, id, draft, from: fromOf(source, foreign), report });
  }
  return [...entries.values()];
}

const ON_REQUEST =
  "its tool gives it to the agent on request, so it is no rule of every session: take it as a fact (--as project)";

const MAX_FROM_CHARS = 200;

function fromOf({ isFile, name, placeOf }: ForeignSource, { from, place }: ForeignMemory): string {
  const made = isFile ? (place === name ? placeOf(name) : `${placeOf(name)}, ${place}`) : placeOf(place);
  return (from ?? made).slice(0, MAX_FROM_CHARS);
}

/** Claude Code and Qwen Code name a project's folder by its path, with dashes. */
function projectOf(path: string): string | undefined {
  return /[/\\]\.(?:claude|qwen)[/\\]projects[/\\]([^/\\]+)/.exec(path)?.[1];
}

function idOf(format: string, { key, created }: ForeignMemory, now: Date): string {
  const digest = createHash("sha256").update(`${format}\n${key}`).digest();
  const time = created === undefined ? new Date(digest.readUIntBE(10, 4)) : new Date(created);
  return newId(Number.isNaN(time.getTime()) || time > now ? new Date(0) : time, digest);
}

/** Who imports what, into which surroundings. */
export interface ImportRun {
  place: Place;
  collection: Collection;
  format: ImportFormat;
  /** The import as who acts: its session is what an undo names. */
  by: Actor;
  /** A person asked for it. */
  isPersons: boolean;
  /** Nothing is written, not even a store made. */
  isDryRun: boolean;
}

type Said = Pick<Memory, "name" | "statement" | "body">;

/** Plans an import statement by statement, by what the stores hold and it has taken so far; changes and amends nothing. */
export class ImportPlan {
  readonly #run: ImportRun;
  readonly #known: ReadonlyMap<string, Known>;
  readonly #taken = new Map<string, Said[]>();
  readonly #checker: ClaimChecker;
  readonly #surroundings = new Map<string, { store: StoreReader; stock: Stock }>();
  readonly #names: Set<string>;

  constructor(run: ImportRun, kind: StoreKind | undefined) {
    this.#run = run;
    this.#known = knownMemories(run.place, run.collection, kind);
    this.#checker = new ClaimChecker(run.place);
    this.#names = new Set([...this.#known.values()].map(({ name }) => name));
  }

  /** Says what becomes of a statement, and what is to be written. */
  async take(entry: Entry): Promise<void> {
    const { draft, id, report } = entry;
    const before = this.#known.get(id);
    if (before) Object.assign(report, comparedWith(before, draft));
    else if (draft.type !== "") Object.assign(report, await this.#outcomeOf(entry));
  }

  async #outcomeOf(entry: Entry): Promise<Outcome> {
    const { place, by, isDryRun, isPersons } = this.#run;
    const policy = place.types.get(entry.draft.type);
    const chosen = await chooseStore(place, entry.draft, isDryRun);
    if ("refusal" in chosen) return refused(chosen.refusal.reason);
    const { store, stock } = await this.#around(chosen.store);
    const same = policy?.injection === "resume" ? undefined : await this.#sameAs(entry, store, stock);
    if (same !== undefined) return { outcome: "known", detail: `${handleOf(same)} says the same` };
    const given = {
      draft: { ...entry.draft, name: this.#nameOf(entry.draft) },
      actor: by,
      store,
      // Rules in files that stand there when a person imports them; nothing that speaks of the user, nothing a tool made.
      isConfirmed: isPersons && entry.draft.source !== "inferred" && policy?.injection === "always",
    };
    const own = (memory: Memory): Memory => (policy ? withSource(memory, entry, policy) : memory);
    const proposed = policy && own(memoryOfDraft(place, given, policy));
    const write = { ...given, ...(proposed && { proposed }) };
    const checked = await check(place, write, stock, this.#checker);
    if (Array.isArray(checked))
      return refused(checked.map(({ gate, reason }) => `${gate}: ${reason}`)[0] ?? "");
    const { near } = checked;
    const memory = own(checked.memory);
    const waits = checked.waits.join("; ") || (isPersons ? undefined : whyShared(chosen.store.kind));
    const key = foldStatement(memory.statement);
    this.#taken.set(key, [...(this.#taken.get(key) ?? []), memory]);
    this.#names.add(memory.name);
    entry.taken = { memory, store };
    const { name } = memory;
    if (waits !== undefined) return { outcome: "waits", name, detail: waits };
    const [like] = near;
    const detail =
      like && `near ${handleOf(like)}: ${like.statement}${like.removed ? ` (${like.removed})` : ""}`;
    return { outcome: "new", name, ...(detail && { detail }) };
  }

  /** A memory of the store, or taken before, that says the same, statement and text. */
  async #sameAs(
    { draft, foreign }: Entry,
    store: StoreReader,
    { memories }: Stock,
  ): Promise<Said | undefined> {
    const { place, collection } = this.#run;
    for (const metadata of memories)
      if (
        metadata.status !== "superseded" &&
        isSameStatement(metadata.statement, draft.statement) &&
        holdsBeside(place, metadata, store.ref.kind)
      ) {
        const read = await collection.read(metadata);
        const said = read && { ...read.metadata, body: read.body };
        if (said && repeatsText(draft, said)) return said;
      }
    // What heed exported stood beside its likes already.
    const taken = foreign.text === undefined ? this.#taken.get(foldStatement(draft.statement)) : undefined;
    return taken?.find((one) => repeatsText(draft, one));
  }

  async #around(ref: StoreRef): Promise<{ store: StoreReader; stock: Stock }> {
    const known = this.#surroundings.get(ref.id);
    if (known) return known;
    const { place, collection, format } = this.#run;
    const store = openedStore(place, ref);
    const stock = await stockOf(place, store, collection);
    // What stands in an instruction file is what is imported from it.
    const around = { store, stock: { ...stock, ...(format.isOfRepository && { instructions: [] }) } };
    this.#surroundings.set(ref.id, around);
    return around;
  }

  #nameOf({ name, statement }: MemoryDraft): string {
    const isTaken = (made: string): boolean => this.#names.has(made);
    const own = slugOf(name ?? "");
    return own === "" ? nameFor(statement, isTaken) : freeName(own, isTaken);
  }
}

const refused = (detail: string): Outcome => ({ outcome: "refused", detail });

function withSource(memory: Memory, { foreign, id, from }: Entry, { injection }: TypePolicy): Memory {
  const { created = memory.created ?? "" } = foreign;
  return {
    ...memory,
    id,
    ...(injection === "resume" && { decayAfter: decayDay(created) }),
    ...foreign.own,
    ...(foreign.created !== undefined && { created: foreign.created.replace(/\.\d+Z$/, "Z") }),
    // What was heed's keeps where it came from; anything else says that it was imported, and from what.
    origin:
      foreign.text === undefined
        ? { ...memory.origin, ...foreign.own?.origin, actor: "import", from }
        : (foreign.own?.origin ?? {}),
  };
}

/** A memory by its id; `why`: it is not simply there. */
type Known = Pick<Memory, "name" | "statement"> & { why?: string | undefined };

/** Everything that was here once, also what was removed and rejected since, which does not come back by itself. */
function knownMemories(
  place: Place,
  collection: Collection,
  kind: StoreKind | undefined,
): Map<string, Known> {
  const isAsked = (store: StoreRef): boolean => kind === undefined || store.kind === kind;
  const inbox = inboxOf(place);
  const removed = place.stores.filter(isAsked).flatMap((store) => openedStore(place, store).listTombstones());
  const known = new Map<string, Known>();
  const add = ({ id, name, statement }: Pick<Memory, "id" | "name" | "statement">, why?: string): void =>
    void known.set(id, { name, statement, why });
  const gone = "it was removed or rejected here since";
  for (const { memory } of inbox.listRejected()) add(memory, gone);
  for (const { memory } of removed) add(memory.metadata, gone);
  for (const { memory } of inbox.list()) add(memory, "it needs your approval: heed inbox");
  for (const metadata of collection.memories()) if (isAsked(collection.storeOf(metadata))) add(metadata);
  return known;
}

function comparedWith({ name, statement, why }: Known, draft: MemoryDraft): Outcome {
  if (why !== undefined) return { outcome: "known", name, detail: why };
  if (statement === draft.statement.trim()) return { outcome: "known", name };
  return { outcome: "changed", name, detail: `here it says: ${statement}` };
}
