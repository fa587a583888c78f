import type { GateRefusal, NearDuplicate, MemoryDraft } from "../memory/memory.ts";
import { plainHandle, slugOf, plainWords } from "../memory/handle.ts";
import type { Gate, GateContext, GateAnswer, RemovedSibling, Sibling } from "./gate.ts";
import { differenceOf, termsOfStatement } from "../recall/difference.ts";
import { rememberLast } from "../recall/relevance-signals.ts";

const SHOWN = 3;

/**
 * Shows the writer the memories, live and removed, that a new one resembles, and asks for their `relation`.
 * heed only compares words. Hooks and imports cannot answer: they are refused only what exists in the same
 * words.
 */
export const duplicateGate: Gate = {
  name: "duplicate",
  check(draft: MemoryDraft, context: GateContext): GateAnswer {
    const refusals = [
      refuseRejectedChange(draft, context),
      ...(context.current ? [] : [refuseRemoved(draft, context), refuseLive(draft, context)]),
    ].filter((refusal) => refusal !== undefined);
    if (refusals.length === 0) return {};
    // The user has seen it as it is, and wants it.
    return context.isConfirmed && context.actor.kind !== "import"
      ? { warnings: refusals.map(({ reason }) => reason) }
      : { refusals };
  },
};

function refuseLive(draft: MemoryDraft, { siblings, actor }: GateContext): GateRefusal | undefined {
  const canAnswer = actor.kind === "model" || actor.kind === "person";
  const near = nearestOf(draft, canAnswer ? siblings : siblings.filter((other) => isSame(draft, other)));
  const isAnswered =
    draft.relation?.kind === "adds" ||
    isLinked(draft, near) ||
    near.some(({ other }) => isMeant(draft, other));
  if (near.length === 0 || isAnswered) return undefined;
  const named = near.map(({ other }) => `heed:${other.name} ("${oneLine(other.description)}")`);
  return {
    gate: "duplicate",
    reason: `it resembles ${named.join(", ")}`,
    remedy:
      "say how they relate: relation {kind, to: the handle}. " +
      '"replaces" changes that memory to this, "adds" keeps both and links them, "distinct" keeps both as two matters; "repeats", with a quote, writes nothing: a rule of theirs was broken, and they had to say it again',
    duplicates: near.map(shown),
  };
}

function refuseRemoved(draft: MemoryDraft, { removed, actor }: GateContext): GateRefusal | undefined {
  const name = slugOf(draft.name ?? draft.description);
  const near = nearestOf(draft, removed, ({ name: other }) => slugOf(other) === name);
  const isPerson = actor.kind === "person";
  // What the user rejected is not proposed again by anybody else, whatever they say of it.
  const [first] = near.filter(
    ({ other }) =>
      !near.some((one) => isMeant(draft, one.other)) ||
      (other.rejectedBy === "person" && !isPerson && isSame(draft, other)),
  );
  if (!first) return undefined;
  const { other } = first;
  const isWritable = other.rejectedBy === undefined || other.rejectedBy !== "person" || isPerson;
  const tryAgain = `write it with relation {kind: "distinct", to: "${other.name}"}`;
  return {
    gate: "duplicate",
    reason: `${droppedBy(other)}${other.date ? ` on ${other.date.slice(0, 10)}` : ""}: "${other.description}" (${other.reason || "no reason given"})`,
    remedy: !isWritable
      ? "do not propose it again; the user can write it with `heed write`"
      : other.rejectedBy === undefined
        ? `restore ${other.name} if it holds again; if it is about something else, ${tryAgain}`
        : `if it holds now, ${tryAgain}`,
    duplicates: near.map(shown),
  };
}

/** A change that the user rejected is not proposed again, in whatever words around it. */
function refuseRejectedChange(draft: MemoryDraft, context: GateContext): GateRefusal | undefined {
  const { current, actor } = context;
  if (!current || actor.kind === "person") return undefined;
  const found = context.removed.find(
    (other) =>
      other.target === current.id &&
      other.rejectedBy === "person" &&
      repeatsRejectedChange(draft, current, other),
  );
  return (
    found && {
      gate: "duplicate",
      reason: `the user rejected this change of ${current.name}${found.date ? ` on ${found.date.slice(0, 10)}` : ""}: "${found.description}" (${found.reason || "no reason given"})`,
      remedy: "do not propose it again; the user can write it with `heed write`",
    }
  );
}

