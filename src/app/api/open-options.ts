import type { EventReport } from "./session-events.ts";

/** How to open heed. */
export interface OpenOptions {
  /** The directory in which the agent or person works. Default: the process's own. */
  cwd?: string;
  /** Environment to read directories and switches from. Default: `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /**
   * The program that captures sessions in the background: a script that is started as `node PROGRAM capture`, detached,
   * when a session stops, is compacted or ends. Default: none; then the sessions wait for `learning.capture()`.
   */
  program?: string;
  /** The clock. Default: the system's. */
  now?: () => Date;
  /**
   * The process stays while an agent works. Then a sentence model takes part in searches where the user has put one
   * (`heed semantic install`); a process that ends after its answer could not load it in time. Default false.
   */
  isResident?: boolean;
  /** Called after each event that was answered. Default: nobody is told. */
  onAnswered?: (report: EventReport) => void;
}
