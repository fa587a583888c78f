import {
  type Api,
  type Takes,
  anyText,
  callback,
  either,
  flag,
  oneOf,
  optional,
  shape,
  text,
} from "./here/schema.ts";
import type { OpenOptions } from "./here/open-options.ts";
import { openWorkspace, reconcileStores, closeIndexes } from "./here/place.ts";
import type { WriteResult } from "./write/memory-of-draft.ts";
import { methodsOf, requireArguments } from "./here/call.ts";
import { HeedError } from "./machine/heed-error.ts";
import { CONSENT } from "./facade/consent.ts";
import { CONVERSATIONS } from "./facade/conversations.ts";
import { EXCHANGE } from "./facade/exchange.ts";
import { GUARDS } from "./facade/guards.ts";
import { HISTORY } from "./facade/history.ts";
import { INBOX } from "./facade/inbox.ts";
import { LEARNING } from "./facade/learning.ts";
import { MEMORIES } from "./facade/memories.ts";
import { MEMORY_TOOL } from "./facade/memory-tool.ts";
import { SESSION } from "./facade/session.ts";
import { SETUP } from "./facade/setup.ts";
import { MAINTENANCE } from "./facade/maintenance.ts";

export type * from "./here/records/session-events.ts";
export type { ExportFormat, ExportRequest, ExportReport } from "./care/exchange/export-memories.ts";
export type { ForeignStore } from "./care/exchange/find-foreign-stores.ts";
export type { ImportedMemory, ImportRequest } from "./care/exchange/import-plan.ts";
export type { ImportReport } from "./care/exchange/import-memories.ts";
export type { SkillsRequest, SkillsReport } from "./care/exchange/sync-skills.ts";
export type { TeamReport, TeamChange } from "./care/setup/join-team.ts";
export type { OpenOptions } from "./here/open-options.ts";
export type { CheckDiffRequest, DiffReport } from "./care/check-diff.ts";
export type { CheckReport } from "./care/check-stores.ts";
export type { DiffFinding } from "./care/force-changes.ts";
export type { HealthFinding, HealthKind, HealthReport, HealthSection, Remedy } from "./care/health.ts";
export type { MemoryToolCommand } from "./care/run-memory-tool.ts";
export type { ScrubReport } from "./care/setup/scrub-value.ts";
export type { MapSetting, ClientMemoryReport } from "./care/setup/settings.ts";
export type { StatusReport, Overview } from "./care/setup/status.ts";
export type { SyncReport } from "./care/setup/sync-stores.ts";
export type { MemorySummary } from "./care/summarise-memories.ts";
export type { TidyStep, TidyReport } from "./care/tidy.ts";
export type { Attestation, VerifyResult, RepairRequest, RepairResult } from "./care/verify-memory.ts";
export type { ClaimCheck, BrokenClaim, Standing, Verdict } from "./freshness/verdict.ts";
export type { TrustEntry, TrustReview } from "./here/consent/trust-entries.ts";
export type { Change } from "./here/opened-stores.ts";
export type { MemoryFilter, SearchRequest, SearchHit, SearchAnswer } from "./here/reading/find-memories.ts";
export type {
  ShowOptions,
  ShownMetadata,
  ShownMemory,
  ShownFile,
  ShownMemories,
} from "./here/reading/find-memory.ts";
export type { Explanation } from "./here/records/receipt-log.ts";
export type {
  NewMemory,
  Actor,
  GateRefusal,
  NearMemory,
  MemoryDraft,
  MemoryMetadata,
  StoreKind,
  StoreRef,
} from "./memory/memory.ts";
export type { CapturedSession } from "./past/capture-session.ts";
export type { CaptureReport } from "./past/capture-waiting.ts";
export type {
  ConversationRequest,
  ShownPassage,
  ConversationPlace,
  ConversationAnswer,
  ShownConversation,
} from "./past/conversations/search-conversations.ts";
export type { LearnDay, LearnStatus } from "./past/learner/learner.ts";
export type { Answered } from "./session/asking/answer-question.ts";
export type { DialogRequest, Box } from "./session/asking/next-dialog.ts";
export type {
  GuardList,
  TriedCall,
  TriedStep,
  GuardReport,
  GuardTrial,
  RuleOutcome,
  RuleRecord,
  RuleRecords,
} from "./session/guards/look-at-guards.ts";
export type { GuardRecipe } from "./session/guards/guard-recipes.ts";
export type { GuardReplay, PastRequest } from "./session/guards/replay-guard.ts";
export type { SessionMap } from "./session/map-here.ts";
export type { Question } from "./session/open-questions.ts";
export type { Confirmation, PendingItem } from "./write/answer-inbox.ts";
export type { WriteResult } from "./write/memory-of-draft.ts";
export type { RemovalReason } from "./write/move-memory.ts";
export type { RollBackRequest, RollBackReport, UndoRequest } from "./write/undo-change.ts";
export type { DraftReading, MemoryChanges } from "./write/write-memory.ts";
export type { SectionChanges } from "./memory/codec/sections.ts";
export type { GateName, HeedErrorCode, Problem } from "./machine/heed-error.ts";
export type { Mode } from "./store/config/store-config.ts";
export { HeedError };
export { LIMITS, type Limits } from "./memory/limits.ts";
/** @internal */
export { findPlaces, recordFolders, startsFolder } from "./machine/places.ts";
/** @internal */
export { isCommandOfCall, wholeCommand } from "./here/records/heed-in-calls.ts";
/** @internal */
export { isNewMachine } from "./here/records/session-state.ts";
/** @internal */
export { redactValue } from "./memory/screening/find-secrets.ts";
/** @internal */
export { logTrouble } from "./here/trouble-log.ts";

