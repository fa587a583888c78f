import type { MemoryMetadata, StoreRef } from "../memory/memory.ts";
import {
  appendEvent,
  readEvents,
  FORMATS,
  keptOf,
  readVersioned,
  requireState,
  writeVersioned,
  readState,
} from "../machine/state-file.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Places } from "../machine/places.ts";
import { realPathOf, MAX_OWN_FILE_BYTES, readOrEmpty, stampOf } from "../machine/regular-file.ts";
import { withLock } from "../machine/file-lock.ts";
import { writeFileAtomic } from "../machine/atomic-file.ts";
import { type StoreState, stateOfStore } from "./config/store-config.ts";
import { asRecord } from "../machine/read-fields.ts";
import { sha256Hex } from "../machine/sha256.ts";
import { contentHashOf, parseMemoryFile } from "./files/scan-store.ts";
import { type TypeTable, takesForce } from "../memory/memory-type.ts";
import type { ChangeRecord } from "./history/change-record.ts";
import { withoutTombstone as plain } from "./files/tombstone.ts";

/** A server that a team shares stores on, as this machine last saw it. */
export interface ServerEntry {
  url: string;
  /** Those of the person who logs in; each is a store with a copy here. */
  audiences: { id: string; name: string; canWrite: boolean }[];
}

/** One repository of memories that is read in many, at a commit that a person chose. */
export interface TeamEntry {
  id: string;
  address: string;
  /** What a person has put into force; undefined: nothing yet. */
  commit?: string;
  offered?: string;
  /** Names of the repositories in which it holds, with `*` for anything. */
  repositories: string[];
}

/** Stores made or approved on this machine, and attached directories. Private: a clone cannot call itself trusted. */
export interface StoreRegistry {
  /** Store ids with the real paths at which they are trusted. */
  trusted: Record<string, string[]>;
  attached: { id: string; root: string }[];
  teams: TeamEntry[];
  servers: ServerEntry[];
  /** Real paths of project stores that were switched off on this machine. */
  silenced: string[];
  /** Real paths of user stores from which `heed sync --read-only` pushes nothing. */
  unpushed: string[];
}

export const registryFile = (places: Places): string => join(places.state, "stores.json");

/** Reads the registry; an absent one, or a damaged one of which nothing is kept, counts as empty, so that nothing is trusted by accident. */
export function readStoreRegistry(places: Places): StoreRegistry {
  return registryOf(readVersioned(registryFile(places), FORMATS.stores));
}

function registryOf(value: Partial<StoreRegistry> = {}): StoreRegistry {
  return {
    trusted: value.trusted ?? {},
    attached: soundEntries(value.attached, "id", "root"),
    teams: soundEntries(value.teams, "id", "address", "repositories"),
    servers: soundEntries(value.servers, "url", "audiences"),
    silenced: soundEntries(value.silenced),
    unpushed: soundEntries(value.unpushed),
  };
}

/** Entries with texts and lists where they have them: one that is damaged must not silence all stores. */
function soundEntries<Entry>(list: readonly Entry[] | undefined, ...keys: readonly (keyof Entry)[]): Entry[] {
  if (!Array.isArray(list)) return [];
  const isSound = (value: unknown): boolean => typeof value === "string" || Array.isArray(value);
  return list.filter((entry: Entry | null) => keys.every((key) => isSound(entry?.[key])));
}

/** Whether the store of this id was made or approved at this very place, which it cannot say itself: a copy elsewhere is another store. */
export function isTrustedStore(
  places: Places,
  { id, root }: Pick<StoreRef, "id" | "root">,
  { trusted }: StoreRegistry = readStoreRegistry(places),
): boolean {
  return isTrustedAt(trusted, id, root) || existsSync(grantedFolder(stateOfStore(places, root)));
}

function isTrustedAt(trusted: StoreRegistry["trusted"], id: string, root: string): boolean {
  // The id comes with a clone: it may be the name of something that every object has.
  const roots: unknown = Object.hasOwn(trusted, id) ? trusted[id] : [];
  return Array.isArray(roots) && roots.includes(realPathOf(root));
}

/** The id by which the store at a place is known here: its own file may not be readable by now. */
export function idAt({ trusted }: StoreRegistry, root: string): string | undefined {
  return Object.keys(trusted).find((id) => isTrustedAt(trusted, id, root));
}

export async function changeStoreRegistry(
  places: Places,
  edit: (registry: StoreRegistry) => StoreRegistry,
): Promise<void> {
  const file = registryFile(places);
  await withLock(`${file}.lock`, { what: "change the list of stores" }, () => {
    // One that cannot be read must not count as empty: all of it would be lost.
    const known = requireState(file, FORMATS.stores, "attach and trust your stores again");
    const registry = edit(registryOf(known));
    writeVersioned(file, FORMATS.stores, registry, { indent: 2 });
  });
}

