import { rules } from "@secretlint/secretlint-rule-preset-recommend";

/** What a rule of secretlint found: its id and the range of the secret. */
export interface RuleFinding {
  rule: string;
  start: number;
  end: number;
}

/** The part of secretlint's rule interface (SecretLintRuleCreator) that its recommended rules use. */
interface ScannerRule {
  meta: { id: string };
  create(context: RuleContext, options: Record<string, never>): { file?(source: RuleSource): unknown };
}
interface RuleContext {
  createTranslator(messages: unknown): (messageId: string) => { messageId: string };
  report(finding: { range: readonly [number, number] }): void;
}
interface RuleSource {
  content: string;
  filePath: string;
  ext: string;
  contentType: "text";
}

/** Would let a text switch the scanner off by a comment: what is scanned here is not the user's own source code. */
const LEFT_OUT = "@secretlint/secretlint-rule-filter-comments";

/**
 * Runs secretlint's recommended rules over a text. secretlint's own runner is asynchronous and has four packages
 * under it; the rules themselves are synchronous on text, and a log line or a commit message cannot wait.
 */
export function runScannerRules(content: string): RuleFinding[] {
  const findings: RuleFinding[] = [];
  // No path: some rules look at files of certain names only, and at all texts that have none.
  const source: RuleSource = { content, filePath: "", ext: ".md", contentType: "text" };
  for (const rule of rules as unknown as readonly ScannerRule[]) {
    if (rule.meta.id === LEFT_OUT) continue;
    const context: RuleContext = {
      createTranslator: () => (messageId) => ({ messageId }),
      report: ({ range: [start, end] }) => findings.push({ rule: rule.meta.id, start, end }),
    };
    rule.create(context, {}).file?.(source);
  }
  return findings;
}
