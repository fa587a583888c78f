/** Whose changes are taken back. */
export interface RollBackRequest {
  session?: string | undefined;
  actor?: string | undefined;
  since?: string | undefined;
  isApplied?: boolean | undefined;
}

/** What is, or would be, taken back. */
export interface RollBackReport {
  /** The changes that are taken back, newest first. */
  takenBack: Change[];
  /** Those that stay, each with the reason. */
  kept: (Change & { why: string })[];
  /** The changes that took them back, one a store. */
  changes: Change[];
  isApplied: boolean;
}

/** One entry of the history of a store. */
export interface Change {
  /** Commit, or entry of the change journal where the store is no git repository of heed's. */
  id: string;
  time: string;
  actor: string;
  /** What and why, one line. */
  summary: string;
  files: string[];
}

/** One line of a memory with the change that brought it. */
export interface BlameLine {
  line: number;
  text: string;
  change: Change;
}
