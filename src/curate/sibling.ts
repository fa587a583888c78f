import type { ActorKind } from "../memory/actor.ts";

/** A live memory beside which a draft is checked. */
export interface Sibling {
  id: string;
  name: string;
  description: string;
  type: string;
  tags: readonly string[];
  body: string;
}

/** A memory that a write changes, with the day until which it holds. */
export interface AmendedMemory extends Sibling {
  expires?: string;
}

/** A memory that was removed, or a proposal that was rejected. */
export interface RemovedSibling {
  name: string;
  description: string;
  body: string;
  /** Why it was removed. */
  reason: string;
  /** ISO date or time of the removal. */
  date: string;
  /** Who dropped it when it was proposed; undefined for what was removed later. */
  rejectedBy?: ActorKind;
  /** Id of the memory that it would have changed. */
  target?: string;
}
