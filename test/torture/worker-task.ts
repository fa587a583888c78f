/** What a process of the torture is to do. */
export interface WorkerTask {
  cwd: string;
  /** Stands in all names that it gives. */
  worker: string;
  seed: number;
  operations: number;
  /** Memories that it makes first. */
  prepared: number;
  mix: "mixed" | "write" | "merge" | "tidy" | "undo" | "read" | "reindex";
  stores: readonly ("user" | "project")[];
  /** Where a merge goes to; without one there is none. */
  remote?: string;
}

/** What is to go wrong under it. */
export interface Fault {
  /** Which call, counted from 1; none only counts. */
  at?: number;
  /** `KILL`, or the code of the error. */
  code?: string;
  /** All later calls fail as well. */
  isSticky?: boolean;
  /** Calls that change something, or all. */
  kind: "changing" | "any";
}
