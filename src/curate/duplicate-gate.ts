import type { GateRefusal, NearDuplicate } from "../memory/gate-refusal.ts";
import type { MemoryDraft } from "../memory/memory-draft.ts";
import { slugOf } from "../memory/slug.ts";
import type { Gate, GateContext, GateAnswer } from "./gate.ts";
import type { RemovedSibling, Sibling } from "./sibling.ts";
import { repeatsRejectedChange } from "./repeats-rejected-change.ts";
import { NEAR_DUPLICATE, similarityOf } from "./similarity.ts";

/** So many are shown at most. */
const SHOWN = 3;

/**
 * Shows memories that the draft repeats or contradicts, live and removed. Nothing is merged in silence: the writer
 * amends the other memory, says how the two relate, or asks for a memory of its own (`isDistinct`).
 */
export const duplicateGate: Gate = {
  name: "duplicate",
  check(draft: MemoryDraft, context: GateContext): GateAnswer {
    const refusals = [
      refuseRejectedChange(draft, context),
      refuseRemoved(draft, context),
      ...refuseLive(draft, context),
    ].filter((refusal) => refusal !== undefined);
    return refusals.length > 0 ? { refusals } : {};
  },
};

interface Likeness<T> {
  other: T;
  value: number;
  opposition: string | undefined;
}

function refuseLive(draft: MemoryDraft, context: GateContext): GateRefusal[] {
  if (draft.isDistinct) return [];
  const linked = new Set((draft.links ?? []).map(({ to }) => to));
  const alike = context.siblings
    .filter(({ id, name }) => id !== context.current?.id && !linked.has(name) && !linked.has(id))
    .map((other): Likeness<Sibling> => ({ other, ...similarityOf(draft, other) }))
    .filter(({ value }) => value >= NEAR_DUPLICATE)
    .sort((a, b) => b.value - a.value)
    .slice(0, SHOWN);
  const opposed = alike.filter(({ opposition }) => opposition !== undefined);
  const same = alike.filter(({ opposition }) => opposition === undefined);
  const refusals: GateRefusal[] = [];
  const [first] = same;
  if (first)
    refusals.push({
      gate: "duplicate",
      reason: `it says much the same as ${first.other.name}: "${first.other.description}"`,
      remedy: `if this adds something, update ${first.other.name} by it; if it is another matter, set isDistinct`,
      duplicates: same.map(shown),
    });
  const [contradicted] = opposed;
  if (contradicted)
    refusals.push({
      gate: "contradiction",
      reason: `this says "${oneLine(draft.description)}", and ${contradicted.other.name} says "${oneLine(contradicted.other.description)}": ${contradicted.opposition}`,
      remedy: `decide by what they mean: if this is so now and that no longer, link to ${contradicted.other.name} with rel "supersedes" (it is kept, and marked as older); if both hold, of two things, set isDistinct; if you cannot tell, ask the user which holds`,
      duplicates: opposed.map(shown),
    });
  return refusals;
}

function refuseRemoved(draft: MemoryDraft, context: GateContext): GateRefusal | undefined {
  const name = slugOf(draft.name ?? draft.description);
  const isPerson = context.actor.kind === "person";
  const alike = context.removed
    .map((other) => ({ other, ...likenessTo(draft, name, other) }))
    .filter(({ value, opposition }) => value >= NEAR_DUPLICATE && opposition === undefined)
    // What the user rejected is not proposed again by anybody else, not even as a memory of its own, before they say it anew.
    .filter(
      ({ other, value }) =>
        !draft.isDistinct ||
        (other.rejectedBy === "person" && !isPerson && !context.isConfirmed && value >= 0.9),
    )
    .sort((a, b) => b.value - a.value)
    .slice(0, SHOWN);
  const [first] = alike;
  if (!first) return undefined;
  const { other } = first;
  return {
    gate: "duplicate",
    reason: `${droppedBy(other)}${other.date ? ` on ${other.date.slice(0, 10)}` : ""}: "${other.description}" (${other.reason || "no reason given"})`,
    remedy:
      other.rejectedBy !== undefined
        ? isPerson || other.rejectedBy !== "person"
          ? "set isDistinct if it holds now"
          : "do not propose it again; the user can write it with `heed write`"
        : `restore ${other.name} if it holds again; if it is another matter, set isDistinct`,
    duplicates: alike.map(shown),
  };
}

/** A change that the user rejected is not proposed again, in whatever words around it. */
function refuseRejectedChange(draft: MemoryDraft, context: GateContext): GateRefusal | undefined {
  const { current, actor } = context;
  if (!current || actor.kind === "person" || context.isConfirmed) return undefined;
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

/** Who dropped it, in words: what a model or nobody's answer dropped is not laid at the user's door. */
function droppedBy({ rejectedBy }: RemovedSibling): string {
  if (rejectedBy === undefined) return "it was removed";
  if (rejectedBy === "person") return "the user rejected it";
  return rejectedBy === "model" ? "a model rejected it" : "nobody confirmed it, and it was dropped";
}

function likenessTo(
  draft: MemoryDraft,
  name: string,
  other: RemovedSibling,
): { value: number; opposition: string | undefined } {
  const likeness = similarityOf(draft, other);
  return name === slugOf(other.name)
    ? { value: Math.max(likeness.value, NEAR_DUPLICATE), opposition: undefined }
    : likeness;
}

function shown({ other, value }: Likeness<Sibling | RemovedSibling>): NearDuplicate {
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
