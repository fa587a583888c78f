import { MAX_CONTEXT_CHARS } from "./context-parts.ts";
import { cutText } from "./cut-text.ts";
import type { RenderedRules, Rule } from "./render-rules.ts";
import { orderRules, renderRules, RULE_BUDGET_CHARS } from "./render-rules.ts";

export const CHANGED_RULES_HEAD: string =
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
