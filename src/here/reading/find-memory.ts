import { inboxOf } from "../consent/inbox.ts";
import { type Collection, openCollection, supersederOf } from "../collection.ts";
import type { Place } from "../place.ts";
import { nearestNames } from "../../memory/nearest-names.ts";
import { type HeedErrorCode, HeedError, notFound, refusedBy } from "../../machine/heed-error.ts";
import { handleOf, isShortFor, plainHandle, shortNameOf } from "../../memory/handle.ts";
import { type Actor, type MemoryMetadata, type StoreRef, memoryKey } from "../../memory/memory.ts";
import { cutShown, redactSecrets } from "../../memory/screening/find-secrets.ts";
import { type StoredMemory, MAX_FILE_BYTES } from "../../store/files/scan-store.ts";
import { join } from "node:path";
import { ClaimChecker } from "../claims/claim-checker.ts";
import {
  standingLines,
  whyData,
  needsWord,
  whyQuarantined,
  isQuarantinedFrom,
  withheld,
} from "../consent/standing.ts";
import { readUserWords } from "../../store/consent.ts";
import { appendUse } from "../records/use-log.ts";
import { logTrouble } from "../trouble-log.ts";
import { withIoErrors, readRegularFile } from "../../machine/regular-file.ts";
import { whereItHolds } from "../../search/search-query.ts";
import type { Signals, Verdict } from "../../freshness/verdict.ts";

export interface FoundMemory extends StoredMemory {
  store: StoreRef;
}

/** As its file says now. @throws HeedError `not-found` with suggestions, `ambiguous` with candidates. */
export async function findMemory(place: Place, handle: string): Promise<FoundMemory> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const metadata = resolveOrExplain(place, collection, handle);
  const read = await collection.read(metadata);
  if (!read) throw unknownMemory(handle, handle, []);
  return { ...read, store: collection.storeOf(metadata) };
}

function resolveOrExplain(place: Place, collection: Collection, handle: string): MemoryMetadata {
  try {
    return resolveHandle(collection, handle);
  } catch (error) {
    const item = inboxOf(place).get(plainHandle(handle));
    if (!item || !(error instanceof HeedError) || error.code !== "not-found") throw error;
    const { name } = item.memory;
    const message = `"${name}" needs approval and is not a memory yet: \`heed inbox confirm ${name}\` first, or \`heed inbox reject ${name}\` and write it again`;
    throw notFound(handle, message);
  }
}

function unknownMemory(handle: string, wanted: string, suggestions: string[]): HeedError {
  const hint =
    suggestions.length > 0 ? `Did you mean ${suggestions.join(", ")}?` : "`heed list` names them all.";
  const said = `no memory is called "${cutShown(wanted, 80)}". ${hint}`;
  return notFound(handle, said, suggestions);
}

/** Memory by name, `heed:name`, short handle, cut name or id; the narrower store wins. */
export function resolveHandle(collection: Collection, handle: string): MemoryMetadata {
  const wanted = plainHandle(handle);
  if (wanted === "")
    throw new HeedError("invalid-input", "the handle is empty: give a memory's name or id", { handle });
  const exact = collection.readers
    .flatMap((reader) => reader.memoriesByHandle(wanted))
    .sort((a, b) => rankOf(collection, a) - rankOf(collection, b));
  const [first, second] = exact;
  if (first && second && rankOf(collection, first) === rankOf(collection, second)) {
    throw ambiguous(handle, exact);
  }
  if (first) return first;
  const memories = collection.memories();
  const marked = memories.filter(({ name }) => isShortFor(wanted, name));
  const same = marked.filter((metadata) => shortNameOf(metadata) === wanted);
  const cut = same.length > 0 ? same : marked;
  if (new Set(cut.map(({ name }) => name)).size > 1) throw ambiguous(handle, cut);
  if (cut[0]) return resolveHandle(collection, cut[0].name);
  const names = memories.flatMap((metadata) => [metadata.name, shortNameOf(metadata)]);
  throw unknownMemory(handle, wanted, nearestNames(wanted, [...new Set(names)]));
}

const RANKS = { project: 0, user: 1, team: 2, attached: 3 };

function rankOf(collection: Collection, metadata: MemoryMetadata): number {
  return RANKS[collection.storeOf(metadata).kind];
}

function ambiguous(handle: string, memories: readonly MemoryMetadata[]): HeedError {
  const candidates = memories
    .slice(0, 10)
    .map((metadata) => ({ name: metadata.name, id: metadata.id, file: metadata.file }));
  return new HeedError(
    "ambiguous",
    `"${handle}" matches ${memories.length} memories: ${candidates.map(({ name, id }) => `${name} (${id})`).join(", ")}. Give the id.`,
    { handle, candidates },
  );
}

