/** A way of speaking to a model against its user, or of carrying something out. */
export interface HostilePattern {
  kind: HostileKind;
  /** What a match begins with (see HintTable); empty for patterns of other scripts. */
  hints: readonly string[];
  /** Sticky where there are hints. Bounded, since it runs over text that somebody else wrote. */
  pattern: RegExp;
  /** A last look at the match. */
  isSure?: (match: string) => boolean;
}

/** What a text does that no memory has to. */
export type HostileKind = "instructions" | "role-tags" | "hidden-characters" | "encoded" | "exfiltration";

/** The words in which a kind is told to a person. */
export const HOSTILE_WORDS: Readonly<Record<HostileKind, string>> = {
  instructions: "it gives orders to a model against what it was told",
  "role-tags": "it imitates the tags or turns of heed or of a client",
  "hidden-characters": "it hides text in invisible or direction characters",
  encoded: "it holds encoded text that gives orders to a model",
  exfiltration: "it has data sent to somewhere else",
};
