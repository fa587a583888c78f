import type { ConsentApi } from "./consent.ts";
import type { ConversationsApi } from "./conversations.ts";
import type { EventReport } from "./session-events.ts";
import type { ExchangeApi } from "./exchange.ts";
import type { GuardsApi } from "./guards.ts";
import type { HistoryApi } from "./history.ts";
import type { InboxApi } from "./inbox.ts";
import type { LearningApi } from "./learning.ts";
import type { MemoriesApi } from "./memories.ts";
import type { MemoryToolApi } from "./memory-tool.ts";
import type { SessionApi } from "./session.ts";
import type { SetupApi } from "./setup.ts";
import type { UpkeepApi } from "./upkeep.ts";

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

/**
 * The one façade that every surface calls. A handle is a memory's name, `heed:name`, its id, or a unique beginning of
 * its id. A method takes first what it is about, then an object of options, then who acts, or who is told how far it is.
 * What tells first what it would do does it with `isApplied`, and its report says whether it did.
 *
 * What a method refuses rejects with a HeedError whose message says what, where and the remedy. Besides the codes that a method
 * names, any can come with `io-failed` (the file system refuses), one that reads or writes a history with `git-failed`,
 * and one that writes with `locked` (another process does, and did not finish in time). See docs/library.md.
 */
export interface Heed {
  /** The memories that hold here: found, read, written. */
  readonly memories: MemoriesApi;
  /** What waits for the user's word. */
  readonly inbox: InboxApi;
  /** What the user is asked, and their answers. */
  readonly consent: ConsentApi;
  /** What changed, when and why; and taking it back. */
  readonly history: HistoryApi;
  /** What was said in past sessions. */
  readonly conversations: ConversationsApi;
  /** Rules that are enforced at tool use. */
  readonly guards: GuardsApi;
  /** What a session is told, and what it was told. */
  readonly session: SessionApi;
  /** What is kept of sessions. */
  readonly learning: LearningApi;
  /** Whether memories are sound, and keeping them so. */
  readonly upkeep: UpkeepApi;
  /** A store as the directory of the memory tool of Anthropic's API. */
  readonly memoryTool: MemoryToolApi;
  /** Memories of other tools in, heed's own out. */
  readonly exchange: ExchangeApi;
  /** Stores, trust, modes and optional parts on this machine. */
  readonly setup: SetupApi;
  /**
   * Finishes what is still to be written, and gives back memory.
   *
   * @throws HeedError The codes that every method can come with.
   * @example
   * await heed.close();
   */
  close(): Promise<void>;
}
