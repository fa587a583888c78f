import { dirname, join } from "node:path";
import { type MemoryMetadata, type StoreKind, type StoreRef, memoryKey } from "../../memory/memory.ts";
import type { IndexReader } from "../../search/index/index-reader.ts";
import { lstatSync } from "node:fs";
import { compare } from "../../machine/read-fields.ts";
import { inTurns } from "../../machine/breather.ts";
import { findGitDirectory } from "../../machine/git-directory.ts";
import { readOrEmpty, statIfThere, systemCode, MAX_OWN_FILE_BYTES } from "../../machine/regular-file.ts";
import { hasPart } from "../../search/index/document/index-document.ts";
import { type TypeTable, takesForce } from "../../memory/memory-type.ts";
import { Approvals, approvalsFile, isTrustedStore, registryFile } from "../../store/consent.ts";
import type { StoredMemory } from "../../store/files/scan-store.ts";
import type { StoreState } from "../../store/config/store-config.ts";
import {
  stateOfStore,
  CONFIG_FILE,
  keptSettings,
  readSettings,
  readStoreConfig,
} from "../../store/config/store-config.ts";
import type { Collection } from "../collection.ts";
import type { Place } from "../place.ts";
import { logTrouble } from "../trouble-log.ts";
import { readUserConfig } from "../user-config.ts";
import type { Problem } from "../../machine/heed-error.ts";
import { knownRepositoriesFile } from "../../machine/repository-identity.ts";
import { type FileFormat, FORMATS, keepFile, keptOf, readState } from "../../machine/state-file.ts";
import { shownText } from "../../memory/shown-text.ts";
import { redactValue } from "../../memory/screening/find-secrets.ts";

/** Whether what takes force in a store counts only as it was approved: others and a model's tools can lay files there. */
export function isReviewed(store: Pick<StoreRef, "kind" | "isTrusted" | "server">): boolean {
  const isOfOthers = store.kind === "attached" || (store.kind === "team" && !store.server);
  return !isOfOthers && store.isTrusted;
}

export function reviewCommand(kind: StoreKind): string {
  return kind === "user" ? "heed inbox trust --mine" : "heed inbox trust";
}

export async function waitingReviews(
  place: Pick<Place, "places">,
  collection: Collection,
): Promise<{ store: StoreRef; count: number; problem: Problem }[]> {
  const { unapproved, missing } = await unreviewedRules(place, collection);
  return collection.stores.flatMap((store) => {
    const changed = [...unapproved, ...missing].filter((rule) => rule.store.id === store.id);
    const isForeign = store.kind === "attached" || store.kind === "team";
    const { length: count } = isReviewed(store) ? changed : isForeign ? [] : rulesOf(collection, store);
    if (count === 0) return [];
    const message = `${count} ${count === 1 ? "rule is" : "rules are"} not in force until you approve what changed`;
    const problem = { file: store.root, severity: "warning", code: "not-reviewed", message } as const;
    return [{ store, count, problem: { ...problem, remedy: `run ${reviewCommand(store.kind)}` } }];
  });
}

function forcefulIn(types: TypeTable): string[] {
  return types.all().flatMap(({ name }) => (takesForce({ type: name }, types) ? [name] : []));
}

function withGuards(rules: readonly MemoryMetadata[], reader: IndexReader): MemoryMetadata[] {
  const all = [...rules, ...reader.memoriesWith("guard")];
  // Two files may claim one id: each counts by its own text.
  const each = new Map(all.map((metadata) => [`${metadata.file} ${metadata.id}`, metadata]));
  return [...each.values()].sort((a, b) => compare(a.name, b.name));
}

export function rulesOf({ stores, readers, types }: Collection, { id }: StoreRef): MemoryMetadata[] {
  return stores.flatMap((store, i) => {
    const reader = store.id === id ? readers[i] : undefined;
    return reader ? withGuards(reader.memories(forcefulIn(types)), reader) : [];
  });
}