interface Near<T> {
  other: T;
  value: number;
}

/** Those that share most of their words with a draft, the nearest first, at most three. */
export function nearestOf<T extends { description: string }>(
  draft: { description: string },
  others: readonly T[],
  isNear: (other: T) => boolean = () => false,
): Near<T>[] {
  return others
    .map((other) => ({ other, value: isSame(draft, other) ? 1 : similarityOf(draft, other) }))
    .filter(({ other, value }) => value >= NEAR || isNear(other))
    .sort((a, b) => b.value - a.value)
    .slice(0, SHOWN);
}

/** In the same words, whatever the marks between them. */
function isSame(a: { description: string }, b: { description: string }): boolean {
  return plainWords(a.description) === plainWords(b.description);
}

function isMeant({ relation }: MemoryDraft, { name, id }: { name: string; id?: string }): boolean {
  const to = relation && plainHandle(relation.to);
  return to !== undefined && (to === name || to === id);
}

/** Whoever links two memories has decided about them. */
function isLinked({ links = [] }: MemoryDraft, near: readonly Near<Sibling>[]): boolean {
  const linked = new Set(links.map(({ to }) => plainHandle(to)));
  return near.some(({ other }) => linked.has(other.name) || linked.has(other.id));
}

/** Who dropped it, in words: what a model or nobody's answer dropped is not laid at the user's door. */
function droppedBy({ rejectedBy }: RemovedSibling): string {
  if (rejectedBy === undefined) return "it was removed";
  if (rejectedBy === "person") return "the user rejected it";
  return rejectedBy === "model" ? "a model rejected it" : "nobody confirmed it, and it was dropped";
}

function shown({ other, value }: Near<Sibling | RemovedSibling>): NearDuplicate {
  return {
    name: other.name,
    description: other.description,
    similarity: value,
    ...("date" in other && { removed: { reason: other.reason, date: other.date } }),
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, 200);
}

interface Wording {
  description: string;
  body: string;
}

/** Dates, case and punctuation do not count. */
function repeatsRejectedChange(changed: Wording, current: Wording, rejected: Wording): boolean {
  const known = statementsOf(current);
  const added = [...statementsOf(changed)].filter((statement) => !known.has(statement));
  const refused = statementsOf(rejected);
  return added.length > 0 && added.every((statement) => refused.has(statement));
}

function statementsOf({ description, body }: Wording): Set<string> {
  const statements = `${description}\n${body}`
    .toLowerCase()
    .replace(/\b\d{4}-\d\d-\d\d\b/g, " ")
    .split(/[.!?](?=\s|$)|\n/)
    .map((statement) => statement.replace(/[^\p{L}\p{N}]+/gu, " ").trim());
  return new Set(statements.filter((statement) => statement !== ""));
}

/**
 * Share of common terms from which the writer is asked. It finds 61 of 64 handmade pairs on one topic, and
 * asks about 10 of the 875 memories of 35 real stores.
 */
const NEAR: number = 0.4;

/** Fewer terms in common say nothing, whatever their share. */
const MIN_SHARED = 2;

/** The last ones are remembered: each is compared with many. */
const termsOf = rememberLast(termsOfStatement);

function similarityOf(a: { description: string }, b: { description: string }): number {
  const { shared, ofFirst, ofSecond } = differenceOf(termsOf(a.description), termsOf(b.description));
  return shareOf(shared.size, shared.size + ofFirst.size + ofSecond.size);
}

function shareOf(shared: number, all: number): number {
  return shared < MIN_SHARED ? 0 : Math.round((100 * shared) / all) / 100;
}

/** Finds the nearest of many statements to one of them, by an index of their terms: comparing each with each takes minutes. */
export function nearestAmong<T extends { description: string }>(
  all: readonly T[],
): (one: T) => T | undefined {
  const terms = all.map(({ description }) => [...termsOfStatement(description).keys()]);
  const words = all.map(({ description }) => plainWords(description));
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
