import type { Mode } from "../../store/config/store-config.ts";
import type { TypePolicy } from "../../memory/memory-type.ts";
import type { SavedTest, TestReport } from "./testing-api.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import type { ScrubReport, TrustReview } from "./safety-api.ts";
import type { BackfillOptions, BackfillReport, CaptureReport, Episode, TidyReport } from "./capture-api.ts";
import type {
  AnchorReport,
  Attestation,
  HealthReport,
  RepairResult,
  UseCounts,
  UseOutcome,
  VerifyResult,
} from "./freshness-api.ts";
import type { EventAnswer, EventReport, Explanation, Receipt, SessionEvent } from "./hook-api.ts";
import type { GuardList, GuardSuggestion, GuardTrial, TriedCall } from "./guard-api.ts";
import type {
  CheckReport,
  MemoryFilter,
  Overview,
  SearchAnswer,
  SearchRequest,
  ShownCard,
  ShownFile,
  ShownMemory,
  StatusReport,
} from "./reading-api.ts";
import type { JudgeStatus, JudgeTrial } from "./judge-api.ts";
import type { SemanticPlan, SemanticRequest, SemanticStatus } from "./semantic-api.ts";
import type {
  Actor,
  BlameLine,
  Change,
  Confirmation,
  DraftReading,
  MemoryChanges,
  MemoryDraft,
  PendingItem,
  SyncReport,
  WriteResult,
} from "./writing-api.ts";

/** How to open heed. */
export interface OpenOptions {
  /** The directory in which the agent or person works. Default: the process's own. */
  cwd?: string;
  /** Environment to read directories and switches from. Default: `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /**
   * The program that captures sessions in the background: a script that is started as `node PROGRAM capture`, detached,
   * when a session stops, is compacted or ends. Default: none; then the sessions wait for `capture()`.
   */
  program?: string;
  /** The clock. Default: the system's. */
  now?: () => Date;
  /**
   * The process stays while an agent works. Then a sentence model takes part in recall where the user has put one
   * (`heed semantic install`), and a judge where they set one up; a process that ends after its answer could not load or
   * ask it in time. Default false.
   */
  isResident?: boolean;
  /** Called after each event that was answered. Default: nobody is told. */
  onAnswered?: (report: EventReport) => void;
}

/** Reports how far a long job is. */
export type Progress = (done: number, total: number, what: string) => void;

/**
 * The one façade that every surface calls. A handle is a memory's name, `heed:name`, its id, or a unique beginning of
 * its id. Every method rejects with a HeedError whose message says what, where and the remedy.
 */
export interface Heed {
  /** The types that hold here, declared ones included. */
  types(): TypePolicy[];
  stores(): StoreRef[];

  /** Memories in a steady order: type, then name. */
  list(filter?: MemoryFilter): Promise<ShownCard[]>;
  /** `reader`: a memory that is held back is shown in full to a person alone; default: to nobody. */
  show(handle: string, store?: string, reader?: Actor): Promise<ShownMemory>;
  /** The file of a memory as it is, without secrets. Rejects with `gate-refused` for a text that is held back from the reader. */
  showFile(handle: string, store?: string, reader?: Actor): Promise<ShownFile>;
  search(request: SearchRequest): Promise<SearchAnswer>;
  overview(): Promise<Overview>;

  /** Writes a memory through the gates; a name or title that exists amends that memory. */
  write(draft: MemoryDraft, actor: Actor): Promise<WriteResult>;
  update(handle: string, changes: MemoryChanges, actor: Actor): Promise<WriteResult>;
  /**
   * Replaces the file of a memory by an edited text, front matter included, through the gates; keeps what heed does not
   * know. Rejects with `changed-outside` when the memory no longer has the content hash that the editor saw.
   */
  edit(handle: string, text: string, ifHash: string, actor: Actor): Promise<WriteResult>;
  /** Reads a markdown memory (front matter and text) as a draft, without writing it. */
  readDraft(text: string): Promise<DraftReading>;
  /** Gives a pending memory the user's word. */
  confirm(handle: string, confirmation: Confirmation, actor: Actor): Promise<WriteResult>;
  /** Drops a pending memory; it is not proposed again. */
  reject(handle: string, reason: string, actor: Actor): Promise<void>;
  /** `reader`: as for `show`. */
  pending(reader?: Actor): Promise<PendingItem[]>;
  /** Moves a memory to the tombstones, with the reason. */
  remove(handle: string, reason: string, actor: Actor): Promise<Change>;
  /** Brings a removed memory back. */
  restore(handle: string, actor: Actor): Promise<Change>;
  rename(handle: string, newName: string, actor: Actor): Promise<Change>;

  /** Attests a memory: what it claims is checked; refused when a claim is false or nothing was attested. */
  verify(handle: string, attestation: Attestation, actor: Actor): Promise<VerifyResult>;
  /**
   * Proposes to put right what a memory says of things that moved or changed; makes the change only when accepted.
   * Give the proposal's hash to accept exactly what was shown.
   */
  repair(
    handle: string,
    accepted: { isAccepted: boolean; ifHash?: string },
    actor: Actor,
  ): Promise<RepairResult>;
  /** Finds the claims that memories make about the repository at hand, and adds them when `isApplied`. */
  anchor(request: { handles?: readonly string[]; isApplied?: boolean }, actor: Actor): Promise<AnchorReport>;
  /** Takes down what came of a memory in the work. */
  recordUse(handle: string, report: { outcome: UseOutcome; note?: string }, actor: Actor): Promise<UseCounts>;
  /** What is wrong with the memories here, each finding with the command that settles it. */
  health(): Promise<HealthReport>;
  /** Looks over all claims here so that prompts find the verdicts ready; the number of stale memories. */
  refreshVerdicts(limitMs?: number): Promise<number>;