interface UnreviewedRules {
  /** Rules of trusted stores whose text, as their files say it now, nobody has approved on this machine. */
  unapproved: (Rule & { metadata: MemoryMetadata })[];
  missing: Rule[];
}

/** A rule and what was approved in its store; `file` is relative to the store's root. */
export interface Rule {
  store: StoreRef;
  id: string;
  file: string;
  approvals: Approvals;
}

/** Valid while the stamp is: each prompt and tool use asks, and the answer is in hundreds of memories. */
const lastAnswers = new WeakMap<IndexReader, UnreviewedRules & { stamp: string }>();

/** What a review of the stores at hand is about; nothing is missing where not all was read. */
export async function unreviewedRules(
  place: Pick<Place, "places">,
  collection: Collection,
): Promise<UnreviewedRules> {
  const answers: UnreviewedRules[] = [];
  for (const [i, store] of collection.stores.entries()) {
    const reader = collection.readers[i];
    if (!isReviewed(store) || !reader) continue;
    const state = stateOfStore(place.places, store.root);
    // Taken before the approvals are read: what changes in between is seen the next time.
    const stamp = `${state.folder} ${Approvals.stampOf(state)}`;
    const last = lastAnswers.get(reader);
    if (last?.stamp === stamp) {
      answers.push(last);
      continue;
    }
    // Where a file lies in the place of heed's records, nothing tells what was approved.
    const isStateless = store.kind === "user" && statIfThere(place.places.state)?.isDirectory() === false;
    if (isStateless) continue;
    const rules = withGuards(await inTurns(reader.metadataSlices(forcefulIn(collection.types))), reader);
    const answer = { stamp, ...unreviewedOf(state, store, rules) };
    lastAnswers.set(reader, answer);
    answers.push(answer);
  }
  const missing = collection.isCut ? [] : answers.flatMap((answer) => answer.missing);
  return { unapproved: answers.flatMap(({ unapproved }) => unapproved), missing };
}

function unreviewedOf(state: StoreState, store: StoreRef, rules: readonly MemoryMetadata[]): UnreviewedRules {
  const approvals = new Approvals(state);
  const isApproved = ({ id, contentHash }: MemoryMetadata): boolean => approvals.has(id, contentHash);
  // A file that was approved as another rule is no longer that of the first.
  const known = new Set(rules.flatMap((rule) => [rule.id, ...(isApproved(rule) ? [rule.file] : [])]));
  return {
    unapproved: rules
      .filter((rule) => !isApproved(rule))
      .map((metadata) => ({ store, id: metadata.id, file: metadata.file, metadata, approvals })),
    missing: approvals
      .ids()
      .map((id) => ({ store, id, file: approvals.fileOf(id), approvals }))
      .filter(({ id, file }) => !known.has(id) && !known.has(file)),
  };
}

/** The missing rules whose file is there, torn, a folder or of another type by now: the approved text stays in force. */
export function heldRules({ missing }: UnreviewedRules): UnreviewedRules["missing"] {
  return missing.filter(({ store, file }) => {
    try {
      return lstatSync(join(store.root, file)).size >= 0;
    } catch (error) {
      // What cannot be looked at is not said to be gone.
      return systemCode(error) !== "ENOENT";
    }
  });
}

interface ReviewedCollection {
  collection: Collection;
  /** By `<store id>:<memory id>`: changed by somebody else since it was approved, or new since then. */
  unreviewed: ReadonlyMap<string, "changed" | "new">;
}

