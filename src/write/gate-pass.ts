declare const passed: unique symbol;

/**
 * Proof that the gates let a draft pass, for the words that they saw. Made by `askGates` alone (gate-context.ts), and asked
 * for by the one writer.
 */
export interface GatePass {
  readonly [passed]: true;
  readonly description: string;
  readonly body: string;
  /** The gates saw the whole text of a file. */
  readonly isWholeText: boolean;
}