/** Past this time, a memory is shown without what git knows about its claims. */
const VERDICT_MS = 5_000;

/** How a memory is shown. */
export interface ShowOptions {
  /** Who reads: what is opened counts as used, and one that is quarantined is shown in full to a person alone. Default: nobody. */
  reader?: Actor | undefined;
}

/** A memory as it is shown: without secrets, and with what keeps it from counting. */
export interface ShownMetadata extends MemoryMetadata {
  /** Why it is data and no rule here; absent for what counts as what it is. */
  whyData?: string;
  /** The handle of the memory that took its place. */
  supersededBy?: string;
  /** How fresh it is; absent where there was no time to look. */
  signals?: Signals;
}

/** A memory in full. */
export interface ShownMemory {
  metadata: ShownMetadata;
  body: string;
  store: StoreRef;
  /** Absolute path of the file. */
  path: string;
  /** Where it holds, in words: `everywhere`, a repository, a branch, paths. */
  holdsIn: string;
  /** Why it is or is not in force here, in words: untrusted store, superseded, expired, other repository, pending. */
  notes: string[];
  /** How fresh it is, with the evidence; absent for one that waits in the inbox. */
  verdict?: Verdict;
  /** Whether it waits in the inbox for the user's word. */
  isPending: boolean;
  /** It says what only the user can say, and they have not, or rejected it: what its file says of its standing is another's. */
  isUnsaid?: true;
  /** Its text is quarantined from this reader: body and statement say only that. */
  isQuarantined?: boolean;
}

/** The file of a memory. */
export interface ShownFile {
  /** Absolute path. */
  path: string;
  /** As it is, but without secrets. */
  text: string;
}

/** Several memories at once. */
export interface ShownMemories {
  memories: ShownMemory[];
  /** The handles that could not be shown, with the code of the error and its words. */
  notShown: { handle: string; code: HeedErrorCode; message: string }[];
}

/** One memory in full, else one from the inbox. Quarantined text is shown to a person alone. */
export async function showMemory(
  place: Place,
  handle: string,
  options: ShowOptions = {},
): Promise<ShownMemory> {
  const { reader } = options;
  await place.meetRepository();
  const collection = await openCollection(place, { thoroughness: "full" });
  try {
    return await showStored(place, collection, handle, reader);
  } catch (error) {
    const isUnknown = error instanceof HeedError && error.code === "not-found";
    const pending = isUnknown ? showPending(place, handle, reader) : undefined;
    if (!pending) throw error;
    return pending;
  }
}

/** The file of a memory without secrets. @throws HeedError `gate-refused` when quarantined; those of `showMemory`. */
export async function showFile(place: Place, handle: string, options: ShowOptions = {}): Promise<ShownFile> {
  const shown = await showMemory(place, handle, options);
  const { path, metadata } = shown;
  if (shown.isQuarantined === true) {
    const why = `the text of ${metadata.name} is quarantined until a person has released it: ${shown.notes.join("; ")}`;
    const remedy = `a person reads it and runs heed inbox confirm ${metadata.name}, in a terminal`;
    throw refusedBy("hostile", why, remedy);
  }
  return {
    path,
    text: redactSecrets(
      withIoErrors("read", path, () => readRegularFile(path, { maxBytes: MAX_FILE_BYTES })),
    ),
  };
}

async function showStored(
  place: Place,
  collection: Collection,
  handle: string,
  reader: Actor | undefined,
): Promise<ShownMemory> {
  const found = resolveHandle(collection, handle);
  const { metadata, body } = (await collection.read(found)) ?? { metadata: found, body: "" };
  const owner = collection.storeOf(metadata);
  const isUnsaid =
    needsWord(metadata, collection) && readUserWords(place.places).get(metadata.contentHash) !== "confirmed";
  const notes = standingLines(place, collection, metadata);
  const { from } = metadata.origin;
  if (from !== undefined) notes.push(`imported from ${from}`);
  if (owner.source !== undefined) notes.push(`from the shared store ${owner.source}`);
  const change = inboxOf(place)
    .list()
    .find(({ proposal }) => proposal.target?.id === metadata.id && proposal.store === metadata.storeId);
  if (change) notes.push("a change of it needs approval: heed inbox");
  const isQuarantined = reader?.kind !== "person" && isUnsaid && metadata.flags !== undefined;
  const checker = new ClaimChecker(place);
  const verdict = await checker.on(isQuarantined ? withoutNames(metadata) : metadata, collection, {
    withHistory: true,
    deadlineAtMs: performance.now() + VERDICT_MS,
  });
  checker.save();
  const shown = shownMetadata(metadata, collection, whyData(place, collection), isQuarantined);
  if (shown.supersededBy) notes.push(`superseded by ${shown.supersededBy}: rely on that one`);
  noteRetrieved(place, "opened", [{ metadata }], reader);
  return {
    metadata: { ...shown, signals: verdict.signals },
    body: isQuarantined ? "" : redactSecrets(body),
    store: owner,
    path: join(owner.root, metadata.file),
    holdsIn: whereItHolds(metadata, owner.kind, collection.types.get(metadata.type)),
    notes,
    verdict,
    isPending: false,
    ...(isUnsaid && { isUnsaid }),
    ...(isQuarantined && { isQuarantined }),
  };
}

