import { inboxOf } from "../here/consent/inbox.ts";
import { type Collection, openCollection } from "../here/collection.ts";
import type { Place } from "../here/place.ts";
import type { GatePass } from "./memory-writer.ts";
import { type WriteConsent, consentOf } from "./write-consent.ts";
import type { Write } from "./memory-of-draft.ts";
import {
  amendmentGate,
  derivableGate,
  hostileGate,
  readInstructions,
  refuseSecret,
  relativeDatesGate,
} from "./gates/text-gates.ts";
import type { Gate, GateContext, RemovedSibling, Sibling } from "./gates/gate.ts";
import { handleOf, plainHandle, slugOf, plainWords } from "../memory/handle.ts";
import { withoutQuotations } from "../memory/codec/sections.ts";
import { differenceOf, termsOfStatement } from "../search/difference.ts";
import { rememberLast } from "../search/relevance-signals.ts";
import { schemaGate, tagsGate } from "./gates/schema-gate.ts";
import type { GateRefusal, MemoryDraft, MemoryMetadata, NearMemory, StoreKind } from "../memory/memory.ts";
import { draftOf, isSameText, memoryIn } from "../memory/memory.ts";
import { localDay } from "../machine/read-fields.ts";
import { search } from "../search/search.ts";
import { findProjectRoot } from "../store/find-stores.ts";
import type { StoreReader } from "../store/store-reader.ts";

/** In order: is it a memory, may it hold this, how are dates written, does it lose text. Each sees what the last one left. */
const GATES: readonly Gate[] = [
  schemaGate,
  hostileGate,
  relativeDatesGate,
  derivableGate,
  amendmentGate,
  tagsGate,
];

/** What is there before a write. One for all writes of one call. */
export interface Stock extends Pick<GateContext, "today" | "removed" | "knownTags" | "instructions"> {
  collection: Collection;
  memories: readonly MemoryMetadata[];
}

export interface Checked extends Pick<WriteConsent, "door" | "by" | "quoted"> {
  draft: MemoryDraft;
  refusals: GateRefusal[];
  warnings: string[];
  pending?: string | undefined;
  near: NearMemory[];
  pass?: GatePass;
}

const MAX_COMPARED = 20;
const MAX_TAGGED = 5;
const MAX_QUERY_CHARS = 600;

export async function stockOf(place: Place, store: StoreReader, opened?: Collection): Promise<Stock> {
  const collection = opened ?? (await openCollection(place, { thoroughness: "full" }));
  const memories = collection.memories().filter(({ storeId }) => storeId === store.ref.id);
  const root = findProjectRoot(place.cwd);
  const removed = store.listTombstones().map(({ memory, reason, removed: date }): RemovedSibling => {
    const { name, statement } = memory.metadata;
    return { name, statement, body: memory.body, reason, date };
  });
  const rejected = inboxOf(place).listRejected();
  return {
    collection,
    memories,
    today: localDay(place.now()),
    removed: [...removed, ...rejected.map(({ memory, ...rest }) => ({ ...memory, ...rest }))],
    knownTags: [...new Set(memories.flatMap(({ tags }) => tags))],
    instructions: root === undefined ? [] : readInstructions(root),
  };
}

/** Asks for the door and all gates at once. Of what was there before only a secret is refused. */
export async function checkDraft(place: Place, write: Write, stock: Stock): Promise<Checked> {
  const { actor, current, text, isConfirmed = false } = write;
  const refused = (refusal: GateRefusal): Checked => {
    return { draft: write.draft, refusals: [refusal], warnings: [], near: [] };
  };
  // Before its words are looked for in a turn, which is recorded without secrets.
  const secret = refuseSecret(write.draft, text);
  if (secret) return refused(secret);
  const { draft, refusal, waits, ...consent } = consentOf(place, write, stock.collection.memories());
  if (refusal) return refused(refusal);
  const context: GateContext = {
    ...stock,
    actor,
    isConfirmed,
    types: place.types,
    policy: place.types.get(draft.type),
    current: current && memoryIn(current),
    isUsersWord: isConfirmed || waits !== undefined || consent.door !== undefined,
    text,
    siblings: await likeliest(place, { ...write, draft }, stock),
    ...(write.isFromInstructions === true && { instructions: [] }),
  };
  const isAsked = actor.kind !== "person" && !isConfirmed && consent.door === undefined;
  const rejected = isAsked ? refuseRejected(draft, context) : undefined;
  if (rejected) return refused(rejected);
  const answer = runGates(draft, context);
  let { refusals } = answer;
  if (refusals.length > 0 && context.current && current) {
    const before = runGates(draftOf(memoryIn(current)), context).refusals;
    refusals = refusals.filter(
      (one) => !before.some(({ gate, reason }) => gate === one.gate && reason === one.reason),
    );
  }
  return {
    ...answer,
    ...consent,
    refusals,
    pending: [waits, answer.pending].filter((reason) => reason !== undefined).join("; ") || undefined,
    near: nearMemories(answer.draft, context),
    ...(refusals.length === 0 && { pass: passOf(answer.draft, text !== undefined) }),
  };
}

