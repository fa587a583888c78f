/**
 * The names of what refuses a write, part of the public contract: first the gates in their order
 * (`curate/run-gates.ts`), then other causes.
 */
export const GATE_NAMES = [
  "schema",
  "secret",
  "hostile",
  "relative-dates",
  "derivable",
  "amendment",
  "duplicate",
  "tags",
  // Of a write whose quote the user did not type.
  "provenance",
  "claims",
  "verification",
  "guard",
  "store-trust",
  "user-word",
] as const;

/** One of `GATE_NAMES`. */
export type GateName = (typeof GATE_NAMES)[number];
