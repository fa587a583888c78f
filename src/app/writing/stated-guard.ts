import { describeGuard } from "../../guard/describe-guard.ts";
import { parseGuards } from "../../guard/parse-guards.ts";
import type { RuleText } from "../../guard/suggest-guard.ts";
import { suggestGuard } from "../../guard/suggest-guard.ts";
import type { TypePolicy } from "../../memory/memory-type.ts";

/** The guard that a rule's text states, in words; undefined for no rule, and where the text states none. */
export function statedGuard(text: RuleText, policy: TypePolicy | undefined): string | undefined {
  if (policy?.injection !== "always") return undefined;
  const [read] = parseGuards(suggestGuard(text)).guards;
  return read && describeGuard(read.guard);
}