/** The collection as it counts here: a changed or torn rule with its approved text, a new one untrusted until reviewed. */
export async function withApprovals(
  place: Place,
  collection: Collection,
  noticed: ReadonlySet<string> = new Set(),
): Promise<ReviewedCollection> {
  const rules = await unreviewedRules(place, collection);
  const unapproved = [...rules.unapproved, ...takenBack(place, collection, noticed)];
  const held = heldRules(rules);
  if (unapproved.length + held.length === 0) return { collection, unreviewed: new Map() };
  const known = new Map<string, { store: StoreRef; approved: StoredMemory | undefined }>();
  for (const { store, id, approvals } of [...unapproved, ...held]) {
    const approved = await readApproved(approvals, store, id, collection.types);
    known.set(memoryKey({ storeId: store.id, id }), { store, approved });
  }
  const approvedOf = (metadata: MemoryMetadata): StoredMemory | undefined =>
    known.get(memoryKey(metadata))?.approved;
  const missed = [
    ...unapproved.map(({ metadata }) => metadata),
    ...[...known.values()].flatMap(({ approved }) => approved?.metadata ?? []),
  ];
  const among = (memories: readonly MemoryMetadata[]): MemoryMetadata[] => {
    const counting = [...memories, ...missed].map((metadata) => approvedOf(metadata)?.metadata ?? metadata);
    return [...new Map(counting.map((metadata) => [memoryKey(metadata), metadata])).values()];
  };
  let all: readonly MemoryMetadata[] | undefined;
  const reviewed: Collection = {
    ...collection,
    storeOf: (metadata) => {
      const { store, approved } = known.get(memoryKey(metadata)) ?? {};
      if (!store) return collection.storeOf(metadata);
      return approved ? store : { ...store, isTrusted: false };
    },
    memories: (types) =>
      types
        ? among(collection.memories(types)).filter(({ type }) => types.includes(type))
        : [...(all ??= among(collection.memories()))],
    // What somebody took the guard out of has it as it was approved.
    memoriesWith: (part) =>
      among(collection.memoriesWith(part)).filter((metadata) => hasPart(metadata, part)),
    read: async (metadata) => approvedOf(metadata) ?? collection.read(metadata),
  };
  const standings = [...known].map(([key, { approved }]) => [key, approved ? "changed" : "new"] as const);
  return { collection: reviewed, unreviewed: new Map(standings) };
}

export const GUARD_NOTE = "guard ";

/** Guards of a session that a model's own reset, stash, checkout or clean took away: still in force. A pull, merge or rebase ends them. */
function takenBack(
  place: Place,
  collection: Collection,
  noticed: ReadonlySet<string>,
): UnreviewedRules["unapproved"] {
  const notes = [...noticed].filter((note) => note.startsWith(GUARD_NOTE));
  const guarded = notes.length === 0 ? [] : collection.memoriesWith("guard");
  const present = new Set(guarded.map(({ contentHash }) => contentHash));
  return notes.flatMap((note) => {
    const noted = JSON.parse(note.slice(GUARD_NOTE.length)) as { store: StoreRef; metadata: MemoryMetadata };
    const { store, metadata } = noted;
    const approvals = new Approvals(stateOfStore(place.places, store.root));
    const isLast = approvals.has(metadata.id, metadata.contentHash);
    if (present.has(metadata.contentHash) || !isLast || !isTrustedStore(place.places, store)) return [];
    const log = join(findGitDirectory(dirname(store.root))?.gitDir ?? store.root, "logs", "HEAD");
    const moves = readOrEmpty(log, { maxBytes: 4096, part: "end" });
    return /\t(?:pull|merge|rebase)\b.*\s*$/.test(moves)
      ? []
      : [{ ...noted, id: metadata.id, file: metadata.file, approvals }];
  });
}

async function readApproved(
  approvals: Approvals,
  store: StoreRef,
  id: string,
  types: TypeTable,
): Promise<StoredMemory | undefined> {
  const newest = approvals.newestOf(id);
  if (!newest) return undefined;
  const { parseMemoryFile } = await import("../../store/files/scan-store.ts");
  const { memory } = parseMemoryFile(store, newest.file, newest.text, types);
  // A copy that was torn is not what was approved.
  if (memory?.metadata.contentHash !== newest.hash) return undefined;
  return { ...memory, metadata: { ...memory.metadata, id } };
}

interface Deciding {
  file: string;
  /** Where what heed last wrote, or a person took over, is kept: that counts. */
  kept: string;
  look: () => {
    problems: readonly Problem[];
    /** It was changed outside heed. People write `settings` too, and may take the change over; state is heed's alone. */
    changed?: "settings" | "state" | undefined;
  };
}

