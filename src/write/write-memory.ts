import type { NewMemory, Actor, GateRefusal, MemoryDraft, Memory, StoreRef } from "../memory/memory.ts";
import { draftOf, memoryIn } from "../memory/memory.ts";
import type { WriteResult, Write } from "./memory-of-draft.ts";
import { findMemory } from "../here/reading/find-memory.ts";
import { openedStore } from "../here/opened-stores.ts";
import type { Place } from "../here/place.ts";
import { makeStore, userStoreToBe } from "./make-store.ts";
import { failedExamplesOf } from "../guard/parse-guards.ts";
import { readGivenGuards, withGuards } from "./ask-user.ts";
import { enterStore } from "./write-pipeline.ts";
import { HeedError, type Problem, refusedBy } from "../machine/heed-error.ts";
import { type MemoryAmendment, amendMemory } from "../memory/codec/encode-memory.ts";
import { parseMemory } from "../memory/codec/parse-memory.ts";
import { type SectionChanges, replaceSections, withParts } from "../memory/codec/sections.ts";
import { fieldsOf } from "../memory/codec/front-matter.ts";
import { FIELD_NAMES, MEMORY_FIELDS } from "../memory/memory-fields.ts";
import { RELATED_KEY } from "../memory/codec/field-values.ts";
import type { StoredMemory } from "../store/files/scan-store.ts";

export async function writeMemory(place: Place, given: NewMemory, actor: Actor): Promise<WriteResult> {
  const { guard, ...said } = given;
  const draft = { ...said, statement: given.statement.trim(), body: given.body ?? given.statement };
  if (draft.replaces !== undefined) {
    const { name: _name, store: _store, ...changed } = draft;
    const current = await findMemory(place, draft.replaces);
    const store = openedStore(place, current.store);
    const replacing = { ...draftOf(memoryIn(current)), ...withoutAbsent(changed) };
    return enterWithGuards(place, { draft: replacing, actor, store, current, isWholeBody: true }, guard);
  }
  // Before the first question about where this is: what the call goes by is read once.
  await place.learnRepository();
  const chosen = await chooseStore(place, draft);
  if ("refusal" in chosen) return { outcome: "refused", refusals: [chosen.refusal] };
  const store = openedStore(place, chosen.store);
  return enterWithGuards(place, { draft, actor, store, isWholeBody: true }, guard);
}

async function enterWithGuards(place: Place, entry: Write, given: unknown): Promise<WriteResult> {
  if (given === undefined) return enterStore(place, entry);
  const read = await readGivenGuards(given, place.types.get(entry.draft.type));
  if ("refusal" in read) return { outcome: "refused", refusals: [read.refusal] };
  const { guards } = read;
  const result = await enterStore(place, { ...entry, guards });
  return "metadata" in result ? withGuards(place, result, guards, entry.actor) : result;
}

/** The file of a memory as somebody edited it. */
export interface EditedFile {
  /** The whole text, front matter included. */
  text: string;
  /** The content hash that the editor saw. */
  ifHash: string;
}

/** Changes to a memory; what is absent stays. A statement that the text begins with is changed in it too, unless `body` is given. */
export interface MemoryChanges extends Partial<
  Omit<NewMemory, "name" | "store" | "replaces" | "expires" | "quote" | "reason" | "how">
> {
  /** The user's words on which the change rests, verbatim; they take the place of those that the text quotes. */
  quote?: string;
  /** The reason that the user gave, where the text has none yet. */
  reason?: string;
  /** How to apply it, in place of what the text says of that. */
  how?: string;
  /** Labelled parts of the text that get another text, the rest of it staying: `{ solution: "…" }`; `null` takes one away. */
  sections?: SectionChanges;
  /** `null` removes it. */
  expires?: string | null;
  /** The content hash that the writer saw; refused when the file has changed since (`changed-outside`). */
  ifHash?: string;
}

