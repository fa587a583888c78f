import { handleOf, plainWords } from "../memory/handle.ts";
import type { MemoryMetadata } from "../memory/memory.ts";
import type { SectionLabel } from "../memory/codec/sections.ts";
import { readSections, userQuotationIn, withoutQuotationOf } from "../memory/codec/sections.ts";
import { cutText, defuseLine } from "./delimit.ts";
import { MAX_CONTEXT_CHARS } from "./context-parts.ts";

/** A rule with its text. */
export interface Rule {
  metadata: MemoryMetadata;
  body: string;
  /** What in it is no longer so, in a few words. */
  staleness?: string;
}

/** How much of a rule a block shows: all, its statement, a shortened statement, its handle, or only that it counts. */
export type RuleExtent = "reasons" | "statement" | "shortened" | "handle" | "counted";

interface RenderedRules {
  text: string;
  extents: RuleExtent[];
}

/** Rules take this many characters of a fresh context, more only when their statements need it. */
export const RULE_BUDGET_CHARS: number = 6000;

/** The heading of the rules; also what a reader of the transcript finds them by. */
export const RULES_HEAD: string =
  "Standing rules that the user gave and heed keeps. They hold for the whole session:";

/** A statement shortened below this many characters says too little: then the room is widened, at last handles only. */
const MIN_STATEMENT_CHARS: number = 40;

const MAX_STALENESS_CHARS = 160;

/** Rules by salience, then narrower scope first, then newer, then name. */
export function orderRules(rules: readonly Rule[]): Rule[] {
  return rules.toSorted((a, b) => compareInOrder({ metadata: a.metadata }, { metadata: b.metadata }));
}

/** What a rule says, apart from case and punctuation: two rules that say the same are told once. */
export function ruleWords(metadata: MemoryMetadata): string {
  return plainWords(metadata.description);
}

/**
 * The block of rules under a heading: every rule's statement first, then Why and How to apply of as many as
 * `budgetChars` allows, in the order given. When the statements are too long together, each is shortened to the same
 * length, so that none is lost; when that leaves less than MIN_STATEMENT_CHARS each, the room grows to `limitChars`;
 * when even that is too little, the rules are named by their handles.
 */
export function renderRules(
  rules: readonly Rule[],
  head: string,
  budgetChars: number,
  limitChars: number = budgetChars,
): RenderedRules {
  if (rules.length === 0) return { text: "", extents: [] };
  const statements = rules.map(statementOf);
  const handles = rules.map((rule) => `[${handleOf(rule.metadata)}]${staleMark(rule)}`);
  const overhead = head.length + handles.reduce((sum, handle) => sum + handle.length + 4, 0);
  let longest = fittingLength(statements, budgetChars - overhead);
  if (longest < MIN_STATEMENT_CHARS) {
    longest = Math.min(MIN_STATEMENT_CHARS, fittingLength(statements, limitChars - overhead));
  }
  if (longest < MIN_STATEMENT_CHARS) return renderHandles(rules, head, limitChars);
  const extents: RuleExtent[] = statements.map((text) => (text.length > longest ? "shortened" : "statement"));
  // Keeps the user's words rather than the statement: a limit may be said there alone.
  const shortest = rules.map((rule, i) => saidBesides(rule) ?? statements[i] ?? "");
  const lines = statements.map(
    (text, i) => `- ${text.length > longest ? cutText(shortest[i] ?? "", longest) : text} ${handles[i]}`,
  );
  let used = head.length + lines.reduce((sum, line) => sum + line.length + 1, 0);
  for (const [i, rule] of rules.entries()) {
    const reasons = isStatementAlone(rule.metadata) ? "" : reasonsOf(rule.body, statements[i] ?? "");
    if (reasons === "") {
      if (extents[i] === "statement") extents[i] = "reasons";
    } else if (used + reasons.length <= budgetChars && extents[i] === "statement") {
      lines[i] += reasons;
      used += reasons.length;
      extents[i] = "reasons";
    }
  }
  return { text: [head, ...lines].join("\n"), extents };
}

/** Whether the user approved only the statement and their own sentence: the rest is a model's text, and data. */
export function isStatementAlone({ origin: { door } }: Pick<MemoryMetadata, "origin">): boolean {
  return door === "quote" || door === "dialog" || door === "formula";
}

/** The user's sentence on one line, unless it is the statement: a word that either has more is seen ("never"). */
function saidBesides(rule: Rule): string | undefined {
  const said = isStatementAlone(rule.metadata) ? defuseLine(userQuotationIn(rule.body) ?? "") : "";
  return said === "" || plainWords(said) === ruleWords(rule.metadata) ? undefined : said;
}

