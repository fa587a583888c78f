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

/** A chunk of a conversation: what the user said, the agent's closing message, a command that failed and what worked then, or heed's record. */
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
  /** How many of them come before those that are shown. */
  from: number;
  /** Its transcript was not read to the end in time: asked again, it goes on. */
  isPartial: boolean;
  /** The place in `passages` of the one that a memory came from. */
  at?: number;
}

/** What became of something that a model read out of a session (`learn: model`). */
export interface ProposalReport {
  /** `proposed` waits in the inbox; `known` is kept already; `refused` by a gate. */
  outcome: "proposed" | "known" | "refused";
  type: string;
  description: string;
  /** The user's sentence. */
  quote: string;
  /** Name in the inbox; else the reason. */
  detail: string;
  /** ISO time of the turn. */
  time: string;
  /** The memory that it would change: `heed:x`. */
  changes?: string;
}

/** What was captured of one session. */
export interface CapturedSession {
  session: string;
  client: string;
  cwd: string;
  /** Name of the episode that was written. */
  episode: string | undefined;
  /** Turns of the user that had not been read before. */
  turns: number;
  /** What a model proposed of them; empty unless `learn` is `model`. */
  proposals: ProposalReport[];
  /** Bytes of its transcripts that are done with. */
  bytes: number;
  /** Bytes among them that were not read: where more than 32 MiB came at once, what is older is passed over. */
  passedBytes: number;
  /** Lines that were no JSON, or too long to be read. */
  lostLines: number;
}

/** What a run of capture did. */
export interface CaptureReport {
  sessions: CapturedSession[];
  /** Another process is at work and takes what waits. */
  isLeftToOther: boolean;
  /** Sessions that could not be read, one line each. */
  problems: string[];
}

/** The last session of this repository and branch. */
export interface Episode {
  name: string;
  description: string;
  body: string;
  /** What is open and what is still not committed: two lines at most. */
  lines: string[];
  /** Steps are open, or files are not committed. */
  isUnfinished: boolean;
  /** ISO time of its last record. */
  updated: string;
  branch: string | undefined;
}

/** What to look for in old transcripts. */
export interface BackfillOptions {
  /** Folders or files to read; default: where the known clients keep theirs. */
  from?: readonly string[];
  /** Only sessions that changed since then (ISO date). */
  since?: string;
  /** The most sessions to give, the newest first. */
  limit?: number;
  /** Write episodes and, with `learn: model`, put proposals into the inbox; default: a dry run. */
  isApplied?: boolean;
}

/** What was found in old transcripts. */
export interface BackfillReport {
  sessions: CapturedSession[];
  /** Sessions that an earlier run has done. */
  doneBefore: number;
  problems: string[];
  isApplied: boolean;
}