/** What decides what is in force here: settings, approvals, and what else heed keeps. What an untrusted store says does not. */
export function decidingFiles(place: Place, collection?: Collection): Deciding[] {
  const { places } = place;
  const stores = place.stores.filter(isReviewed);
  const settings = (folder: string, read: () => { problems: readonly Problem[] }): Deciding => {
    const file = join(folder, CONFIG_FILE);
    const changed = (): "settings" | undefined =>
      readSettings(file, places).fault?.isChange ? "settings" : undefined;
    const look = (): ReturnType<Deciding["look"]> => ({ problems: read().problems, changed: changed() });
    return { file, kept: keptSettings(file, places), look };
  };
  const state = (file: string, format: FileFormat, remedy: string, isLost = () => false): Deciding => ({
    file,
    kept: keptOf(file),
    look: () => {
      const { content, fault } = readState(file, format);
      const why = fault?.message ?? (isLost() ? "a known store without approvals" : undefined);
      if (why === undefined) return { problems: [] };
      const [message, what] = content
        ? [`${why}: its last good state stays in force`, "heed inbox trust puts it back"]
        : [`${why}: what it allowed is not in force`, remedy];
      const problem = { file, severity: "error", code: "broken-state", message, remedy: what } as const;
      return { problems: [problem], changed: content && fault && "state" };
    },
  });
  return [
    ...stores.map(({ root }) => settings(root, () => readStoreConfig(root, places))),
    settings(places.config, () => readUserConfig(places)),
    state(registryFile(places), FORMATS.stores, "remove it, then run heed inbox trust and heed attach again"),
    state(knownRepositoriesFile(places), FORMATS.repositories, "remove it: the names are learnt again"),
    ...stores.map((store) => {
      const approved = stateOfStore(places, store.root);
      const remedy = `look at the rules and approve them: ${reviewCommand(store.kind)}`;
      const isLost = (): boolean =>
        store.kind === "user" &&
        isTrustedStore(places, store) &&
        new Approvals(approved).isLost &&
        collection !== undefined &&
        rulesOf(collection, store).length > 0;
      return state(approvalsFile(approved), FORMATS.approvals, remedy, isLost);
    }),
  ];
}

/** Keeps what is good now and was not kept before, and gives back what is good. Never throws. */
export function keepGoodState(place: Place): Pick<Deciding, "file" | "kept">[] {
  try {
    const good = decidingFiles(place).filter(({ look }) => look().problems.length === 0);
    for (const { file, kept } of good) keepFile(file, kept);
    return good;
  } catch (error) {
    logTrouble("what was last good", error, place.env);
    return [];
  }
}

/** What was changed outside heed, for the person who reviews it: of settings all lines, those that went and came marked. */
export function changesPastHeed(place: Place): string[] {
  const read = (path: string): string[] =>
    readOrEmpty(path, { maxBytes: MAX_OWN_FILE_BYTES })
      .split(/\r?\n/)
      .filter((line) => line.trim() !== "");
  const lines = decidingFiles(place).flatMap(({ file, kept, look }) => {
    const { changed } = look();
    if (changed === undefined) return [];
    if (changed === "state") return [`${file} is put back as heed wrote it`];
    const [was, is] = [read(kept), read(file)];
    const gone = was.filter((line) => !is.includes(line)).map((line) => `- ${line}`);
    const now = is.map((line) => `${was.includes(line) ? " " : "+"} ${line}`);
    return [`${file} was changed outside heed:`, ...gone, ...now];
  });
  return redactValue(lines, shownText);
}

/** A person has seen the changes: settings hold as they are now, heed's own state as it was kept. */
export function acceptChanges(place: Place): void {
  for (const { file, kept, look } of decidingFiles(place)) {
    const { changed } = look();
    if (changed === "settings") keepFile(file, kept);
    else if (changed === "state") keepFile(kept, file);
  }
}
