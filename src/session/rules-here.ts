import { handleOf, shortestHandleOf, plainWords } from "../memory/handle.ts";
import { type MemoryMetadata, memoryKey } from "../memory/memory.ts";
import { readSections } from "../memory/codec/sections.ts";
import { MAX_MARK_CHARS, isStatementAlone, ruleTexts, sourceMark, whyOf } from "../here/consent/rule-text.ts";
import { compare } from "../machine/read-fields.ts";
import { cutText, defuseLine } from "../memory/shown-text.ts";
import { relative, resolve, sep } from "node:path";
import type { Decision } from "../here/records/session-events.ts";
import {
  type FactSituation,
  type OpeningPart,
  type Outcome,
  type PartRoom,
  type Situation,
  MAX_CONTEXT_CHARS,
  NOTHING,
  PromptVerdicts,
} from "./situation.ts";
import { type ToolUse, callUnitOf } from "../guard/guard-call.ts";
import { commandsIn } from "../machine/shell-word.ts";
import { realPathOf } from "../machine/regular-file.ts";
import { findProjectRoot } from "../store/find-stores.ts";
import { injectedAs } from "../here/records/session-state.ts";
import { reviewCommand } from "../here/consent/rule-approvals.ts";
import { Breather } from "../machine/breather.ts";

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

interface RulesHere {
  rules: Rule[];
  /** Rules that hold for certain paths: they come when a tool touches one. */
  pathRules: MemoryMetadata[];
  leftOut: Decision[];
}

/** Own words before those of others: of two rules that say the same, the first stays. */
const STORE_ORDER = { user: 0, project: 1, team: 2, attached: 3 };

const READING_SHARE = 0.4;

export async function rulesHere(situation: Situation): Promise<RulesHere> {
  const { collection } = situation;
  const types = collection.types.all().filter((policy) => policy.injection === "always");
  const memories = collection
    .memories(types.map((policy) => policy.name))
    .sort((a, b) => STORE_ORDER[collection.storeOf(a).kind] - STORE_ORDER[collection.storeOf(b).kind]);
  const found: RulesHere = { rules: [], pathRules: [], leftOut: [] };
  const said = new Set<string>();
  const verdicts = new PromptVerdicts(situation);
  const nowMs = performance.now();
  const untilMs = nowMs + (situation.place.call.deadlineAtMs - nowMs) * READING_SHARE;
  const breather = new Breather();
  for (const metadata of memories) {
    if (breather.isDue) await breather.rest();
    const leaveOut = (reason: string): void => {
      found.leftOut.push(situation.leftOut(metadata, reason));
    };
    const { isTrusted, kind, source } = collection.storeOf(metadata);
    const isNew = situation.unreviewed.get(memoryKey(metadata)) === "new";
    const reason = isTrusted
      ? situation.whyNotHere(metadata)
      : isNew
        ? `it did not come through heed: data until it was reviewed (${reviewCommand(kind)})`
        : "its store is not approved on this machine: data, not a rule";
    if (reason !== undefined || metadata.scope.paths.length > 0) {
      if (reason === undefined) found.pathRules.push(metadata);
      else leaveOut(reason);
      continue;
    }
    // One that there is no time to read counts by its statement.
    const rule: Rule =
      performance.now() < untilMs ? await readRule(situation, metadata) : { metadata, body: "", source };
    const words = plainWords(ruleTexts(rule).whole);
    if (said.has(words)) leaveOut("another rule in force says the same");
    else {
      const { mark = "" } = await verdicts.freshnessOf(metadata);
      found.rules.push({ ...rule, ...(mark !== "" && { staleness: mark }) });
      said.add(words);
    }
  }
  return found;
}

const EXTENT_WORDS: Record<RuleExtent, string> = {
  reasons: "",
  statement: "; its reasons did not fit",
  shortened: "; its text was cut to make room for all",
  counted: "; counted only, as there are too many",
};

export async function readRule(situation: Situation, known: MemoryMetadata): Promise<Rule> {
  const { metadata = known, body = "" } = (await situation.read(known)) ?? {};
  return { metadata, body, source: situation.collection.storeOf(known).source };
}

export function toldRules(
  situation: Situation,
  given: readonly Rule[],
  head: string,
  { budgetChars = RULE_BUDGET_CHARS, limitChars = MAX_CONTEXT_CHARS }: Partial<PartRoom> = {},
  why = "in force here",
): Outcome & { decisions: Decision[] } {
  const rules = given.toSorted(compareInOrder);
  const { text: context, extents } = renderRules(rules, head, budgetChars, limitChars);
  const decisions = rules.map(({ metadata }, i) => {
    const extent = extents[i] ?? "statement";
    const isApprovedText = situation.unreviewed.has(memoryKey(metadata));
    return situation.decisionOn(metadata, {
      form: "rule",
      reason: `${why}${EXTENT_WORDS[extent]}${isApprovedText ? "; in its approved text, as it was changed outside heed since: heed inbox trust" : ""}`,
      chars: extent === "counted" ? 0 : metadata.statement.length,
    });
  });
  return { context, decisions, memories: rules.map(({ metadata }) => injectedAs(metadata, "rule")) };
}

