import type { Decision } from "../here/records/session-events.ts";
import { readClientMemory } from "../here/client-memory.ts";
import { PromptVerdicts } from "./render-facts.ts";
import {
  type OpeningPart,
  type Situation,
  decisionOn,
  leftOut,
  readForInjection,
  whyNotHere,
} from "./situation.ts";
import { injectedAs } from "../here/records/session-state.ts";
import { reviewCommand } from "../here/consent/rule-approvals.ts";
import { MAX_CONTEXT_CHARS } from "./inject/context-parts.ts";
import type { Rule, RuleExtent } from "./inject/render-rules.ts";
import { RULES_HEAD, RULE_BUDGET_CHARS, orderRules, renderRules } from "./inject/render-rules.ts";
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

/** Of the time that is left, what reading rules may take. */
const READING_SHARE = 0.4;

/** Collects the rules in force. `seesClientMemory`: the client's own index is in this context, and is not repeated. */
export async function rulesHere(situation: Situation, seesClientMemory: boolean): Promise<RulesHere> {
  const { collection } = situation;
  const types = collection.types.all().filter((policy) => policy.injection === "always");
  const memories = collection
    .memories(types.map((policy) => policy.name))
    .sort((a, b) => STORE_ORDER[collection.storeOf(a).kind] - STORE_ORDER[collection.storeOf(b).kind]);
  const client = seesClientMemory ? readClientMemory(situation.root, situation.place.env) : undefined;
  const found: RulesHere = { rules: [], pathRules: [], leftOut: [] };
  const said = new Set<string>();
  const verdicts = new PromptVerdicts(situation);
  const nowMs = performance.now();
  const untilMs = nowMs + (situation.place.call.deadlineAtMs - nowMs) * READING_SHARE;
  for (const metadata of memories) {
    const leaveOut = (reason: string): void => {
      found.leftOut.push(leftOut(metadata, collection, reason));
    };
    const { isTrusted, kind, source } = collection.storeOf(metadata);
    if (!isTrusted) {
      leaveOut(
        situation.unreviewed.get(memoryKey(metadata)) === "new"
          ? `it did not come through heed: data until it was reviewed (${reviewCommand(kind)})`
          : "its store is not approved on this machine: data, not a rule",
      );
      continue;
    }
    const reason = whyNotHere(metadata, situation);
    if (reason !== undefined) {
      leaveOut(reason);
      continue;
    }
    if (metadata.scope.paths.length > 0) {
      found.pathRules.push(metadata);
      continue;
    }
    const read = performance.now() < untilMs ? await readForInjection(collection, metadata) : undefined;
    // One that there is no time to read, or that went away since it was indexed, counts by its statement.
    const rule: Rule = { metadata: read?.metadata ?? metadata, body: read?.body ?? "", source };
    const { whole } = ruleTexts(rule);
    const words = plainWords(whole);
    if (client?.index.states({ ...metadata, statement: whole }))
      leaveOut("the client's own memory index already says it");
    else if (said.has(words)) leaveOut("another rule in force says the same");
    else {
      const { mark = "" } = await verdicts.freshnessOf(metadata);
      found.rules.push({ ...rule, ...(mark !== "" && { staleness: mark }) });
      said.add(words);
    }
  }
  return found;
}

const EXTENT_WORDS: Record<RuleExtent, string> = {
  reasons: "in force here",
  statement: "in force here; its reasons did not fit",
  shortened: "in force here; its text was cut to make room for all",
  handle: "in force here; named by its handle, as the statements did not fit",
  counted: "in force here; counted only, as not even the handles fit",
};

/** Every rule in force here: what each says, in a whole answer where it takes that, and reasons while its budget lasts. */
export const rulesPart: OpeningPart = async ({ situation, agent }) => {
  const found = await rulesHere(situation, agent === undefined);
  const rules = orderRules(found.rules);
  return {
    budgetChars: RULE_BUDGET_CHARS,
    reservedChars: 0,
    render({ budgetChars, limitChars }) {
      const room = Math.min(limitChars, MAX_CONTEXT_CHARS);
      const { text, extents } = renderRules(rules, RULES_HEAD, budgetChars, room);
      return {
        text,
        injected: {
          decisions: ruleDecisions(situation, rules, extents, found),
          memories: rules.map(({ metadata }) => injectedAs(metadata, "rule")),
        },
      };
    },
  };
};

/** What is said in a receipt about the rules told, those of paths, and those left out. */
export function ruleDecisions(
  { collection, unreviewed }: Situation,
  rules: readonly Rule[],
  extents: readonly RuleExtent[],
  { pathRules, leftOut: others }: RulesHere,
): Decision[] {
  return [
    ...rules.map(({ metadata }, i) => {
      const extent = extents[i] ?? "statement";
      return decisionOn(metadata, collection, {
        form: "rule",
        reason: `${EXTENT_WORDS[extent]}${unreviewed.has(memoryKey(metadata)) ? "; in its approved text, as it was changed outside heed since: heed inbox trust" : ""}`,
        chars: extent === "counted" ? 0 : metadata.statement.length,
      });
    }),
    ...pathRules.map((metadata) => {
      const paths = metadata.scope.paths.join(" or ").slice(0, 200);
      return leftOut(metadata, collection, `holds for certain paths: told when a tool touches ${paths}`);
    }),
    ...others,
  ];
}
