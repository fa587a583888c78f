import type { Candidate } from "../../inject/select-facts.ts";
import { handleOf } from "../../memory/handle.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { rememberLast } from "../../recall/remember-last.ts";
import { areRelatives, differenceOf, termsOfStatement } from "../../recall/difference.ts";

/** Of so many relatives, none of which the prompt singles out, none is told: it asks about none of them. */
const MANY = 3;

/** The last ones are remembered: each candidate is compared with all others. */
const termsOf = rememberLast(termsOfStatement);

/**
 * Of a family only the member that the prompt singles out by a word of its own is told: "the runbook for billing" brings
 * one of five runbooks.
 */
export function singleOut(prompt: string, candidates: readonly Candidate[]): Candidate[] {
  // Most prompts bring nothing, and a comparison costs as much as the search.
  if (candidates.every(({ form }) => form === "none")) return [...candidates];
  const asked = termsOfStatement(prompt);
  const isAsked = (term: string): boolean => asked.has(term);
  return candidates.map((candidate): Candidate => {
    if (candidate.form === "none") return candidate;
    const head = headOf(candidate.card);
    const relatives = candidates.filter(
      (other) => other !== candidate && areOfOneFamily(candidate.card, other.card),
    );
    if (relatives.length === 0) return candidate;
    const isSaid = head
      .filter(isAsked)
      .some((term) => relatives.some((other) => !headOf(other.card).includes(term)));
    if (isSaid) return candidate;
    const meant = relatives.find((other) =>
      headOf(other.card).some((term) => isAsked(term) && !head.includes(term)),
    );
    if (meant === undefined && relatives.length + 1 < MANY) return candidate;
    const reason =
      meant === undefined
        ? `one of ${relatives.length + 1} look-alikes, of which the prompt singles out none`
        : `the prompt singles out ${handleOf(meant.card)}, which is like it`;
    return { ...candidate, form: "none", reason };
  });
}

/** The terms of all by which a memory can be asked for. */
function headOf({ name, description, aliases, trigger }: MemoryCard): string[] {
  return [...termsOf([name, description, ...aliases, ...trigger].join(" ")).keys()];
}

function areOfOneFamily(card: MemoryCard, beside: MemoryCard): boolean {
  return (
    card.type === beside.type &&
    areRelatives(differenceOf(termsOf(card.description), termsOf(beside.description)))
  );
}
