/** A live memory beside which a draft is judged. */
export interface Sibling {
  id: string;
  name: string;
  description: string;
  type: string;
  tags: readonly string[];
  body: string;
}

/** A memory that was removed, or a proposal that the user rejected. */
export interface RemovedSibling {
  name: string;
  description: string;
  body: string;
  /** Why it was removed. */
  reason: string;
  /** ISO date or time of the removal. */
  date: string;
  /** The user dropped it when it was proposed. */
  isRejected: boolean;
  /** Id of the memory that it would have changed. */
  target?: string;
}
