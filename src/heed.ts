import type { Methods, Takes } from "./here/api/schema.ts";
import { anyText, callback, either, flag, oneOf, optional, shape, text } from "./here/api/schema.ts";
import type { OpenOptions } from "./here/api/setup-reports.ts";
import type { SessionEvent } from "./here/api/session-events.ts";
import type { WriteResult } from "./here/api/written-memory.ts";
import { DeferredWork, callerOf, requireArguments } from "./here/call.ts";
import type { Place } from "./here/place.ts";
import { openWorkspace, reconcileStores } from "./here/workspace.ts";
import { HeedError } from "./machine/heed-error.ts";
import { CONSENT, type ConsentApi } from "./facade/consent.ts";
import { CONVERSATIONS, type ConversationsApi } from "./facade/conversations.ts";
import { EXCHANGE, type ExchangeApi } from "./facade/exchange.ts";
import { GUARDS, type GuardsApi } from "./facade/guards.ts";
import { HISTORY, type HistoryApi } from "./facade/history.ts";
import { INBOX, type InboxApi } from "./facade/inbox.ts";
import { LEARNING, type LearningApi } from "./facade/learning.ts";
import { MEMORIES, type MemoriesApi } from "./facade/memories.ts";
import { MEMORY_TOOL, type MemoryToolApi } from "./facade/memory-tool.ts";
import { ANSWER, SESSION, type SessionApi } from "./facade/session.ts";
import { SETUP, type SetupApi } from "./facade/setup.ts";
import { MAINTENANCE, type MaintenanceApi } from "./facade/maintenance.ts";

export type * from "./here/api/exchange-reports.ts";
export type * from "./here/api/inbox.ts";
export type * from "./here/api/conversations.ts";
export type * from "./here/api/guard-reports.ts";
export type * from "./here/api/maintenance-reports.ts";
export type * from "./here/api/written-memory.ts";
export type * from "./here/api/setup-reports.ts";
export type * from "./here/api/session-events.ts";
export type * from "./here/api/shown-memory.ts";
export type { SectionChanges } from "./memory/codec/sections.ts";
export type { HeedErrorCode } from "./machine/heed-error.ts";
export type { Problem } from "./machine/problem.ts";
export type { MemoryMetadata, StoreKind } from "./memory/memory.ts";
export type { Relation, RelationKind } from "./memory/memory.ts";
export type { Mode } from "./store/config/store-config.ts";
export type { TypePolicy } from "./memory/memory-type.ts";
export type { StoreRef } from "./memory/memory.ts";
export { HeedError };
export { LIMITS } from "./memory/limits.ts";
export type { Limits } from "./memory/limits.ts";
/** @internal */
export { findPlaces, recordFolders, startsFolder } from "./machine/places.ts";
/** @internal */
export { isCommandOfCall } from "./here/records/heed-in-calls.ts";
/** @internal */
export { redactValue } from "./memory/screening/find-secrets.ts";
/** @internal */
export { logTrouble } from "./here/trouble-log.ts";

export type * from "./facade/consent.ts";
export type * from "./facade/conversations.ts";
export type * from "./facade/exchange.ts";
export type * from "./facade/guards.ts";
export type * from "./facade/history.ts";
export type * from "./facade/inbox.ts";
export type * from "./facade/learning.ts";
export type * from "./facade/memories.ts";
export type * from "./facade/memory-tool.ts";
export type * from "./facade/session.ts";
export type * from "./facade/setup.ts";
export type * from "./facade/maintenance.ts";
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
  /** What needs the user's approval. */
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
  readonly maintenance: MaintenanceApi;
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
    Object.entries<{ takes: Takes; isForPage: boolean }>(methods).map(([name, row]) => [
      `${group}.${name}`,
      row,
    ]),
  ),
);

/** `now` is a function here; what it answers is looked at whenever it is asked. */
const OPEN_OPTIONS = optional(
  shape<OpenOptions>({
    cwd: optional(either("the path of a directory", oneOf(""), text())),
    env: optional({ type: "object", additionalProperties: optional(anyText), give: "an object of texts" }),
    program: optional(text("the path of a program")),
    policy: optional(text("the path of a file")),
    now: optional(callback),
    isResident: optional(flag),
    onAnswered: optional(callback),
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
  const workspace = openWorkspace(options, async (machine) => {
    const { readLearnSetting } = await import("./here/user-config.ts");
    const { mode, problems } = readLearnSetting(machine);
    if (mode !== "model" && problems.length === 0) return undefined;
    return (await import("./past/learner/learner.ts")).openLearner(machine);
  });
  const afterwards = new DeferredWork(workspace.env, options.isResident === true);
  const { group, callAlways } = callerOf(workspace, afterwards);
  const facade = Object.fromEntries(
    Object.entries(GROUPS).map(([name, methods]) => [name, group(methods as Methods<never>)]),
  ) as unknown as Omit<Heed, "close">;
  return {
    ...facade,
    session: {
      ...facade.session,
      answer: callAlways(
        ANSWER,
        async (place, event: SessionEvent, options?: { deadlineMs?: number | undefined }) => {
          const { answerEvent } = await import("./session/answer-event.ts");
          const startedMs = performance.now();
          const wholeMs = options?.deadlineMs ?? 1000;
          // What the servers of teams took of the time is not there twice.
          const deadlineMs = wholeMs - (await refreshed(place, event, wholeMs / 3));
          const answer = await answerEvent(
            place,
            event,
            afterwards,
            deadlineMs,
            async (there, formula, about) =>
              (await import("./session/asking/answer-question.ts")).runFormula(there, formula, about),
          );
          const leftMs = startedMs + wholeMs - performance.now();
          if (event.kind === "compaction")
            await (await import("./past/capture-waiting.ts")).captureNow(place, event, leftMs);
          return answer;
        },
        () => ({}),
      ),
    },
    close: async () => {
      afterwards.finish();
      await reconcileStores(workspace);
      if (workspace.teams.size > 0) await (await import("./here/team-stores.ts")).closeTeams(workspace);
    },
  };
}

/** How long an event waits for a team's server at most, in milliseconds; others go by the last state. */
const TEAM_MS: Partial<Record<string, number>> = { "session-start": 1_500, prompt: 1_000 };

/** Brings in what a team's server has, before a context is told of it, and gives the milliseconds that it took. */
async function refreshed(place: Place, event: SessionEvent, partMs: number): Promise<number> {
  const startedMs = performance.now();
  const deadlineMs = Math.min(TEAM_MS[event.kind] ?? 0, partMs);
  if (deadlineMs === 0 || !place.found.hasServers) return 0;
  const { findOnServers, refreshTeams } = await import("./here/team-stores.ts");
  await refreshTeams(place, deadlineMs);
  if (event.kind === "prompt") await findOnServers(place, event.prompt, deadlineMs);
  return performance.now() - startedMs;
}
