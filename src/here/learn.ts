import type { SaidTurn } from "./records/past-conversations.ts";

export interface KnownMemory {
  /** `heed:name`; unique in its list. */
  handle: string;
  type: string;
  statement: string;
  /** It has no other words by which to ask for it: the model is to give some. */
  isBare?: boolean;
}

/** What a model found worth keeping, as it says: nothing of it is checked yet. */
export interface LearntItem {
  type: string;
  /** One sentence that stands alone. */
  statement: string;
  quote: string;
  /** Only where the user gave one, in their words. */
  reason: string | undefined;
  /** The handle of a memory that it adds to or says otherwise than. */
  changes: string | undefined;
  /** Other words by which somebody would ask for it. */
  aliases: readonly string[];
}

export interface Lesson {
  items: readonly LearntItem[];
  /** Other words for known memories that have none, by handle. */
  aliases: Readonly<Record<string, readonly string[]>>;
}

export interface AskedLesson {
  session: string;
  turns: readonly SaidTurn[];
  known: readonly KnownMemory[];
}

/** Asks the optional model once, within the day's budget; undefined for no budget or trouble. Never rejects. */
export type Learn = (asked: AskedLesson) => Promise<Lesson | undefined>;
