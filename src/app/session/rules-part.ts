import type { Rule, RuleExtent } from "../../inject/render-rules.ts";
import { orderRules, renderRules, RULE_BUDGET_CHARS, RULES_HEAD } from "../../inject/render-rules.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import type { Decision } from "../api/session-events.ts";
import type { RulesHere } from "./rules-here.ts";
import { rulesHere } from "./rules-here.ts";
import type { Situation } from "./situation.ts";
import { decisionOn, toldAs } from "./situation.ts";
import type { OpeningPart } from "./opening-part.ts";

/** What is said about a rule in a receipt, by how much of it the text shows. */
const EXTENT_WORDS: Record<RuleExtent, string> = {
  reasons: "in force here",
  statement: "in force here; its reasons did not fit",
  shortened: "in force here; its statement was shortened to make room for all",
  handle: "in force here; named by its handle, as the statements did not fit",
  counted: "in force here; counted only, as not even the handles fit",
};

/** Every rule in force here: all statements, whatever they take, and reasons while its budget lasts. */
export const rulesPart: OpeningPart = async ({ situation, agent }) => {
  const found = await rulesHere(situation, agent === undefined);
  const rules = orderRules(found.rules);
  return {
    budgetChars: RULE_BUDGET_CHARS,
    reservedChars: 0,
    render({ budgetChars, limitChars }) {
      const { text, extents } = renderRules(rules, RULES_HEAD, budgetChars, limitChars);
      return {
        text,
        told: {
          decisions: ruleDecisions(situation, rules, extents, found),
          memories: rules.map(({ card }) => toldAs(card, "rule")),
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
  { pathRules, leftOut }: RulesHere,
): Decision[] {
  return [
    ...rules.map(({ card }, i) => {
      const extent = extents[i] ?? "statement";
      return decisionOn(card, collection, {
        form: "rule",
        reason: `${EXTENT_WORDS[extent]}${unreviewed.has(memoryKey(card)) ? "; in its approved text, as it was changed outside heed since: heed trust" : ""}`,
        chars: extent === "counted" ? 0 : card.description.length,
      });
    }),
    ...pathRules.map((card) =>
      decisionOn(card, collection, {
        form: "none",
        reason: `holds for certain paths: told when a tool touches ${card.scope.paths.join(" or ").slice(0, 200)}`,
        chars: 0,
      }),
    ),
    ...leftOut,
  ];
}
