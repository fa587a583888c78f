import { localDay } from "../curate/calendar-day.ts";
import type { GateContext } from "../curate/gate.ts";
import { Inbox } from "../curate/inbox.ts";
import { readInstructions } from "../curate/read-instructions.ts";
import type { GatesAnswer } from "../curate/run-gates.ts";
import { runGates } from "../curate/run-gates.ts";
import type { RemovedSibling, Sibling } from "../curate/sibling.ts";
import { wordsOf } from "../curate/words-of.ts";
import type { Actor } from "../memory/actor.ts";
import type { MemoryDraft } from "../memory/memory-draft.ts";
import { findProjectRoot } from "../store/find-stores.ts";
import type { StoredMemory } from "../store/scan-store.ts";
import type { MemoryStore } from "../store/memory-store.ts";
import type { Workspace } from "./workspace.ts";

/** A draft on its way into a store. */
export interface Case {
  draft: MemoryDraft;
  actor: Actor;
  store: MemoryStore;
  /** The memory that the draft changes. */
  current: StoredMemory | undefined;
  /** The live memories of the store. */
  memories: readonly StoredMemory[];
  /** The user has given their word on it. */
  isConfirmed: boolean;
}

/** So many memories that resemble a draft are compared in full. */
const MAX_COMPARED = 20;

/**
 * Asks all gates about a draft. A change of a memory is not blamed for what the memory was like before: what the
 * gates say of the unchanged one is left out.
 */
export async function judge(workspace: Workspace, subject: Case): Promise<GatesAnswer> {
  const context = contextOf(workspace, subject);
  const answer = await runGates(subject.draft, context);
  if (!subject.current || answer.refusals.length === 0) return answer;
  const before = await runGates(draftOfMemory(subject.current), context);
  const old = new Set(before.refusals.map(({ gate, reason }) => `${gate}\n${reason}`));
  return {
    ...answer,
    refusals: answer.refusals.filter(({ gate, reason }) => !old.has(`${gate}\n${reason}`)),
  };
}

/** A stored memory as the draft that would write it anew. */
export function draftOfMemory({ card, body }: StoredMemory): MemoryDraft {
  const {
    type,
    name,
    description,
    tags,
    aliases,
    trigger,
    confidence,
    source,
    status,
    salience,
    links,
    expires,
  } = card;
  return {
    type,
    name,
    description,
    body,
    tags,
    aliases,
    trigger,
    confidence,
    source,
    status,
    salience,
    links,
    ...(expires !== undefined && { expires }),
  };
}

function contextOf(
  workspace: Workspace,
  { draft, actor, store, current, memories, isConfirmed }: Case,
): GateContext {
  const { types } = workspace.find();
  const root = findProjectRoot(workspace.cwd);
  return {
    actor,
    isConfirmed,
    types,
    policy: types.get(draft.type),
    today: localDay(workspace.now()),
    current: current && siblingOf(current),
    siblings: likeliest(
      draft,
      memories.filter(({ card }) => card.id !== current?.card.id),
    ).map(siblingOf),
    removed: removedSiblings(workspace, store),
    knownTags: [...new Set(memories.flatMap(({ card }) => card.tags))],
    instructions: root === undefined ? [] : readInstructions(root),
  };
}

/** The memories worth a full comparison: those whose descriptions share most words, and those that share tags. */
function likeliest(draft: MemoryDraft, memories: readonly StoredMemory[]): StoredMemory[] {
  const words = wordsOf(draft.description);
  return memories
    .map((memory) => {
      const others = wordsOf(memory.card.description);
      const shared = [...words].filter((word) => others.has(word)).length / Math.max(1, words.size);
      const tags = (draft.tags ?? []).filter((tag) => memory.card.tags.includes(tag)).length;
      return { memory, likeness: shared + (tags >= 2 ? 0.1 * tags : 0) };
    })
    .filter(({ likeness }) => likeness > 0.15)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_COMPARED)
    .map(({ memory }) => memory);
}

function siblingOf({ card, body }: StoredMemory): Sibling {
  const { id, name, description, type, tags } = card;
  return { id, name, description, type, tags, body };
}

function removedSiblings(workspace: Workspace, store: MemoryStore): RemovedSibling[] {
  const removed = store.listTombstones().map(({ memory, reason, removed: date }): RemovedSibling => {
    const { name, description } = memory.card;
    return { name, description, body: memory.body, reason, date, isRejected: false };
  });
  const rejected = new Inbox(workspace.places, workspace.find().types)
    .listRejected()
    .map(({ memory, reason, date }): RemovedSibling => {
      const { name, description, body } = memory;
      return { name, description, body, reason, date, isRejected: true };
    });
  return [...removed, ...rejected];
}
