import { handleOf } from "../memory/memory.ts";
import type { MemoryCard } from "../memory/memory-card.ts";
import { defuse } from "./fence.ts";

/** A rule with its text, in the order in which it should stand. */
export interface Rule {
  card: MemoryCard;
  body: string;
}

const SALIENCE_ORDER = { high: 0, medium: 1, low: 2 };

/** Rules by salience, then narrower scope first, then newer, then name. */
export function orderRules(rules: readonly Rule[]): Rule[] {
  const breadth = ({ card }: Rule): number =>
    card.scope.paths.length > 0 ? 0 : card.scope.branch ? 1 : card.scope.repo ? 2 : 3;
  const age = ({ card }: Rule): string => card.updated ?? card.created ?? "";
  return [...rules].sort(
    (a, b) =>
      SALIENCE_ORDER[a.card.salience] - SALIENCE_ORDER[b.card.salience] ||
      breadth(a) - breadth(b) ||
      age(b).localeCompare(age(a)) ||
      a.card.name.localeCompare(b.card.name),
  );
}

/**
 * The block of standing rules: every rule's statement first, then Why and How to apply of as many as the budget
 * allows. When even the statements are too long together, each is shortened to the same length, so that none is lost.
 */
export function renderRules(rules: readonly Rule[], budgetChars: number): string {
  if (rules.length === 0) return "";
  const head = "Standing rules that the user gave and heed keeps. They hold for the whole session:";
  const room = budgetChars - head.length;
  const longest = fittingLength(rules, room);
  const lines = rules.map((rule) => statementOf(rule, longest));
  let used = head.length + lines.join("\n").length + 1;
  for (const [i, rule] of rules.entries()) {
    const reasons = reasonsOf(rule.body);
    if (reasons !== "" && used + reasons.length <= budgetChars) {
      lines[i] += reasons;
      used += reasons.length;
    }
  }
  return [head, ...lines].join("\n");
}

function statementOf({ card }: Rule, maxChars: number): string {
  return `- ${shorten(defuse(card.description), maxChars)} [${handleOf(card)}]`;
}

/** The longest statement length at which all statements fit into the room. */
function fittingLength(rules: readonly Rule[], room: number): number {
  const overhead = rules.reduce((sum, { card }) => sum + handleOf(card).length + 6, 0);
  const lengths = rules.map(({ card }) => card.description.length).sort((a, b) => a - b);
  let left = room - overhead;
  for (const [i, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - i));
    if (length > share) return Math.max(share, 24);
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}

/** The Why and How to apply of a rule, as indented lines. */
function reasonsOf(body: string): string {
  const sections = body.matchAll(/^\*\*(Why|How to apply):?\*\*:?[ \t]*([^\n]*(?:\n(?!\*\*)[^\n]*)*)/gim);
  return [...sections]
    .map((match) => `\n  ${match[1]}: ${defuse((match[2] ?? "").trim().replace(/\s*\n\s*/g, " "))}`)
    .join("");
}

function shorten(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).trimEnd()}…`;
}
