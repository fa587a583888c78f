/** A person's approval of a pending memory. */
export interface Confirmation {
  /** What they put right before it counts. What is absent stays as it was proposed. */
  edited?: EditedProposal;
}

/** What a person puts right in a proposal. */
export interface EditedProposal {
  type?: string;
  description?: string;
  body?: string;
}

/** An item of the inbox. */
export interface PendingItem {
  name: string;
  description: string;
  type: string;
  body: string;
  /** Why it waits: a statement about the user, an edit from two sides, an attached or imported memory. */
  reason: string;
  proposedAt: string;
  /** The user's words on which it rests. */
  quote?: string;
  /** The repository that it is for; absent: everywhere, or that of the store at hand. */
  repo?: string;
  /** The memory that it would change, and the diff. */
  target?: string;
  diff?: string;
  /** It asks for a yes or no alone, as about a removal: there is no text to put right. */
  isFixed?: boolean;
  /** What the guard that comes with it stops, in words: in force with the user's yes. */
  guard?: string;
}