function passOf({ statement, body }: MemoryDraft, isWholeText: boolean): GatePass {
  return { statement: statement.trim(), body: body.trim(), isWholeText } as GatePass;
}

function runGates(
  given: MemoryDraft,
  context: GateContext,
): Pick<Checked, "draft" | "refusals" | "warnings" | "pending"> {
  const refusals: GateRefusal[] = [];
  const warnings: string[] = [];
  let draft = given;
  let pending: string | undefined;
  for (const gate of GATES) {
    const said = gate.check(draft, context);
    refusals.push(...(said.refusals ?? []));
    warnings.push(...(said.warnings ?? []));
    draft = said.draft ?? draft;
    pending ??= said.pending;
  }
  return { draft, refusals, warnings, pending };
}

async function likeliest(
  place: Place,
  { draft, store, current }: Write,
  { collection, memories }: Stock,
): Promise<Sibling[]> {
  const { tags = [] } = draft;
  const found = search(collection.readers, {
    text: `${draft.statement}\n${draft.body.slice(0, MAX_QUERY_CHARS)}`,
    syntax: "prompt",
    limit: MAX_COMPARED,
    admits: ({ storeId }) => storeId === store.ref.id,
  });
  const tagged = memories
    .map((metadata) => ({ metadata, shared: tags.filter((tag) => metadata.tags.includes(tag)).length }))
    .filter(({ shared }) => shared >= 2)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MAX_TAGGED);
  const siblings = new Map<string, Sibling>();
  for (const { metadata } of [...found.hits, ...tagged]) {
    const { id, type, status, flags } = metadata;
    // A record of a session repeats what was said in it: it is nobody's duplicate.
    const isEpisode = place.types.get(type)?.layer === "episodic";
    if (siblings.has(id) || id === current?.metadata.id || isEpisode) continue;
    if (status === "superseded" || flags !== undefined) continue;
    if (!holdsBeside(place, metadata, store.ref.kind, current?.metadata)) continue;
    const read = await collection.read(metadata);
    if (read) siblings.set(id, memoryIn(read));
  }
  return [...siblings.values()];
}

export function holdsBeside(
  place: Place,
  { scope }: MemoryMetadata,
  storeKind: StoreKind,
  current?: MemoryMetadata,
): boolean {
  if (scope.repo === undefined || storeKind === "project") return true;
  if (current?.scope.repo !== undefined) return current.scope.repo === scope.repo;
  return place.here().isRepositoryHere(scope.repo);
}

const SHOWN = 3;
const MAX_BODY_CHARS = 600;
/** Facts that share this many tags are near, whatever their words. */
const SHARED_TAGS = 2;

/** Memories, live and removed, that a new statement resembles or shares tags with, the nearest first; not those that it names. */
export function nearMemories(draft: MemoryDraft, context: GateContext): NearMemory[] {
  const { current, siblings, removed } = context;
  if (current?.statement === draft.statement) return [];
  const named = new Set([draft.relation, ...(draft.links ?? [])].map((one) => one && plainHandle(one.to)));
  const isOther = ({ name }: Sibling | RemovedSibling): boolean => !named.has(name);
  const all: (Sibling | RemovedSibling)[] = [
    ...siblings.filter((other) => isOther(other) && !named.has(other.id)),
    ...removed.filter(isOther),
  ];
  const isNear = (other: Sibling | RemovedSibling): boolean =>
    "date" in other
      ? slugOf(other.name) === slugOf(draft.name ?? draft.statement)
      : sharesTags(draft, other, context);
  return all
    .map((other) => ({ other, similarity: similarityOf(draft, other) }))
    .filter(({ other, similarity }) => similarity >= NEAR || isNear(other))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, SHOWN)
    .map(({ other, similarity }) => ({
      name: other.name,
      statement: other.statement,
      ...(saysMore(other) && { body: other.body.trim().slice(0, MAX_BODY_CHARS) }),
      similarity,
      ...("date" in other && { removed: endOf(other) }),
    }));
}

