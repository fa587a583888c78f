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
  /** Where it stopped, what is open and what is still not committed: three lines at most. */
  lines: string[];
  /** Steps are open, files are not committed, or the user had no answer yet. */
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
  /** So many sessions at most, the newest first. */
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
