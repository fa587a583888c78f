import type { Candidate } from "../../inject/select-facts.ts";
import { handleOf } from "../../memory/handle.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import type { FactSituation } from "./situation.ts";

/**
 * Tells none of the memories that another one says it supersedes: an old and a new wording match a prompt alike. Only links
 * say so; words do not.
 */
export function withoutSuperseded(candidates: readonly Candidate[], situation: FactSituation): Candidate[] {
  return candidates.map((candidate): Candidate => {
    const newer = candidate.form === "none" ? undefined : supersederOf(candidate.card, situation);
    return newer === undefined
      ? candidate
      : { ...candidate, form: "none", reason: `superseded by ${handleOf(newer)}` };
  });
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
