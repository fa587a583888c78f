import type { EventReport } from "./session-events.ts";

/** A team's server that this machine joined. */
export interface TeamReport {
  /** Its address without a password. */
  url: string;
  /** The login; undefined while the server does not answer. */
  person: string | undefined;
  /** What this person sees there: a store each, copied to `root`, as it was at `asOf`. */
  audiences: {
    id: string;
    name: string;
    canWrite: boolean;
    root: string;
    asOf: string | undefined;
    /** It is too large to be copied whole: rules and what was used here are. */
    isPartial: boolean;
  }[];
  /** What is not up to date, in words. */
  trouble: string[];
}

/** A change of who sees what on a team's server, of its schema, or that this machine leaves it. */
export interface TeamChange {
  kind: "admit" | "dismiss" | "migrate" | "leave";
  /** Of several servers, this one. */
  url?: string | undefined;
  /** `admit`, `dismiss`: a database role, and `person:NAME`, `team:NAME` or `repository:NAME`. */
  person?: string;
  audience?: string;
  /** `admit`: may read and not write. */
  isReader?: boolean;
  /** `migrate`: of the schema; 0 removes it with all memories. */
  version?: number;
}

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
  /**
   * The organisation's policy file. Default, and what heed's own programs always use: `/etc/heed/policy.yaml`, on macOS and
   * Windows the machine's folder for settings. No variable moves it, as a model can set those; a test gives another one.
   */
  policy?: string;
  /** The clock. Default: the system's. */
  now?: () => Date;
  /**
   * The process stays while an agent works. Then work that can wait is done once nobody has said anything for a while.
   * Default false.
   */
  isResident?: boolean;
  /** Called after each event that was answered. Default: nobody is told. */
  onAnswered?: (report: EventReport) => void;
  /** Called once a team's server was asked, with a line for each store that is as it was last read. Default: nobody is told. */
  onStale?: (lines: readonly string[]) => void;
}

/** Reports how far a long job is. */
export type Progress = (done: number, total: number, what: string) => void;