export async function trustStore(places: Places, id: string, root: string): Promise<void> {
  const real = realPathOf(root);
  await changeStoreRegistry(places, (registry) => {
    const roots = registry.trusted[id] ?? [];
    if (roots.includes(real)) return registry;
    return { ...registry, trusted: { ...registry.trusted, [id]: [...roots, real] } };
  });
}

/** Records that a store is in a list of the registry, or no more. */
export async function listStore(
  places: Places,
  root: string,
  list: "silenced" | "unpushed",
  isListed: boolean,
): Promise<void> {
  const real = realPathOf(root);
  await changeStoreRegistry(places, (registry) => {
    const others = registry[list].filter((other) => other !== real);
    return { ...registry, [list]: isListed ? [...others, real] : others };
  });
}

export interface ApprovedText {
  id: string;
  name: string;
  hash: string;
  file: string;
  text: string;
}

/** A granted one has its text beside it, another a file. */
type Approval = Pick<ApprovedText, "name" | "file" | "hash"> & { text?: string };

/**
 * The texts of a store's rules and guards that the organisation's policy, else somebody here, approved last. An earlier one
 * that comes back is a change.
 */
export class Approvals {
  readonly #state: Pick<StoreState, "folder">;
  readonly #rules: readonly ApprovedRules[];
  /** There is no record, or none that can be read: nothing is approved. */
  readonly isLost: boolean;

  constructor(state: Pick<StoreState, "folder">) {
    this.#state = state;
    this.#rules = [grantedFile, approvalsFile].flatMap((fileOf) => readApproved(fileOf(state)) ?? []);
    this.isLost = this.#rules.length === 0;
  }

  static stampOf(state: Pick<StoreState, "folder">): string {
    return `${stampOf(approvalsFile(state))} ${stampOf(grantedFile(state))}`;
  }