function sharesTags({ tags = [] }: MemoryDraft, other: Sibling, { types, policy }: GateContext): boolean {
  const areFacts = policy?.layer === "semantic" && types.get(other.type)?.layer === "semantic";
  return areFacts && tags.filter((tag) => other.tags.includes(tag)).length >= SHARED_TAGS;
}

function saysMore({ statement, body }: { statement: string; body: string }): boolean {
  return plainWords(withoutQuotations(body)) !== plainWords(statement);
}

/** How it ended, and why: what a model or nobody's answer dropped is not laid at the user's door. */
function endOf({ by, date, reason }: RemovedSibling): string {
  const how =
    by === undefined
      ? "removed"
      : by === "person"
        ? "rejected by the user"
        : by === "model"
          ? "rejected by a model"
          : "dropped, as nobody confirmed it";
  return `${how}${date ? ` on ${date.slice(0, 10)}` : ""}: ${reason || "no reason given"}`;
}

/** Refuses what the user rejected before, in the same words, unless they say it again: nobody is asked twice. */
export function refuseRejected(
  draft: MemoryDraft,
  { current, removed }: Pick<GateContext, "current" | "removed">,
): GateRefusal | undefined {
  const saysNew = !current || !isSameText(current, draft);
  const found = removed.find(
    (other) =>
      saysNew &&
      other.by === "person" &&
      other.target === current?.id &&
      isSameStatement(other.statement, draft.statement) &&
      (!current || plainWords(withoutQuotations(other.body)) === plainWords(withoutQuotations(draft.body))),
  );
  return (
    found && {
      gate: "user-word",
      reason: `${current ? `this change of ${handleOf(current)}` : "it"} was ${endOf(found)}`,
      remedy: "it is not proposed again, unless a quote of the user says it now",
    }
  );
}

/** Whether a draft says nothing that a memory of the same statement does not say: the user's words and the reason aside. */
export function repeatsText(
  draft: { statement: string; body: string },
  known: { statement: string; body: string },
): boolean {
  return plainWords(`${known.statement}\n${known.body}`).includes(plainWords(withoutQuotations(draft.body)));
}

/** The same statement but for white space, the first letter's case and a full stop. */
export function isSameStatement(a: string, b: string): boolean {
  return foldStatement(a) === foldStatement(b);
}

export function foldStatement(text: string): string {
  const plain = text
    .normalize("NFKC")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[.!]+$/, "");
  return plain.slice(0, 1).toLowerCase() + plain.slice(1);
}

/** Share of common terms from which a memory is near: finds 61 of 64 pairs, and 10 of 875 memories of 35 stores. */
const NEAR: number = 0.4;

/** Fewer terms in common say nothing, whatever their share. */
const MIN_SHARED = 2;

const termsOf = rememberLast(termsOfStatement);

function similarityOf(a: { statement: string }, b: { statement: string }): number {
  if (plainWords(a.statement) === plainWords(b.statement)) return 1;
  const { shared, ofFirst, ofSecond } = differenceOf(termsOf(a.statement), termsOf(b.statement));
  return shareOf(shared.size, shared.size + ofFirst.size + ofSecond.size);
}

function shareOf(shared: number, all: number): number {
  return shared < MIN_SHARED ? 0 : Math.round((100 * shared) / all) / 100;
}

/** Finds the nearest of many statements to one of them, by an index of their terms: comparing each with each takes minutes. */
export function nearestAmong<T extends { statement: string }>(all: readonly T[]): (one: T) => T | undefined {
  const terms = all.map(({ statement }) => [...termsOfStatement(statement).keys()]);
  const words = all.map(({ statement }) => plainWords(statement));
  const places = new Map(all.map((one, at) => [one, at]));
  const having = new Map<string, number[]>();
  for (const [at, own] of terms.entries())
    for (const term of own) {
      const known = having.get(term);
      if (known) known.push(at);
      else having.set(term, [at]);
    }
  return (one) => {
    const own = places.get(one) ?? -1;
    const shared = new Uint32Array(all.length);
    for (const term of terms[own] ?? []) for (const at of having.get(term) ?? []) shared[at]! += 1;
    const valueOf = (at: number): number => {
      if (at === own) return 0;
      const count = shared[at] ?? 0;
      const sum = (terms[own]?.length ?? 0) + (terms[at]?.length ?? 0) - count;
      return words[at] === words[own] ? 1 : shareOf(count, sum);
    };
    let best: { at: number; value: number } | undefined;
    for (const at of all.keys()) {
      const value = valueOf(at);
      if (value >= NEAR && value > (best?.value ?? 0)) best = { at, value };
    }
    return best && all[best.at];
  };
}
