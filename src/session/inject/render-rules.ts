import { handleOf, shortestHandleOf } from "../../memory/handle.ts";
import type { MemoryMetadata } from "../../memory/memory.ts";
import { readSections } from "../../memory/codec/sections.ts";
import {
  MAX_MARK_CHARS,
  isStatementAlone,
  ruleTexts,
  sourceMark,
  whyOf,
} from "../../here/consent/rule-text.ts";
import { compare } from "../../machine/read-fields.ts";
import { cutText, defuseLine } from "../../memory/delimit.ts";

export interface Rule {
  metadata: MemoryMetadata;
  body: string;
  staleness?: string;
  /** Of a shared store: which one, at which commit. */
  source?: string | undefined;
}

/** How much of a rule a block shows: all, what it says, a cut text, or only that it counts. */
export type RuleExtent = "reasons" | "statement" | "shortened" | "counted";

interface RenderedRules {
  text: string;
  extents: RuleExtent[];
}

/** With their reasons, rules take this many characters of a fresh context, and more where their statements need it. */
export const RULE_BUDGET_CHARS: number = 6000;

/** The heading of the rules; also what a reader of the transcript finds them by. */
export const RULES_HEAD: string =
  "Standing rules that the user gave and heed keeps. They hold for the whole session:";

/** A statement shortened below this many characters says too little: then it is counted. */
const MIN_STATEMENT_CHARS: number = 40;
/** A longer statement is cut to this before the start is all that is left of others. */
const LONG_STATEMENT_CHARS = 160;
const LEAST_LINE_CHARS = 8;
const REST_CHARS = 80;

/** The rules in at most `limitChars`, with reasons while `budgetChars` last; texts are cut from the last rule on, then counted. */
export function renderRules(
  rules: readonly Rule[],
  head: string,
  budgetChars: number,
  limitChars: number = budgetChars,
): RenderedRules {
  if (rules.length === 0) return { text: "", extents: [] };
  const shown = rules.slice(0, Math.ceil(limitChars / LEAST_LINE_CHARS));
  const texts = shown.map(ruleTexts);
  const marksBy = (handle: (metadata: MemoryMetadata) => string): string[] =>
    shown.map((rule) => ` [${handle(rule.metadata)}]${marksOf(rule)}`);
  const charsOf = (said: readonly string[], marks: readonly string[]): number =>
    head.length + said.reduce((sum, text, i) => sum + text.length + (marks[i] ?? "").length + 3, 0);
  const said = texts.map(({ whole }) => whole);
  const cores = texts.map(({ core }) => core);
  let marks = marksBy(handleOf);
  if (charsOf(cores, marks) > limitChars) marks = marksBy(shortestHandleOf);
  let over = charsOf(said, marks) - limitChars;
  if (over > 0) over += CUT_NOTE.length + 4;
  // First what goes beyond the statements, then the ends of long ones, then all but the start.
  for (const chars of [0, LONG_STATEMENT_CHARS, MIN_STATEMENT_CHARS])
    for (let i = shown.length - 1; i >= 0 && over > 0; i--) {
      const { core, isBeginning } = texts[i]!;
      const text = said[i]!;
      const least = chars === 0 ? core.length + 1 : chars;
      if (text.length <= least) continue;
      const left = Math.max(least, text.length - over);
      said[i] = chars === 0 && !isBeginning ? core : cutText(text, left);
      over -= text.length - said[i]!.length;
    }
  if (over > 0) {
    const room = limitChars - REST_CHARS;
    let left = room - head.length - CUT_NOTE.length - 4;
    const fitting = said.findIndex((text, i) => (left -= text.length + marks[i]!.length + 3) < 0);
    const block = renderRules(rules.slice(0, fitting), head, budgetChars, room);
    const rest = rules.slice(fitting);
    const note = `${rest.length} more rules do not fit here: memory_search lists them.`;
    return {
      text: `${block.text || head}\n${note}`,
      extents: [...block.extents, ...rest.map((): RuleExtent => "counted")],
    };
  }
  const extents = said.map((text, i): RuleExtent =>
    text.endsWith("…") && text !== texts[i]!.whole ? "shortened" : "statement",
  );
  const lines = said.map((text, i) => `- ${text}${marks[i]}`);
  const cut = extents.filter((extent) => extent === "shortened").length;
  let used = charsOf(said, marks) + (cut > 0 ? CUT_NOTE.length + 4 : 0);
  for (const [i, rule] of rules.entries()) {
    const reasons = reasonsOf(rule);
    if (extents[i] !== "statement" || (reasons !== "" && used + reasons.length > budgetChars)) continue;
    lines[i] += reasons;
    used += reasons.length;
    extents[i] = "reasons";
  }
  return { text: [head, ...lines, ...(cut > 0 ? [`${cut}${CUT_NOTE}`] : [])].join("\n"), extents };
}

/** Ends the block where something of a rule is cut; before it goes the number of rules. */
const CUT_NOTE = " of them are cut, which end in …: memory_show gives each whole by its handle.";

function marksOf(rule: Rule): string {
  if (rule.staleness === undefined) return sourceMark(rule);
  // What a model said that it names is as little the user's word as the rest of its text.
  const words = isStatementAlone(rule.metadata) ? "something it refers to has changed" : rule.staleness;
  return `${sourceMark(rule)} (${cutText(defuseLine(words), MAX_MARK_CHARS)})`;
}

function reasonsOf(rule: Rule): string {
  const sections = isStatementAlone(rule.metadata) ? {} : readSections(rule.body).sections;
  const how = defuseLine(sections["how-to-apply"] ?? "");
  return Object.entries({ Why: whyOf(rule), "How to apply": how })
    .filter(([, text]) => text !== "")
    .map(([label, text]) => `\n  ${label}: ${text}`)
    .join("");
}

const SALIENCE_ORDER = { high: 0, medium: 1, low: 2 };

/** What a memory's place in an order goes by; what is equal falls to the next. Of rules: salience, narrower scope, newer, name. */
export interface OrderKeys {
  metadata: MemoryMetadata;
  /** How often it was of use; default: it does not count. */
  uses?: number;
  isStale?: boolean;
  /** It goes before all others: a day that is near, an invariant, something that was of use. */
  isFirst?: boolean;
}

export function compareInOrder(a: OrderKeys, b: OrderKeys): number {
  return (
    Number(b.isFirst ?? false) - Number(a.isFirst ?? false) ||
    SALIENCE_ORDER[a.metadata.salience] - SALIENCE_ORDER[b.metadata.salience] ||
    (b.uses ?? 0) - (a.uses ?? 0) ||
    Number(a.isStale ?? false) - Number(b.isStale ?? false) ||
    breadthOf(a.metadata) - breadthOf(b.metadata) ||
    compare(ageOf(b.metadata), ageOf(a.metadata)) ||
    compare(a.metadata.name, b.metadata.name)
  );
}

function breadthOf({ scope }: MemoryMetadata): number {
  return scope.paths.length > 0 ? 0 : scope.branch ? 1 : scope.repo ? 2 : 3;
}

function ageOf({ verified = "", updated = "", created = "" }: MemoryMetadata): string {
  const last = updated > created ? updated : created;
  return verified > last ? verified : last;
}
