/** What became of something that the user said in a session. */
export interface ProposalReport {
  /** `proposed` waits in the inbox; `saved` is in force; `known` is kept already; `refused` by a gate. */
  outcome: "proposed" | "saved" | "known" | "refused";
  type: string;
  description: string;
  /** The user's sentence. */
  quote: string;
  /** Name in the inbox or store; for `known` the reason. */
  detail: string;
  /** ISO time of the turn. */
  time: string;
  /** What it does to a memory that is there: `corrects heed:x`, `confirms heed:x`. */
  about?: string;
  /** A memory that says much the same or otherwise, beside which it is kept. */
  beside?: { how: "alike" | "otherwise"; handle: string };
  /** What the user has to say before it can count: which day is meant, what a gate asks. */
  asks?: string;
  /** It is a rule for which the user gave no reason. */
  lacksReason?: true;
}

/** What became of a struggle that was won in a session. */
export interface SolutionReport {
  outcome: "saved" | "seen-again" | "confirmed" | "refused";
  name: string;
  description: string;
  announcement: string;
}

/** What was captured of one session. */
export interface CapturedSession {
  session: string;
  client: string;
  cwd: string;
  /** Name of the episode that was written. */
  episode: string | undefined;
  proposals: ProposalReport[];
  solutions: SolutionReport[];
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
  /** What was wanted, where it stopped, what is open and what is not committed: four lines at most. */
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
  /** Put proposals into the inbox, save solutions and write episodes; default: only tell. */
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