/**
 * The one façade that every surface calls. A handle is a memory's name, `heed:name`, its id, or a unique beginning of
 * its id. A method takes first what it is about, then an object of options, then who acts, or who is told how far it is.
 * What tells first what it would do does it with `isApplied`, and its report says whether it did.
 *
 * What a method refuses rejects with a HeedError whose message says what, where and the remedy. Besides the codes that a method
 * names, any can come with `io-failed` (the file system refuses), one that reads or writes a history with `git-failed`,
 * and one that writes with `locked` (another process does, and did not finish in time). See docs/reference/library.md.
 */
export interface Heed {
  /**
   * The memories that hold here: found, read, written.
   *
   * @example
   * const draft = { type: "reference", statement: "on-call rota of billing: https://pager.example.com/r7" };
   * const { outcome } = await heed.memories.write(draft, person);
   * const { hits } = await heed.memories.search({ query: "on-call rota", limit: 3 });
   * const { body } = await heed.memories.show(hits[0]?.metadata.name ?? "");
   * [outcome, body.includes("pager")]; // → ["written", true]
   */
  readonly memories: Api<typeof MEMORIES>;
  /**
   * What needs the user's approval.
   *
   * @example
   * const [item] = await heed.inbox.list({ reader: person });
   * const { outcome } = await heed.inbox.confirm(item?.name ?? "", {}, person);
   * [item?.name, outcome]; // → ["short-answers", "written"]
   */
  readonly inbox: Api<typeof INBOX>;
  /**
   * What the user is asked, and their answers.
   *
   * @example
   * const [question] = await heed.consent.questions();
   * const { isDone } = await heed.consent.answer(question?.code ?? "", "yes", person);
   * [question?.kind, isDone]; // → ["keep", true]
   */
  readonly consent: Api<typeof CONSENT>;
  /**
   * What changed, when and why; and taking it back.
   *
   * @example
   * const diff = await heed.history.diff("budget-board");
   * const { summary } = await heed.history.undo({ change }, person);
   * [diff.includes("+  type: reference"), summary.startsWith("undo")]; // → [true, true]
   */
  readonly history: Api<typeof HISTORY>;
  /**
   * What was said in past sessions.
   *
   * @example
   * const { conversations } = await heed.conversations.search({ text: "error budget" });
   * const shown = heed.conversations.show({ session: "s2" });
   * [conversations, await shown.catch(({ code }) => code)]; // → [[], "not-found"]
   */
  readonly conversations: Api<typeof CONVERSATIONS>;
  /**
   * Rules that are enforced at tool use.
   *
   * @example
   * const guard = "{ command: git push, flags: [--force] }";
   * const { summary } = await heed.guards.replay("no-force-push", { guard });
   * await heed.guards.add("no-force-push", { guard }, person);
   * const { action } = await heed.guards.try({ input: { command: "git push --force" } });
   * [summary.includes("30 days"), action]; // → [true, "deny"]
   */
  readonly guards: Api<typeof GUARDS>;
  /**
   * What a session is told, and what it was told.
   *
   * @example
   * const event = { kind: "prompt", prompt: "where is the error budget board?", session: "s2", cwd, client: "test" } as const;
   * const { context, receipt: told } = await heed.session.answer(event, { deadlineMs: 15_000 });
   * const [newest] = await heed.session.receipts({ limit: 1 });
   * [context?.includes("heed:budget-board"), newest?.id === told]; // → [true, true]
   */
  readonly session: Api<typeof SESSION>;
  /**
   * What is kept of sessions.
   *
   * @example
   * const { sessions, problems } = await heed.learning.capture();
   * [sessions.length, problems]; // → [0, []]
   */
  readonly learning: Api<typeof LEARNING>;
  /**
   * Whether memories are sound, and keeping them so.
   *
   * @example
   * const { errors } = await heed.maintenance.check();
   * const { outcome } = await heed.maintenance.verify("budget-board", { note: "opened the board today" }, person);
   * [errors, outcome]; // → [0, "verified"]
   */
  readonly maintenance: Api<typeof MAINTENANCE>;
  /**
   * A store as the directory of the memory tool of Anthropic's API.
   *
   * @example
   * const told = await heed.memoryTool.run({ command: "view", path: "/memories/none.md" }, { kind: "model" });
   * told; // → "Error: The path /memories/none.md does not exist. Please provide a valid path."
   */
  readonly memoryTool: Api<typeof MEMORY_TOOL>;
  /**
   * Memories of other tools in, heed's own out.
   *
   * @example
   * const { files } = await heed.exchange.exportAs({ format: "json" });
   * files.map(({ path }) => path); // → ["heed-memories.json"]
   */
  readonly exchange: Api<typeof EXCHANGE>;
  /**
   * Stores, trust, modes and optional parts on this machine.
   *
   * @example
   * const { kind, isTrusted } = await heed.setup.init("project");
   * const { mode } = await heed.setup.status();
   * [kind, isTrusted, mode]; // → ["project", true, "typed"]
   */
  readonly setup: Api<typeof SETUP>;
  /**
   * Finishes what is still to be written, and gives back memory.
   *
   * @throws HeedError The codes that every method can come with.
   * @example
   * await heed.close();
   */
  close(): Promise<void>;
}

