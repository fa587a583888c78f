/** What kind of memory a sentence would make. */
export type ProposalClass =
  | "feedback-correction"
  | "feedback-confirmation"
  | "user-fact"
  | "project-fact"
  | "reference";

/** A sign in a sentence, or in the turn around it, for or against its being worth a memory. */
export interface Cue {
  /** Stable: the weights are kept by it. */
  name: string;
  pattern: RegExp;
  /** What the pattern is tried on. Default: the sentence. */
  on?: "sentence" | "turn" | "before";
  /** The kind of memory that it speaks for. */
  class?: ProposalClass;
}
