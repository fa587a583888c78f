import { type Places, findPlaces } from "../machine/places.ts";
import type { TeamServer } from "../store/team/team-server.ts";
import type { StoreReader } from "../store/store-reader.ts";
import { logTrouble } from "./trouble-log.ts";
import type { OpenOptions } from "./open-options.ts";
import { HeedError, type Problem } from "../machine/heed-error.ts";
import type { Repository } from "../machine/repository-identity.ts";
import {
  folderScope,
  isRepositoryMet,
  isSameRepository,
  learnRepository,
  readRepository,
} from "../machine/repository-identity.ts";
import type { TypeTable } from "../memory/memory-type.ts";
import type { StoreRef } from "../memory/memory.ts";
import type { IndexReader } from "../search/index/index-reader.ts";
import type { Here } from "../search/search-query.ts";
import { type FoundStores, findStores } from "../store/find-stores.ts";

export interface Workspace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly places: Places;
  readonly now: () => Date;
  readonly program: string | undefined;
  readonly onStale: OpenOptions["onStale"];
  /** Only in a process that stays: what it does once nobody has said anything for a while. */
  readonly timer: { running?: NodeJS.Timeout | undefined } | undefined;
  readonly afterwards: DeferredWork;
  /** The stores that were opened, by a key of the opener's: they keep what is still to be settled. */
  readonly opened: Map<string, StoreReader>;
  readonly teams: Map<string, TeamConnection>;
}

/** A team's server, what was wrong when it was last asked, and when it is asked next. */
export interface TeamConnection {
  server?: TeamServer;
  next?: NodeJS.Timeout;
  trouble?: string | undefined;
  /** When it could not be reached, by `performance.now()`. */
  failedMs?: number | undefined;
}

export function openWorkspace(options: OpenOptions): Workspace {
  const env = options.env ?? process.env;
  return {
    cwd: options.cwd ?? process.cwd(),
    env,
    places: { ...findPlaces(env), ...(options.policy !== undefined && { policy: options.policy }) },
    now: options.now ?? (() => new Date()),
    program: options.program,
    onStale: options.onStale,
    timer: options.isResident === true ? {} : undefined,
    afterwards: new DeferredWork(env, options.isResident === true),
    opened: new Map(),
    teams: new Map(),
  };
}

