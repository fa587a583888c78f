import type { Candidate } from "../../inject/select-facts.ts";
import { handleOf } from "../../memory/handle.ts";
import { areVersions } from "../../recall/are-versions.ts";
import { areRelatives, differenceOf, termsOfStatement } from "../../recall/difference.ts";

/** Of so many relatives, none of which the prompt singles out, none is told: it asks about none of them. */
const MANY = 3;

/**
 * Of a family only the member that the prompt singles out by a word of its own is told: "the runbook for billing" brings
 * one of five runbooks. Two versions of one fact are no family: they are told beside each other, marked.
 */
export function singleOut(prompt: string, candidates: readonly Candidate[]): Candidate[] {
  const asked = termsOfStatement(prompt);
  const known = candidates.map((candidate) => {
    const { name, description, aliases, trigger } = candidate.card;
    return {
      candidate,
      terms: termsOfStatement(description),
      head: termsOfStatement([name, description, ...aliases, ...trigger].join(" ")),
    };
  });
  return known.map(({ candidate, terms, head }): Candidate => {
    if (candidate.form === "none") return candidate;
    const relatives = known.filter(
      (other) =>
        other.candidate !== candidate &&
        other.candidate.card.type === candidate.card.type &&
        areRelatives(differenceOf(terms, other.terms)) &&
        !areVersions(candidate.card.description, other.candidate.card.description) &&
        !areVersions(other.candidate.card.description, candidate.card.description),
    );
    const isSaid = (own: ReadonlyMap<string, string>, others: readonly (typeof known)[number][]): boolean =>
      [...own.keys()].some((term) => asked.has(term) && others.some((other) => !other.head.has(term)));
    if (relatives.length === 0 || isSaid(head, relatives)) return candidate;
    const meant = relatives.find((other) =>
      [...other.head.keys()].some((term) => asked.has(term) && !head.has(term)),
    );
    if (meant === undefined && relatives.length + 1 < MANY) return candidate;
    const reason =
      meant === undefined
        ? `one of ${relatives.length + 1} look-alikes, of which the prompt singles out none`
        : `the prompt singles out ${handleOf(meant.candidate.card)}, which is like it`;
    return { ...candidate, form: "none", reason };
  });
}