  /** Changes of one memory, or of all; newest first. */
  history(handle?: string, limit?: number): Promise<Change[]>;
  blame(handle: string): Promise<BlameLine[]>;
  /** Unified diff of a memory against its state before a change (default: before its last one). */
  diff(handle: string, change?: string): Promise<string>;
  /** Takes a change back (default: the last one), as a change of its own. */
  undo(change: string | undefined, actor: Actor): Promise<Change>;
  /** Carries the user store to a git remote and back. */
  sync(remote: string | undefined, progress?: Progress): Promise<SyncReport>;

  /**
   * Makes a store: the user's, or `.heed/` in the repository at hand. Keeps what is there. A `.heed/` that came with a
   * clone comes back with `isTrusted` false: its memories are data until `trust`.
   */
  init(kind: "user" | "project"): Promise<StoreRef>;
  /** What would take force when the project store at hand is trusted, or again after others have changed it. */
  reviewTrust(): Promise<TrustReview>;
  /**
   * Approves the project store at hand on this machine: its rules are in force from now on, in the texts that they have.
   * `token`: of the review that was shown; rejects with `changed-outside` when something changed since.
   */
  trust(token?: string): Promise<StoreRef>;
  /** Adds a directory of another tool; written only when `isWritable`. */
  attach(directory: string, isWritable?: boolean, actor?: Actor): Promise<StoreRef>;
  detach(directory: string): Promise<void>;
  check(): Promise<CheckReport>;
  reindex(progress?: Progress): Promise<StatusReport>;
  status(): Promise<StatusReport>;
  /**
   * Says how much is pushed: for the user, for the project at hand, or for one session. The session's own mode goes
   * before `HEED_MODE`, that before the project's, that before the user's.
   */
  setMode(mode: Mode, where: "user" | "project" | { session: string }): Promise<void>;

  /** The guards of the stores that hold here: in force or not, how often they fired. */
  guards(): Promise<GuardList>;
  /** What the guards in force would say to a tool use, step by step; nothing is run and no trace is left. */
  tryGuards(call: TriedCall): Promise<GuardTrial>;
  /** The guard that a rule's text states, where it states one plainly. */
  suggestGuard(handle: string): Promise<GuardSuggestion>;
  /** Puts a guard into a rule, the suggested one by default. Rejects with `gate-refused` for anybody but a person. */
  addGuard(handle: string, actor: Actor, guard?: Record<string, unknown>): Promise<Change>;
  /** Notes that the guards that fired in a receipt did so wrongly; resolves to which. */
  reportWrongGuard(receipt: string, actor: Actor): Promise<{ handle: string; number: number }[]>;

  /** Answers an event of an agent's session; never rejects, and ends within `deadlineMs` (default 1,000). */
  onEvent(event: SessionEvent, deadlineMs?: number): Promise<EventAnswer>;
  /** What would be injected for a prompt here and why, without leaving a trace; or what a past receipt says. */
  why(about: { prompt: string } | { receipt: string }): Promise<Explanation>;
  receipts(limit?: number): Promise<Receipt[]>;
  /**
   * Runs the cases of every store's `tests/*.yaml`: what a fresh session must and must not be told on a prompt.
   * `filter`: only those whose file, name or prompt contains it.
   */
  test(filter?: string): Promise<TestReport>;
  /** Records what a prompt would be told here, or what a past receipt says, as a case of `tests/recorded.yaml`. */
  saveTest(about: { prompt: string } | { receipt: string }): Promise<SavedTest>;

  /** Captures the sessions that wait: episode, proposals, solutions. */
  capture(): Promise<CaptureReport>;
  /** The last session of this repository and branch; undefined when none was recorded. */
  resume(): Promise<Episode | undefined>;
  /** Reads old transcripts, the newest first, and tells what it would propose; with `isApplied` it does. Resumable. */
  backfill(options?: BackfillOptions, progress?: Progress): Promise<BackfillReport>;
  /** Upkeep: tells what it would do, or does it. Every step can be undone. */
  tidy(isApplied?: boolean): Promise<TidyReport>;
  /**
   * Takes a leaked value out of every file that heed owns; tells what it would do unless `isApplied`. For a person
   * alone, as it cannot be undone.
   */
  scrub(value: string, actor: Actor, isApplied?: boolean): Promise<ScrubReport>;

  /** Whether a sentence model takes part in recall on this machine, and which. */
  semanticStatus(): Promise<SemanticStatus>;
  /** Says what `installSemantic` would fetch; asks the registry and fetches nothing else. */
  planSemantic(request: SemanticRequest): Promise<SemanticPlan>;
  /** Fetches, checks and unpacks what a plan says; the user must have agreed to it. */
  installSemantic(plan: SemanticPlan, progress?: Progress): Promise<SemanticStatus>;
  /** Removes what was installed, and the vectors of the stores at hand. */
  removeSemantic(): Promise<{ removed: string[] }>;

  /** Whether a judge is set up on this machine, and what it has cost. Asks nobody. */
  judgeStatus(): Promise<JudgeStatus>;
  /** Asks the judge that is set up once, about memories made up for it. Rejects with `invalid-input` when there is none. */
  tryJudge(): Promise<JudgeTrial>;

  /** Finishes writes and gives back memory. */
  close(): Promise<void>;
}
