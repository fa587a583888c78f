declare const passed: unique symbol;

/** Proof that a draft passed all gates. Made by `askGates` (gate-context.ts) alone, and asked for by the one writer. */
export interface GatePass {
  readonly [passed]: true;
}
