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
import type { Rule, RuleExtent } from "./inject/render-rules.ts";
import { RULES_HEAD, RULE_BUDGET_CHARS, compareInOrder, renderRules } from "./inject/render-rules.ts";
import { Breather } from "../machine/breather.ts";
import { ruleTexts } from "../here/consent/rule-text.ts";
import { plainWords } from "../memory/handle.ts";
import { type MemoryMetadata, memoryKey } from "../memory/memory.ts";

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