export async function updateMemory(
  place: Place,
  handle: string,
  changes: MemoryChanges,
  actor: Actor,
): Promise<WriteResult> {
  const found = await findMemory(place, handle);
  const { ifHash, expires, reason, how, sections, guard, ...fields } = changes;
  requireUnchanged(found.metadata.file, found.metadata.contentHash, ifHash);
  const { expires: _old, ...before } = draftOf(memoryIn(found));
  const wanted = expires === undefined ? found.metadata.expires : expires;
  const body = fields.body ?? restate(found, changes) ?? found.body;
  const parts = { ...sections, ...(how !== undefined && { "how-to-apply": how }) };
  const replaced = Object.keys(parts).length === 0 ? body : replaceSections(body, parts);
  const draft: MemoryDraft = {
    ...before,
    ...withoutAbsent(fields),
    body: withParts(replaced, { reason }),
    ...(reason !== undefined && { reason }),
    ...(wanted !== null && wanted !== undefined && { expires: wanted }),
  };
  const write = {
    draft,
    actor,
    store: openedStore(place, found.store),
    current: found,
    isWholeBody: changes.body !== undefined,
    also: expires === null ? { expires } : undefined,
  };
  return enterWithGuards(place, write, guard);
}

export async function editMemory(
  place: Place,
  handle: string,
  edited: EditedFile,
  actor: Actor,
): Promise<WriteResult> {
  const { text, ifHash } = edited;
  const found = await findMemory(place, handle);
  requireUnchanged(found.metadata.file, found.metadata.contentHash, ifHash);
  const store = openedStore(place, found.store);
  const from = { file: found.metadata.file, storeId: found.store.id };
  const before = store.read(found.metadata.file).text ?? "";
  const whole = keepIdentity(text, before, memoryIn(found));
  const { memory, problems } = parseMemory(whole, from, place.types);
  if (!memory) {
    const [{ line = 1, message, remedy } = { message: "it is empty", remedy: "write the memory into it" }] =
      problems;
    const why = `the edited text is not a memory: line ${line}: ${message}; ${remedy}`;
    throw new HeedError("broken-file", why, { file: found.metadata.file, line });
  }
  const { body, guard, ...header } = memory;
  const metadata = { ...found.metadata, ...header };
  const draft: MemoryDraft & { guard?: unknown } = {
    ...draftOf({ ...metadata, body }),
    claims: memory.claims,
  };
  const old = parseMemory(before, from, place.types).memory?.guard;
  if (JSON.stringify(guard) !== JSON.stringify(old)) draft.guard = guard;
  const [failed] = await failedExamplesOf(guard);
  if (failed) throw refusedBy("guard", `${failed.message}. ${failed.remedy}`, failed.remedy);
  return enterStore(place, { draft, actor, store, current: found, text: whole });
}

/** A text that still begins with the old statement would contradict the new one. Undefined where nothing has to follow. */
function restate(
  { metadata, body }: StoredMemory,
  { statement, body: given }: MemoryChanges,
): string | undefined {
  if (given !== undefined || typeof statement !== "string" || metadata.statement === "") return undefined;
  const text = body.trim();
  const rest = text.slice(metadata.statement.length);
  const isStatement = text.startsWith(metadata.statement) && /^[.!]?(?:\s*\n|$)/.test(rest);
  return isStatement ? statement.trim() + rest.replace(/^[.!](?=\s*(?:\n|$))/, "") : undefined;
}

function requireUnchanged(file: string, hash: string, seen: string | undefined): void {
  const message = `${file} was changed since it was read: read it again and repeat the change`;
  if (seen !== undefined && seen !== hash) throw new HeedError("changed-outside", message, { file });
}

function withoutAbsent<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}

/** What says which memory it is and where it came from: nothing that an edit of its text is about. */
const IDENTITY = ["name", "created", "source", "origin"] as const;

/** An edited text with the id, and lost identity keys, of the memory that it replaces. Unreadable text comes back as it is. */
function keepIdentity(edited: string, before: string, memory: Memory): string {
  if (!/^\uFEFF?---/.test(edited)) return amendMemory(before, { body: edited.trim() });
  const [old, given] = [fieldsOf(before), fieldsOf(edited)];
  const lost = IDENTITY.filter(
    (key) =>
      old.get(...MEMORY_FIELDS[key].keys) !== undefined &&
      given.get(...MEMORY_FIELDS[key].keys) === undefined,
  );
  const kept: MemoryAmendment = Object.fromEntries(lost.map((key) => [key, memory[key]]));
  const hasOwnId = old.get(...MEMORY_FIELDS.id.keys) !== undefined;
  try {
    return amendMemory(edited, { ...kept, ...(hasOwnId && { id: memory.id }) });
  } catch {
    return edited;
  }
}