/** Notes that a model was given memories, as use of them: a person who looks one up says nothing of that. Never throws. */
export function noteRetrieved(
  { places, now, env }: Place,
  what: "found" | "opened",
  memories: readonly { metadata: MemoryMetadata }[],
  reader: Actor | undefined,
): void {
  if (reader === undefined || reader.kind === "person") return;
  try {
    const [time, session] = [now().toISOString(), reader.session ?? ""];
    const of = Number(time.slice(0, 10).replaceAll("-", ""));
    const event = { time, session, what, of };
    appendUse(
      places,
      memories.map(({ metadata }) => ({ ...event, key: memoryKey(metadata), name: metadata.name })),
    );
  } catch (error) {
    logTrouble("use", error, env);
  }
}

/** A hand edit passes no gate: without secrets, and quarantined without what it says. */
export function shownMetadata(
  metadata: MemoryMetadata,
  collection: Collection,
  why: (metadata: MemoryMetadata) => string | undefined,
  isHidden: boolean,
): ShownMetadata {
  const reason = why(metadata);
  const newer = supersederOf(metadata, collection);
  const statement = isHidden
    ? `(${whyQuarantined(metadata) ?? "quarantined"})`
    : redactSecrets(metadata.statement);
  return {
    ...metadata,
    statement,
    ...(isHidden && { tags: [], aliases: [], trigger: [], claims: [] }),
    ...(reason !== undefined && { whyData: reason }),
    ...(newer && { supersededBy: handleOf(newer) }),
  };
}

/** What a verdict on a quarantined text may rest on: nothing of what it says. */
export function withoutNames(metadata: MemoryMetadata): MemoryMetadata {
  return { ...metadata, statement: "", claims: [], contentHash: "" };
}

function showPending(place: Place, handle: string, reader: Actor | undefined): ShownMemory | undefined {
  const inbox = inboxOf(place);
  const item = inbox.get(plainHandle(handle));
  if (!item) return undefined;
  const { memory, proposal } = item;
  const isQuarantined = isQuarantinedFrom(reader, memory);
  const { body, ...header } = isQuarantined ? withheld(memory) : memory;
  const file = inbox.fileOf(memory.name);
  const { stores } = place;
  const store = stores.find(({ id }) => id === proposal.store) ?? {
    id: proposal.store,
    kind: "user",
    root: place.places.userStore,
    isTrusted: true,
    isReadOnly: false,
  };
  return {
    metadata: {
      ...header,
      storeId: store.id,
      file: "",
      mtimeMs: Date.parse(proposal.at),
      sizeBytes: 0,
      contentHash: "",
      bodyLength: body.length,
    },
    body,
    store,
    path: file,
    notes: [
      `${proposal.reason}: it needs approval, and no session sees it. heed inbox confirm ${shortNameOf(memory)}, or heed inbox reject ${shortNameOf(memory)}`,
    ],
    holdsIn: whereItHolds(memory, store.kind, place.types.get(memory.type)),
    isPending: true,
    ...(isQuarantined && { isQuarantined }),
  };
}

/** Several memories in full; what cannot be shown says why. */
export async function showMemories(
  place: Place,
  handles: readonly string[],
  options: ShowOptions = {},
): Promise<ShownMemories> {
  const wanted = [...new Set(handles.map(plainHandle))];
  const shown: ShownMemories = { memories: [], notShown: [] };
  for (const handle of wanted) {
    try {
      shown.memories.push(await showMemory(place, handle, options));
    } catch (error) {
      if (!(error instanceof HeedError)) throw error;
      shown.notShown.push({ handle, code: error.code, message: error.message });
    }
  }
  return shown;
}
