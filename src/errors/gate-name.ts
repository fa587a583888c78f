/**
 * The names by which refusals say what refused, on every path: stable, part of the public contract. First the gates, in
 * the order in which a draft meets them (`curate/run-gates.ts`); then what else a write or a change can fail by.
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
