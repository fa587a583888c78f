import type { GuardDecision } from "../../src/guard/evaluate-guards.ts";
import type { RuleGuard } from "../../src/guard/guard.ts";
import { parseGuards } from "../../src/guard/parse-guards.ts";

/** The guards that a rule has in its front matter, in force everywhere; throws when one of them cannot be read. */
export function guardSet(...rules: readonly unknown[]): RuleGuard[] {
  return rules.flatMap((raw) => {
    const { guards, problems } = parseGuards(raw);
    if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join("; "));
    return guards.map(({ guard }) => ({ guard, scope: [] }));
  });
}

/** How a decision reads: an action, or silence. */
export function outcomeOf({ action }: Pick<GuardDecision<unknown>, "action">): string {
  return action === "allow" ? "silent" : action;
}
