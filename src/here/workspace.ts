import { types } from "node:util";
import type { Learn } from "./learn.ts";
import { invalidInput, type Problem } from "../machine/heed-error.ts";
import { type Places, findPlaces } from "../machine/places.ts";
import type { TeamServer } from "../store/team/team-server.ts";
import type { StoreReader } from "../store/store-reader.ts";
import { logTrouble } from "./trouble-log.ts";
import type { EventReport } from "./records/session-events.ts";

/** A session works in a repository and a few worktrees; what was opened for others is opened again. */
const MAX_ELSEWHERE = 8;

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

export interface Workspace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly places: Places;
  readonly now: () => Date;
  readonly program: string | undefined;
  readonly onAnswered: OpenOptions["onAnswered"];
  readonly onStale: OpenOptions["onStale"];
  /** Opens the model that reads sessions afterwards; resolves with undefined where none is set up. */
  readonly openLearner: OpenLearner | undefined;
  /** Only in a process that stays: what it does once nobody has said anything for a while. */
  readonly timer: IdleTimer | undefined;
  readonly afterwards: DeferredWork;
  /** The stores that were opened, by a key of the opener's: they keep what is still to be settled. */
  readonly opened: Map<string, StoreReader>;
  /** What workspaces that were let go of still settle. */
  readonly settling: Set<Promise<unknown>>;
  readonly teams: Map<string, TeamConnection>;
  /** The workspaces of other directories that calls moved to. */
  readonly elsewhere: Map<string, Workspace>;
}

/** A team's server, what was wrong when it was last asked, and when it is asked next. */
export interface TeamConnection {
  server?: TeamServer;
  next?: NodeJS.Timeout;
  trouble?: string | undefined;
  /** When it could not be reached, by `performance.now()`. */
  failedMs?: number | undefined;
}

type OpenLearner = (workspace: Workspace) => Promise<Learn | undefined>;

/** Builds a workspace from options, filling in the process's own directory, environment and clock. Reads nothing. */
export function openWorkspace(options: OpenOptions, openLearner?: OpenLearner): Workspace {
  const env = options.env ?? process.env;
  return {
    cwd: options.cwd ?? process.cwd(),
    env,
    places: { ...findPlaces(env), ...(options.policy !== undefined && { policy: options.policy }) },
    now: options.now ? checkedClock(options.now) : () => new Date(),
    program: options.program,
    onAnswered: options.onAnswered,
    onStale: options.onStale,
    openLearner,
    timer: options.isResident === true ? new IdleTimer() : undefined,
    afterwards: new DeferredWork(env, options.isResident === true),
    opened: new Map(),
    settling: new Set(),
    teams: new Map(),
    elsewhere: new Map(),
  };
}

/** Checks each answer of the caller's clock: an invalid time in a file would be noticed too late. */
function checkedClock(now: () => Date): () => Date {
  return () => {
    const time: unknown = now();
    if (types.isDate(time) && !Number.isNaN(time.getTime())) return time;
    throw invalidInput(
      "now",
      typeof time,
      "now does not answer with a time: give a function that returns a Date",
    );
  };
}

export function workspaceAt(workspace: Workspace, cwd: string): Workspace {
  if (cwd === workspace.cwd) return workspace;
  const known = workspace.elsewhere.get(cwd);
  if (known) return known;
  const other = { ...workspace, cwd, opened: new Map() };
  const [oldest] = workspace.elsewhere;
  if (oldest && workspace.elsewhere.size >= MAX_ELSEWHERE) letGo(workspace, ...oldest);
  workspace.elsewhere.set(cwd, other);
  return other;
}

function letGo({ elsewhere, settling }: Workspace, cwd: string, { opened }: Workspace): void {
  elsewhere.delete(cwd);
  const settled = Promise.allSettled([...opened.values()].map((store) => store.finish()));
  settling.add(settled);
  void settled.then(() => settling.delete(settled));
}

/** Waits until generated files and history of all stores that were written to are up to date. */
export async function reconcileStores(workspace: Workspace): Promise<Problem[]> {
  const all = new Set([workspace, ...workspace.elsewhere.values()]);
  const stores = [...all].flatMap(({ opened }) => [...opened.values()]);
  await Promise.all(workspace.settling);
  return (await Promise.all(stores.map((store) => store.finish()))).flat();
}

/** A client takes 20 to 40 ms from a hook's answer to its request; what is written meanwhile takes from its processor. */
const CLIENT_SENDS_MS = 100;

/** Work for after the answer, at the latest before the next event or when heed closes. Trouble goes to the log. */
export class DeferredWork {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #isResident: boolean;
  #waiting: (() => void)[] = [];

  constructor(env: Readonly<Record<string, string | undefined>>, isResident = false) {
    this.#env = env;
    this.#isResident = isResident;
  }

  /** `isRequestNext`: a resident process first lets the client send its request. */
  later(work: () => void, { isRequestNext = false }: { isRequestNext?: boolean } = {}): void {
    this.#waiting.push(work);
    if (isRequestNext && this.#isResident) setTimeout(() => this.finish(), CLIENT_SENDS_MS);
    else setImmediate(() => this.finish());
  }

  finish(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const work of waiting) {
      try {
        work();
      } catch (error) {
        logTrouble("afterwards", error, this.#env);
      }
    }
  }
}

/** The one thing that a process which stays does when nobody has said anything for a while. It keeps no process alive. */
class IdleTimer {
  #timer: NodeJS.Timeout | undefined;

  set(waitMs: number, work: () => void): void {
    this.clear();
    this.#timer = setTimeout(work, waitMs);
    this.#timer.unref();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
