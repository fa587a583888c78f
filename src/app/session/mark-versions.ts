import type { Candidate } from "../../inject/select-facts.ts";
import { handleOf } from "../../memory/handle.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import { areVersions } from "../../recall/are-versions.ts";
import type { FactSituation } from "./situation.ts";

/**
 * Old and new wordings of one fact match a prompt alike, and no score tells them apart. A memory that another one says
 * it supersedes is not told; of two that say something alike, the newer goes first, and the older one is marked so.
 */
export function markVersions(candidates: readonly Candidate[], situation: FactSituation): Candidate[] {
  const current = candidates.map((candidate): Candidate => {
    if (candidate.form === "none") return candidate;
    const newer = supersederOf(candidate.card, situation);
    if (newer === undefined) return candidate;
    return { ...candidate, form: "none", reason: `superseded by ${handleOf(newer)}` };
  });
  const told = current.filter(({ form }) => form !== "none");
  const ordered = [...current];
  for (const [place, first] of told.entries()) {
    for (const second of told.slice(place + 1)) {
      if (first.card.type !== second.card.type || timeOf(first.card) === timeOf(second.card)) continue;
      const isInOrder = timeOf(first.card) > timeOf(second.card);
      const [newer, older] = isInOrder ? [first, second] : [second, first];
      if (!areVersions(newer.card.description, older.card.description)) continue;
      const at = ordered.findIndex(({ card }) => card === older.card);
      const marked = { ...(ordered[at] as Candidate), olderThan: newer.card };
      ordered.splice(at, 1);
      // Behind the newer one, wherever that stands: what is told first is taken first.
      const newerAt = ordered.findIndex(({ card }) => card === newer.card);
      ordered.splice(isInOrder ? at : newerAt + 1, 0, marked);
    }
  }
  return ordered;
}

/** A memory that says it takes the place of another one, and is itself in force. */
export function supersederOf(card: MemoryCard, { collection }: FactSituation): MemoryCard | undefined {
  const handles = [card.id, card.name, handleOf(card)];
  return handles
    .flatMap((handle) => collection.readers.flatMap((reader) => reader.cardsLinkingTo(handle)))
    .find(
      (other) =>
        memoryKey(other) !== memoryKey(card) &&
        other.status !== "superseded" &&
        other.links.some(({ rel, to }) => rel === "supersedes" && handles.includes(to)),
    );
}

/** The day on which a memory was last written; empty when it does not say. */
function timeOf(card: MemoryCard): string {
  return card.updated ?? card.created ?? "";
}