  #of(id: string): Approval[] {
    return this.#rules.flatMap((rules) => rules.get(id) ?? []);
  }

  /** Where the rule lay when its newest text was approved; empty for an id that is not known. */
  fileOf(id: string): string {
    return this.#of(id).at(-1)?.file ?? "";
  }

  has(id: string, hash: string): boolean {
    return this.#of(id).some((rule) => rule.hash === hash);
  }

  /** The newest approved text of a rule; undefined when none was, or its copy is not that text. */
  newestOf(id: string): ApprovedText | undefined {
    const read = (): string => readOrEmpty(textFile(this.#state, id), { maxBytes: MAX_OWN_FILE_BYTES });
    return this.#of(id)
      .map((rule) => ({ id, ...rule, text: rule.text ?? read() }))
      .find(({ hash, text }) => hash === contentHashOf(text));
  }

  ids(): string[] {
    return [...new Set(this.#rules.flatMap((rules) => [...rules.keys()]))];
  }
}

/** Where it is, the organisation's policy trusts the store. */
export const grantedFolder = ({ folder }: Pick<StoreState, "folder">): string => join(folder, "granted");
const grantedFile = (state: Pick<StoreState, "folder">): string => join(grantedFolder(state), "rules.json");

/** Approves what the organisation's policy does, and of that nothing else any more. */
export function grantTexts(state: Pick<StoreState, "folder">, approved: readonly ApprovedText[]): void {
  const file = grantedFile(state);
  const rules = approved.map(
    ({ id, name, file: path, hash, text }) => [id, { name, file: path, hash, text }] as const,
  );
  const known = readApproved(file);
  if (known && JSON.stringify([...known]) === JSON.stringify(rules)) return;
  writeVersioned(file, FORMATS.approvals, { rules: Object.fromEntries(rules) });
}

/** Adds approved texts, forgets rules that are gone. Needs the store's write lock. */
export function changeApprovals(
  state: Pick<StoreState, "folder">,
  approved: readonly ApprovedText[] = [],
  forgotten: readonly string[] = [],
): void {
  const rules = new Map(readApproved(approvalsFile(state)));
  for (const id of forgotten) rules.delete(id);
  for (const { id, name, hash, file, text } of approved) {
    rules.set(id, { name, file, hash });
    writeFileAtomic(textFile(state, id), text, { mode: 0o600, draftId: "approved" });
  }
  const content = { rules: Object.fromEntries(rules) };
  writeVersioned(approvalsFile(state), FORMATS.approvals, content, { draftId: "approved" });
}

export function approvalsFile({ folder }: Pick<StoreState, "folder">): string {
  return join(folder, "approved", "rules.json");
}

/** An id comes from a file, and may be no name for one. */
function textFile({ folder }: Pick<StoreState, "folder">, id: string): string {
  return join(folder, "approved", `${sha256Hex(id).slice(0, 32)}.md`);
}

type ApprovedRules = ReadonlyMap<string, Approval>;

/** What was read last: one of thousands of rules is asked for several times in an event. */
let lastRead: { stamp: string; rules: ApprovedRules } | undefined;

/** By id; undefined for an absent or damaged file of which nothing is kept: it approves nothing. */
function readApproved(file: string): ApprovedRules | undefined {
  const stamp = `${file} ${stampOf(file)} ${stampOf(keptOf(file))}`;
  if (lastRead?.stamp === stamp) return lastRead.rules;
  const { content } = readState(file, FORMATS.approvals);
  const said = asRecord(content?.["rules"]);
  if (!said) return undefined;
  const rules = new Map<string, Approval>();
  for (const [id, rule] of Object.entries(said)) {
    const { name, file: path, hash, text }: Partial<Approval> = asRecord(rule) ?? {};
    if (typeof name === "string" && typeof path === "string" && typeof hash === "string")
      rules.set(id, { name, file: path, hash, ...(typeof text === "string" && { text }) });
  }
  if (rules.size > 0) lastRead = { stamp, rules };
  return rules;
}

/** Approves a rule written here through heed. A change of an unreviewed rule needs a person, and a new name never is one. */
export function approveOwnChange(
  { ref, state, types }: { ref: StoreRef; state: StoreState; types: TypeTable },
  { files, actor }: Pick<ChangeRecord, "files" | "actor">,
): void {
  if (!ref.isTrusted) return;
  const approvals = new Approvals(state);
  const isPerson = actor.kind === "person";
  const read = (file: string, text: string | null): MemoryMetadata | undefined =>
    text === null ? undefined : parseMemoryFile(ref, plain(file), text, types).memory?.metadata;
  const changes = files.map(({ file, before, after }) => {
    return { file, text: after, before: read(file, before), after: read(file, after) };
  });
  const live = changes.filter(({ file }) => file === plain(file));
  const namesOf = (side: "before" | "after"): string[] =>
    live.flatMap((change) => change[side]?.name ?? []).sort();
  const [names, newNames] = [namesOf("before"), namesOf("after")];
  const isRename =
    names.length > 0 && names.length === newNames.length && names.join("\n") !== newNames.join("\n");
  const idsAfter = (some: typeof changes): Set<string> =>
    new Set(some.flatMap(({ after }) => after?.id ?? []));
  const [kept, left] = [idsAfter(changes), idsAfter(live)];
  const before = new Map(changes.flatMap(({ before: old }) => (old ? [[old.id, old] as const] : [])));
  const isUnreviewed = (metadata: MemoryMetadata): boolean =>
    takesForce(metadata, types) && !approvals.has(metadata.id, metadata.contentHash);
  // A file that nobody gave an id has another one by another name.
  const isGoneUnreviewed = [...before.values()].some((old) => !kept.has(old.id) && isUnreviewed(old));
  const approved = live.flatMap(({ file, text, after }): ApprovedText[] => {
    if (text === null || !after || !takesForce(after, types)) return [];
    const old = before.get(after.id);
    if ((old ? isUnreviewed(old) : isGoneUnreviewed) && (!isPerson || isRename)) return [];
    return [{ id: after.id, name: after.name, hash: after.contentHash, file, text }];
  });
  const forgotten = changes.flatMap(({ file, text, before: old, after }) => {
    // What a person removes through heed is gone by their word; what is no rule any more is not held by its approved text.
    const isRemoved = isPerson && text === null && file === plain(file) && !left.has(old?.id ?? "");
    const id = isRemoved ? old?.id : after && !takesForce(after, types) ? after.id : undefined;
    return id !== undefined && approvals.fileOf(id) !== "" ? [id] : [];
  });
  if (approved.length + forgotten.length > 0) changeApprovals(state, approved, forgotten);
}

export type UserWord = "confirmed" | "rejected";

/** The user's words on stored memories that need one, by content hash: another text waits again. Kept on this machine alone. */
export function readUserWords(places: Places): ReadonlyMap<string, UserWord> {
  const words = new Map<string, UserWord>();
  for (const { hash, word } of readEvents(logOf(places), FORMATS.userWords)) {
    if (typeof hash !== "string") continue;
    if (word === "confirmed" || word === "rejected") words.set(hash, word);
    else if (word === "taken back") words.delete(hash);
  }
  return words;
}

export function recordUserWord(
  places: Places,
  metadata: Pick<MemoryMetadata, "contentHash" | "name" | "storeId">,
  word: UserWord | "taken back",
  time: Date,
): void {
  const { contentHash: hash, name, storeId: store } = metadata;
  appendEvent(logOf(places), FORMATS.userWords, { hash, word, name, store, time: time.toISOString() });
}

export function wordsStamp(places: Places): string {
  return stampOf(logOf(places));
}

function logOf(places: Places): string {
  return join(places.state, "claim-words.jsonl");
}
