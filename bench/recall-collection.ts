/** A text that can be found. */
export interface RecallDocument {
  id: string;
  text: string;
  /** A note's own line above its text, where it has one. */
  name?: string;
  description?: string;
  tags?: readonly string[];
  /** Of dialogue: who says it, in which session, when (in words), in the order of the file. */
  speaker?: string;
  session?: string;
  date?: string;
}

/** A question with the texts that answer it. */
export interface RecallQuestion {
  text: string;
  relevant: readonly string[];
  category: string;
}

/** Texts among which questions are asked: a conversation, a store. */
export interface RecallCollection {
  id: string;
  documents: readonly RecallDocument[];
  questions: readonly RecallQuestion[];
}