/** Waits until generated files and history of all stores that were written to are up to date. */
export async function reconcileStores({ opened }: Workspace): Promise<Problem[]> {
  return (await Promise.all([...opened.values()].map((store) => store.finish()))).flat();
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

/** So many indexes stay open in a process: those of a session's stores, and of other directories in which it works. */
const MAX_OPEN = 16;
const kept = new Map<string, { stamp: string; opened: { reader: IndexReader } }>();

/** Closes the indexes below a directory, each once no call reads it any more. */
export function closeIndexes(above = ""): void {
  for (const [directory, { opened }] of kept) {
    if (!directory.startsWith(above)) continue;
    kept.delete(directory);
    opened.reader.close();
  }
}

interface Call {
  /** A change was made for it: it must not be begun again as if nothing had happened. */
  hasChanged: boolean;
  /** Indexes that it reads. Undefined once it has ended. */
  held: Set<IndexReader> | undefined;
  /** By `performance.now()`: an event is answered by then, whatever it asks for. */
  deadlineAtMs: number;
  /** Stores that were not read to their end, by the directory of their index: nothing in the call tries again. */
  readonly cut: Map<string, object>;
}

/** Where one call stands: stores, types, settings, repository; each read once, when first asked for. */
export class Place {
  readonly workspace: Workspace;
  readonly call: Call;
  readonly cwd: string;
  readonly env: Workspace["env"];
  readonly places: Workspace["places"];
  readonly now: () => Date;
  #found: FoundStores | undefined;
  #isLearned = false;
  #repository: { read: Repository | undefined } | undefined;

  constructor(
    workspace: Workspace,
    call: Call = { hasChanged: false, held: new Set(), deadlineAtMs: Infinity, cut: new Map() },
    cwd: string = workspace.cwd,
  ) {
    this.workspace = workspace;
    this.call = call;
    this.cwd = cwd;
    ({ env: this.env, places: this.places, now: this.now } = workspace);
  }

  get found(): FoundStores {
    return (this.#found ??= findStores(this.cwd, this.places));
  }

  get stores(): StoreRef[] {
    return this.found.stores;
  }

  get types(): TypeTable {
    return this.found.types;
  }

  /** The repository at hand as this machine knows it; undefined outside of one. Starts no process. */
  get repository(): Repository | undefined {
    return (this.#repository ??= { read: readRepository(this.cwd, this.places) }).read;
  }

  /** Where work goes on: the root of the repository, or the folder where there is none. */
  get workRoot(): string {
    return this.repository?.root ?? this.cwd;
  }

  /** The repository at hand, after asking git for what this machine does not know of it yet. Not for prompts. */
  async learnRepository(): Promise<Repository | undefined> {
    if (!this.#isLearned) this.#repository = { read: await learnRepository(this.cwd, this.places) };
    this.#isLearned = true;
    return this.#repository?.read;
  }

  /** Learns a repository that this machine has not met in its folder, as one that was put back from a copy. */
  async meetRepository(): Promise<void> {
    if (this.stores.length > 0 && !this.#isLearned && !isRepositoryMet(this.cwd, this.places))
      await this.learnRepository();
  }

  here(): Here {
    const { repository, cwd } = this;
    return {
      repository: repository?.name,
      isRepositoryHere: (repo) =>
        repository === undefined ? repo === folderScope(cwd) : isSameRepository(repo, repository),
      branch: repository?.branch,
      worktree: repository?.root,
    };
  }

  /** Forgets what was read of the stores: this call has just made, attached or configured one. */
  lookAgain(): void {
    this.#found = undefined;
  }

  at(cwd: string): Place {
    return cwd === this.cwd ? this : this.again(cwd);
  }

  again(cwd = this.cwd): Place {
    this.call.cut.clear();
    return new Place(this.workspace, this.call, cwd);
  }

  /** The generation of an index that has this stamp, open until the call ends, and for later calls of the process. */
  keepOpen<Opened extends { reader: IndexReader }>(
    directory: string,
    stamp: string,
    open: () => Opened | undefined,
  ): Opened | undefined {
    const known = kept.get(directory) as { stamp: string; opened: Opened } | undefined;
    const isSame = known?.stamp === stamp;
    const opened = isSame ? known.opened : open();
    // Put last: the first is the one that nobody used for the longest time.
    kept.delete(directory);
    if (opened) kept.set(directory, { stamp, opened });
    if (known && !isSame) known.opened.reader.close();
    if (kept.size > MAX_OPEN) closeIndexes([...kept.keys()][0]);
    const { held } = this.call;
    if (opened && held && !held.has(opened.reader)) {
      held.add(opened.reader);
      opened.reader.hold();
    }
    return opened;
  }

  end(): void {
    for (const reader of this.call.held ?? []) reader.close();
    this.call.held = undefined;
  }
}

/** Runs again, once, over a damaged index. @throws HeedError `io-failed` when a change was made before. */
export async function withSoundIndex<T>(place: Place, run: (place: Place) => Promise<T>): Promise<T> {
  try {
    return await run(place);
  } catch (error) {
    if (!tellsOfDamage(error)) throw error;
    if (place.call.hasChanged)
      throw new HeedError(
        "io-failed",
        "the change was made, but an index turned out to be damaged before all that follows from it was done: look with heed undo --list before you do it again. The index is built again by itself",
        { operation: "read" },
        { cause: error },
      );
  }
  return run(place.again());
}

/** Whether an error is IndexDamage. Told by its name: a hook that has nothing to answer must not load the index for it. */
export function tellsOfDamage(error: unknown): boolean {
  return error instanceof Error && error.name === "IndexDamage";
}
