/** What to look for in past conversations. */
export interface ConversationRequest {
  text?: string | undefined;
  isEverywhere?: boolean | undefined;
  limit?: number | undefined;
  readMs?: number | undefined;
}

/** Which conversation to show. */
export interface ConversationAbout {
  session?: string | undefined;
  memory?: string | undefined;
  from?: number | undefined;
  limit?: number | undefined;
  readMs?: number | undefined;
}

/** A stretch of a conversation: what the user said, the agent's closing message, a command that failed and what worked then, or heed's record. */
export interface ShownPassage {
  kind: "said" | "answer" | "fixed" | "record";
  /** ISO time; empty when the transcript gives none. */
  time: string;
  text: string;
}

/** Where and when a conversation took place. */
export interface ConversationPlace {
  session: string;
  /** The agent, for example `claude-code`. */
  client: string;
  /** Empty where that is not known. */
  repo: string;
  branch: string;
  started: string;
  ended: string;
}

/** A conversation that was found, with the passages that match best. */
export interface FoundConversation extends ConversationPlace {
  passages: ShownPassage[];
  /** A newer conversation about the same matter: what was said here may have changed since. */
  takenUpBy?: { session: string; time: string };
}

/** What a search in past conversations gives. */
export interface ConversationAnswer {
  conversations: FoundConversation[];
  /** How many conversations are kept on this machine. */
  count: number;
  /** `history: off`: nothing is kept, and nothing is found. */
  isOff: boolean;
  /** Not all new transcripts were read in time: the next search, or a quiet minute, goes on. */
  isPartial: boolean;
}

/** A conversation, or the part that was asked for. */
export interface ShownConversation extends ConversationPlace {
  passages: ShownPassage[];
  /** How many passages it has in all. */
  count: number;
  /** So many of them come before those that are shown. */
  from: number;
  /** Its transcript was not read to the end in time: asked again, it goes on. */
  isPartial: boolean;
  /** The place in `passages` of the one that a memory came from. */
  at?: number;
}