/**
 * What came of a write, for a program to which a refusal is an error: `accepted(await heed.memories.write(draft, actor))`.
 * For `update`, `edit` and the inbox too. What waits for the user is no refusal.
 *
 * @throws HeedError `gate-refused`, with the refusals in its message and as `refusals` in its data.
 */
export function accepted(result: WriteResult): Exclude<WriteResult, { outcome: "refused" }> {
  if (result.outcome !== "refused") return result;
  const { refusals } = result;
  const message = refusals.map(({ gate, reason, remedy }) => `${gate}: ${reason}. ${remedy}`).join("\n");
  throw new HeedError("gate-refused", message, { ...refusals[0], refusals });
}

const GROUPS = {
  memories: MEMORIES,
  inbox: INBOX,
  consent: CONSENT,
  history: HISTORY,
  conversations: CONVERSATIONS,
  guards: GUARDS,
  session: SESSION,
  learning: LEARNING,
  maintenance: MAINTENANCE,
  memoryTool: MEMORY_TOOL,
  exchange: EXCHANGE,
  setup: SETUP,
};

/** What each method takes, by its path (`memories.list`), and whether the page may call it. @internal */
export const METHODS: Readonly<Record<string, { takes: Takes; isForPage: boolean }>> = Object.fromEntries(
  Object.entries(GROUPS).flatMap(([group, methods]) =>
    Object.entries(methods).map(([name, row]) => [`${group}.${name}`, row]),
  ),
);

const OPEN_OPTIONS = optional(
  shape<OpenOptions>({
    cwd: optional(either("the path of a directory", oneOf(""), text())),
    env: optional({ type: "object", additionalProperties: optional(anyText), give: "an object of texts" }),
    program: optional(text("the path of a program")),
    policy: optional(text("the path of a file")),
    now: optional(callback),
    isResident: optional(flag),
    onStale: optional(callback),
  }),
);

/**
 * Opens heed for a working directory. Starts no process and reads nothing until a method asks for it; parts that the
 * hot paths do not need are loaded when they are first used.
 *
 * @throws HeedError `invalid-input` for an invalid option.
 */
export function openHeed(options: OpenOptions = {}): Heed {
  requireArguments({ options: OPEN_OPTIONS }, [options]);
  const workspace = openWorkspace(options);
  const group = methodsOf(workspace);
  return {
    ...(Object.fromEntries(
      Object.entries(GROUPS).map(([name, methods]) => [name, group(methods)]),
    ) as unknown as Omit<Heed, "close">),
    close: async () => {
      workspace.afterwards.finish();
      await reconcileStores(workspace);
      closeIndexes(workspace.places.cache);
      if (workspace.teams.size > 0) (await import("./here/team-stores.ts")).closeTeams(workspace);
    },
  };
}