export function notTold(situation: Situation, { pathRules, leftOut: others }: RulesHere): Decision[] {
  return [
    ...pathRules.map((metadata) => {
      const paths = metadata.scope.paths.join(" or ").slice(0, 200);
      return situation.leftOut(metadata, `for certain paths: injected when a tool touches ${paths}`);
    }),
    ...others,
  ];
}

/** Every rule in force here, in a whole answer where it takes that. */
export const rulesPart: OpeningPart = async ({ situation }) => {
  const found = await rulesHere(situation);
  return {
    budgetChars: RULE_BUDGET_CHARS,
    reservedChars: 0,
    render({ budgetChars, limitChars }) {
      const room = { budgetChars, limitChars: Math.min(limitChars, MAX_CONTEXT_CHARS) };
      const told = toldRules(situation, found.rules, RULES_HEAD, room);
      return { ...told, decisions: [...told.decisions, ...notTold(situation, found)] };
    },
  };
};

const PATHS_HEAD = "Standing rules that the user gave and heed keeps for the paths that this tool touches:";

/** The rules of the paths that a tool is about to touch, once in a context. */
export async function answerToolUse(
  situation: Situation,
  use: Pick<ToolUse, "tool" | "input">,
): Promise<Outcome> {
  const waiting = situation
    .memoriesInForce((injection) => injection === "always")
    .filter((one) => one.scope.paths.length > 0 && !situation.isTold(one));
  if (waiting.length === 0) return NOTHING;
  const paths = pathsInRepository(touchedPaths(use), situation);
  if (paths.length === 0) return NOTHING;
  const { matchesGlobs } = await import("../memory/match-globs.ts");
  const memories = waiting.filter((metadata) =>
    paths.some((path) => matchesGlobs(path, metadata.scope.paths)),
  );
  if (memories.length === 0) return NOTHING;
  const rules = await Promise.all(memories.map((metadata) => readRule(situation, metadata)));
  return toldRules(situation, rules, PATHS_HEAD, {}, "a tool touches one of its paths");
}

/** Paths as a call names them, from the root of the repository. */
export function pathsInRepository(paths: readonly string[], { root, place }: FactSituation): string[] {
  // A client may name files through a link by which the folder was entered, or by their real path.
  const realCwd = realPathOf(place.cwd);
  const roots = [...new Set([root, realPathOf(root), findProjectRoot(place.cwd) ?? root])];
  const found = paths.flatMap((path) => {
    const absolute = resolve(place.cwd, path);
    const absolutes = [absolute, resolve(realCwd, relative(place.cwd, absolute))];
    return absolutes.flatMap((file) => roots.map((base) => relative(base, file).split(sep).join("/")));
  });
  return [...new Set(found)].filter((path) => path !== "" && path !== ".." && !path.startsWith("../"));
}

const MAX_PATHS = 50;
const MAX_PATH_CHARS = 400;
/** So much of a command is looked at: commands that write whole files carry them inline. */
const MAX_COMMAND_CHARS = 20_000;

/** The paths that a tool use names: those of its fields and patches, and each word of a command that may be one. */
function touchedPaths({ tool, input }: Pick<ToolUse, "tool" | "input">): string[] {
  const named = callUnitOf({ tool, input, cwd: "", roots: [], home: "~" }).paths.map(({ text }) => text);
  const commands = [input["command"], input["cmd"]].filter((value) => typeof value === "string");
  const words = commands.flatMap((text) => commandsIn(text.slice(0, MAX_COMMAND_CHARS)).flat());
  const paths = [...named, ...words.flatMap(pathIn)].filter((path) => path.length <= MAX_PATH_CHARS);
  return [...new Set(paths)].slice(0, MAX_PATHS);
}

/** What of a word of a command could be a path: without redirections and brackets, the value of an option, no URL. */
function pathIn(word: string): string[] {
  const path = (word.startsWith("-") ? word.replace(/^[^=]*=?/, "") : word).replace(/^[\d&<>(]+|[)`]+$/g, "");
  return /^[^\s*?{}$]+$/.test(path) && /[\p{L}\p{N}]/u.test(path) && !/^[a-z]+:\/\//i.test(path)
    ? [path]
    : [];
}