/** Fields that a draft takes over as they were read; the others of a writer have rules of their own. */
const TAKEN = FIELD_NAMES.filter(
  (name) =>
    MEMORY_FIELDS[name].givenBy === undefined && !["name", "statement", "type", "scope"].includes(name),
);

const NOT_TAKEN: readonly string[] = ["guard", "guards", "decay_after"];

/** What a markdown text says as a draft. A key that the text does not have is absent. */
export interface DraftReading {
  /** Undefined when the text cannot be read at all. */
  draft: (Partial<MemoryDraft> & Pick<MemoryDraft, "statement" | "body">) | undefined;
  problems: Problem[];
}

export function readDraft(place: Place, text: string): DraftReading {
  const file = "memory.md";
  const { memory, problems } = parseMemory(text, { file, storeId: "draft" }, place.types);
  if (!memory) return { draft: undefined, problems };
  const fields = fieldsOf(text);
  const isGiven = (...names: string[]): boolean => fields.get(...names) !== undefined;
  const isThere = (name: keyof typeof MEMORY_FIELDS): boolean =>
    isGiven(...MEMORY_FIELDS[name].keys, ...(name === "links" ? [RELATED_KEY] : []));
  const { paths, branch, worktree } = memory.scope;
  const draft: MemoryDraft & Record<string, unknown> = {
    type: memory.type,
    statement: memory.statement,
    body: memory.body,
    ...(isGiven("name") && { name: memory.name }),
    ...Object.fromEntries(TAKEN.filter(isThere).map((name) => [name, memory[name]])),
  };
  if (paths.length > 0 || (branch ?? worktree) !== undefined)
    draft.scope = {
      paths,
      ...(branch !== undefined && { branch }),
      ...(worktree !== undefined && { worktree: worktree === "true" || worktree }),
    };
  for (const key of NOT_TAKEN.filter((name) => isGiven(name))) {
    const message = `${key} is not taken over by a write`;
    const remedy = "add it with heed edit once the memory is written";
    problems.push({ file, severity: "warning", code: "not-taken", message, remedy });
  }
  return { draft, problems };
}

const HOW_TO_GET = {
  user: "make one with `heed init`",
  project: "make one with `heed init --project`",
  team: "join a team's server with `heed init --team URL`",
  attached: "attach a directory with `heed attach`",
};

/** The store that a draft names, else the user's, made unless `isDryRun`. @throws HeedError `no-store`. */
export async function chooseStore(
  place: Place,
  draft: MemoryDraft,
  isDryRun = false,
): Promise<{ store: StoreRef } | { refusal: GateRefusal }> {
  const { stores } = place;
  const policy = place.types.get(draft.type);
  const kind = draft.store ?? "user";
  const candidates = stores.filter((store) => store.kind === kind);
  // What is about a repository goes to those who work on it, where a team's server has an audience of theirs.
  const reach = draft.scope === "everywhere" ? "everywhere" : draft.scope ? "repository" : policy?.reach;
  const names =
    reach === "repository" && place.repository ? [place.repository.name, ...place.repository.aliases] : [];
  const closest = candidates.find(({ server }) =>
    names.some((name) => server?.audience === `repository:${name}`),
  );
  const store = closest ?? candidates.find(({ isReadOnly }) => !isReadOnly) ?? candidates[0];
  // Whoever writes for the first time should not have to make a place for it; what has no type is not written.
  if (!store && kind === "user")
    return {
      store: isDryRun || !policy ? userStoreToBe(place) : await makeStore(place, "user"),
    };
  if (!store)
    throw new HeedError("no-store", `there is no ${kind} store here: ${HOW_TO_GET[kind]}`, { store: kind });
  if (store.isTrusted) return { store };
  return {
    refusal: {
      gate: "store-trust",
      reason: `the ${kind} store ${store.root} was not made on this machine: nothing is written to it without asking`,
      remedy: 'review it and run `heed inbox trust`, or write with store "user"',
      proposal: { store: "user" },
    },
  };
}