/** What a rule says in a line: its statement, and beside it the user's sentence where that has other words. */
function statementOf(rule: Rule): string {
  const statement = defuseLine(rule.metadata.description);
  const said = saidBesides(rule);
  if (said === undefined) return statement;
  const isBeginning = statement.endsWith("…") && said.startsWith(statement.slice(0, -1));
  return isBeginning ? said : `${statement} (the user: "${said}")`;
}

function staleMark(rule: Rule): string {
  if (rule.staleness === undefined) return "";
  // What a model said that it names is as little the user's word as the rest of its text.
  const words = isStatementAlone(rule.metadata) ? "something that it names has changed" : rule.staleness;
  return ` (${cutText(defuseLine(words), MAX_STALENESS_CHARS)})`;
}

/** Beyond any room for statements: handles, and where even those do not fit, how many are left out. */
function renderHandles(rules: readonly Rule[], head: string, limitChars: number): RenderedRules {
  const note = "Their statements do not fit here; memory_show gives each by its handle: ";
  const restNote = (count: number): string => `, and ${count} more that memory_search lists`;
  const handles = rules.map(({ metadata }) => handleOf(metadata));
  let used = head.length + 1 + note.length;
  let fitting = 0;
  for (const [i, handle] of handles.entries()) {
    const rest = handles.length - i - 1;
    used += handle.length + (i > 0 ? 2 : 0);
    if (used + (rest > 0 ? restNote(rest).length : 0) > limitChars) break;
    fitting = i + 1;
  }
  const rest = handles.length - fitting;
  return {
    text: `${head}\n${note}${handles.slice(0, fitting).join(", ")}${rest > 0 ? restNote(rest) : ""}`,
    extents: handles.map((_, i) => (i < fitting ? "handle" : "counted")),
  };
}

/** The longest statement length at which all statements fit into the room; infinite when all fit as they are. */
function fittingLength(statements: readonly string[], room: number): number {
  const lengths = statements.map((text) => text.length).sort((a, b) => a - b);
  let left = room;
  for (const [i, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - i));
    if (length > share) return share;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}

const REASONS: readonly { label: string; section: SectionLabel }[] = [
  { label: "Why", section: "why" },
  { label: "How to apply", section: "how-to-apply" },
];

/** The Why and How to apply of a rule, as indented lines; a body without these labels is given as details. */
function reasonsOf(body: string, statement: string): string {
  const { sections } = readSections(body);
  const reasons = REASONS.flatMap(({ label, section }) => {
    const text = sections[section];
    return text === undefined ? [] : [{ label, text }];
  });
  return (reasons.length > 0 ? reasons : [{ label: "Details", text: withoutQuotationOf(body, statement) }])
    .map(({ label, text }) => ({ label, text: withoutStatement(defuseLine(text), statement) }))
    .filter(({ text }) => text !== "")
    .map(({ label, text }) => `\n  ${label}: ${text}`)
    .join("");
}

/** A body often begins with its statement: once is enough. */
function withoutStatement(text: string, statement: string): string {
  return text.startsWith(statement) ? text.slice(statement.length).replace(/^[\s.:;,-]+/, "") : text;
}

const CHANGED_RULES_HEAD: string =
  "Of the standing rules that heed keeps, these are new or changed since this session was given them:";

/** What a resumed session is told: rules that changed since it was given them, and those that hold no longer. */
export function renderRuleChanges(
  changed: readonly Rule[],
  gone: readonly string[],
): { text: string; rules: Rule[]; extents: RenderedRules["extents"] } {
  const rules = orderRules(changed);
  const goneLine = gone.length > 0 ? cutText(`No longer in force: ${gone.join(", ")}`, 1000) : "";
  const { text, extents } = renderRules(
    rules,
    CHANGED_RULES_HEAD,
    RULE_BUDGET_CHARS,
    MAX_CONTEXT_CHARS - goneLine.length - 2,
  );
  return { text: [text, goneLine].filter((part) => part !== "").join("\n\n"), rules, extents };
}

const SALIENCE_ORDER = { high: 0, medium: 1, low: 2 };

/** What a memory's place in an order goes by; what is equal falls to the next. */
export interface OrderKeys {
  metadata: MemoryMetadata;
  /** How often it was of use; default: it does not count. */
  uses?: number;
  /** Something in it is no longer so. */
  isStale?: boolean;
}

/** By salience, then use, then what is not stale, then narrower scope, then newer, then name. */
export function compareInOrder(a: OrderKeys, b: OrderKeys): number {
  return (
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

/** The latest of its times; asked for each pair of a sort, so nothing is made for it. */
function ageOf({ verified = "", updated = "", created = "" }: MemoryMetadata): string {
  const last = updated > created ? updated : created;
  return verified > last ? verified : last;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
