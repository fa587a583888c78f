import { ARGUMENTS, OPEN_OPTIONS } from "./app/api/arguments.ts";
import type { Heed, OpenOptions } from "./app/api/heed.ts";
import type { StatusReport } from "./app/api/setup-reports.ts";
import { DeferredWork, callerOf, requireArguments } from "./app/place/call.ts";
import type { Place } from "./app/place/place.ts";
import { openWorkspace, settleStores } from "./app/place/workspace.ts";
import { LateSearchByMeaning } from "./optional/semantic/late-search-by-meaning.ts";
import { repositoryLabel } from "./git/repository-label.ts";
import { HeedError } from "./errors/heed-error.ts";

export type * from "./app/api/exchange.ts";
export type * from "./app/api/exchange-reports.ts";
export type * from "./app/api/consent.ts";
export type * from "./app/api/conversations.ts";
export type * from "./app/api/guard-reports.ts";
export type * from "./app/api/guards.ts";
export type * from "./app/api/health-report.ts";
export type * from "./app/api/heed.ts";
export type * from "./app/api/history.ts";
export type * from "./app/api/inbox.ts";
export type * from "./app/api/learn-status.ts";
export type * from "./app/api/learning.ts";
export type * from "./app/api/learning-reports.ts";
export type * from "./app/api/memories.ts";
export type * from "./app/api/memory-tool.ts";
export type * from "./app/api/progress.ts";
export type * from "./app/api/remedy.ts";
export type * from "./app/api/semantic-status.ts";
export type * from "./app/api/session.ts";
export type * from "./app/api/session-map.ts";
export type * from "./app/api/session-events.ts";
export type * from "./app/api/setup.ts";
export type * from "./app/api/setup-reports.ts";
export type * from "./app/api/shown-memory.ts";
export type * from "./app/api/test-report.ts";
export type * from "./app/api/upkeep.ts";
export type * from "./app/api/upkeep-reports.ts";
export type * from "./app/api/written-memory.ts";
export type { SectionChanges } from "./memory/codec/replace-sections.ts";
export type { HeedErrorCode } from "./errors/heed-error.ts";
export type { Problem } from "./errors/problem.ts";
export type { MemoryCard, StoreKind } from "./memory/memory-card.ts";
export type { Relation, RelationKind } from "./memory/relation.ts";
export type { Mode } from "./store/config/store-config.ts";
export type { TypePolicy } from "./memory/memory-type.ts";
export type { StoreRef } from "./memory/store-ref.ts";
export { HeedError };
export { LIMITS } from "./memory/limits.ts";
export type { Limits } from "./memory/limits.ts";
export { findPlaces, recordFolders } from "./platform/places.ts";
export { redactValue } from "./screening/redact-value.ts";
export { logTrouble } from "./app/place/trouble-log.ts";

/**
 * Opens heed for a working directory. Starts no process and reads nothing until a method asks for it; parts that the
 * hot paths do not need are loaded when they are first used.
 *
 * @throws HeedError `invalid-input` for an option that is none.
 */
export function openHeed(options: OpenOptions = {}): Heed {
  requireArguments([OPEN_OPTIONS], [options]);
  const workspace = openWorkspace(options);
  if (options.isResident === true) {
    workspace.optional.searchByMeaning = new LateSearchByMeaning(async () => {
      const { openSearchByMeaning } = await import("./optional/semantic/open-search-by-meaning.ts");
      return openSearchByMeaning(workspace);
    });
  }
  workspace.optional.learner = async () => {
    const { readLearnSetting } = await import("./app/place/user-config.ts");
    const { mode, problems } = readLearnSetting(workspace);
    if (mode !== "model" && problems.length === 0) return undefined;
    return (await import("./optional/learner/learner.ts")).openLearner(workspace);
  };
  const afterwards = new DeferredWork(workspace.env, options.isResident === true);
  const { calls, callAlways, callNow } = callerOf(workspace, afterwards);
  return {
    memories: {
      types: callNow((place) => place.types.all()),
      ...calls<Omit<Heed["memories"], "types">>(ARGUMENTS.memories, {
        list: async (place, filter) =>
          (await import("./app/reading/find-memories.ts")).listMemories(place, filter),
        survey: async (place, filter) =>
          (await import("./app/survey/survey-memories.ts")).surveyMemories(place, filter),
        watch: async (place, onChange) =>
          (await import("./app/survey/watch-place.ts")).watchPlace(place, onChange),
        show: async (place, handle, options) =>
          (await import("./app/reading/show-memory.ts")).showMemory(place, handle, options),
        showAll: async (place, handles, options) =>
          (await import("./app/reading/show-memories.ts")).showMemories(place, handles, options),
        showFile: async (place, handle, options) =>
          (await import("./app/reading/show-memory.ts")).showFile(place, handle, options),
        search: async (place, request) =>
          (await import("./app/reading/find-memories.ts")).searchMemories(place, request),
        overview: async (place) => (await import("./app/setup/status.ts")).overviewOf(place),
        readDraft: async (place, text) =>
          (await import("./app/writing/read-draft.ts")).readDraft(place, text),
        write: async (place, draft, actor) =>
          (await import("./app/writing/write-memory.ts")).writeMemory(place, draft, actor),
        update: async (place, handle, changes, actor) =>
          (await import("./app/writing/write-memory.ts")).updateMemory(place, handle, changes, actor),
        edit: async (place, handle, edited, actor) =>
          (await import("./app/writing/write-memory.ts")).editMemory(
            place,
            handle,
            edited.text,
            edited.ifHash,
            actor,
          ),
        remove: async (place, handle, reason, actor) =>
          (await import("./app/writing/move-memory.ts")).removeMemory(place, handle, reason, actor),
        restore: async (place, handle, actor) =>
          (await import("./app/writing/move-memory.ts")).restoreMemory(place, handle, actor),
        rename: async (place, handle, newName, actor) =>
          (await import("./app/writing/move-memory.ts")).renameMemory(place, handle, newName, actor),
        renameScope: async (place, request, actor) =>
          (await import("./app/writing/move-memory.ts")).renameScope(place, request, actor),
      }),
    },
    inbox: calls<Heed["inbox"]>(ARGUMENTS.inbox, {
      list: async (place, options = {}) =>
        (await import("./app/writing/pending-items.ts")).listPending(place, options.reader),
      confirm: async (place, handle, confirmation, actor) =>
        (await import("./app/writing/answer-inbox.ts")).confirmMemory(place, handle, confirmation, actor),
      reject: async (place, handle, reason, actor) =>
        (await import("./app/writing/answer-inbox.ts")).rejectMemory(place, handle, reason, actor),
      restore: async (place, handle, actor) =>
        (await import("./app/writing/answer-inbox.ts")).restorePending(place, handle, actor),
    }),
    consent: calls<Heed["consent"]>(ARGUMENTS.consent, {
      questions: async (place) => (await import("./app/asking/answer-question.ts")).questionsHere(place),
      answer: async (place, code, answer, actor) =>
        (await import("./app/asking/answer-question.ts")).answerQuestion(place, code, answer, actor),
      nextBox: async (place, about) => (await import("./app/asking/next-box.ts")).nextBox(place, about),
    }),
    history: calls<Heed["history"]>(ARGUMENTS.history, {
      list: async (place, { handle, limit } = {}) =>
        (await import("./app/history/memory-history.ts")).listHistory(place, handle, limit),
      blame: async (place, handle) =>
        (await import("./app/history/memory-history.ts")).blameMemory(place, handle),
      diff: async (place, handle, { change } = {}) =>
        (await import("./app/history/memory-history.ts")).diffMemory(place, handle, change),
      undo: async (place, { change }, actor) =>
        (await import("./app/history/undo-change.ts")).undoChange(place, change, actor),
      rollBack: async (place, request, actor) =>
        (await import("./app/history/roll-back.ts")).rollBack(place, request, actor),
    }),
    conversations: calls<Heed["conversations"]>(ARGUMENTS.conversations, {
      search: async (place, request) =>
        (await import("./app/conversations/search-conversations.ts")).searchConversations(place, request),
      show: async (place, about) =>
        (await import("./app/conversations/search-conversations.ts")).showConversation(place, about),
    }),
    guards: calls<Heed["guards"]>(ARGUMENTS.guards, {
      list: async (place) => (await import("./app/guards/look-at-guards.ts")).listGuards(place),
      try: async (place, use) => (await import("./app/guards/look-at-guards.ts")).tryGuards(place, use),
      add: async (place, handle, { guard }, actor) =>
        (await import("./app/guards/change-guards.ts")).addGuard(place, handle, guard, actor),
      reportWrong: async (place, receipt, actor) =>
        (await import("./app/guards/change-guards.ts")).markWrong(place, receipt, actor),
    }),
    session: {
      answer: callAlways(
        ARGUMENTS.session.answer,
        async (place, event, options) => {
          const { answerEvent } = await import("./app/session/answer-event.ts");
          return answerEvent(place, event, afterwards, options, async (there, formula, about) =>
            (await import("./app/asking/answer-question.ts")).runFormula(there, formula, about),
          );
        },
        () => ({}),
      ),
      ...calls<Omit<Heed["session"], "answer">>(ARGUMENTS.session, {
        opening: async (place, options) =>
          (await import("./app/session/open-context.ts")).openingText(place, options),
        why: async (place, about) => ({
          ...(await (await import("./app/session/explain.ts")).explain(place, about)),
          ...(await (await import("./app/place/claims-question.ts")).openQuestion(place)),
        }),
        map: async (place, request) => ({
          ...(await (await import("./app/session/map-here.ts")).printMap(place, request)),
          ...(await (await import("./app/place/claims-question.ts")).openQuestion(place)),
        }),
        receipts: async ({ places }, { limit, name } = {}) =>
          (await import("./app/records/receipt-log.ts")).readReceipts(places, limit, name),
        activity: async (place, { days } = {}) =>
          (await import("./app/survey/activity.ts")).activityOf(place, days),
        resume: async (place) => (await import("./app/session/unfinished-work.ts")).lastEpisodeHere(place),
        newest: async (place, client) =>
          (await import("./app/session/newest-session.ts")).newestSession(place, client),
      }),
    },
    learning: calls<Heed["learning"]>(ARGUMENTS.learning, {
      capture: async (place, options) =>
        (await import("./app/learning/capture-waiting.ts")).runCapture(place, options),
      backfill: async (place, request, progress) =>
        (await import("./app/learning/backfill.ts")).backfill(place, request, progress),
    }),
    upkeep: calls<Heed["upkeep"]>(ARGUMENTS.upkeep, {
      check: async (place) => (await import("./app/upkeep/check-stores.ts")).checkStores(place),
      health: async (place) => (await import("./app/upkeep/health.ts")).healthOf(place),
      verify: async (place, handle, attestation, actor) =>
        (await import("./app/upkeep/verify-memory.ts")).verifyMemory(place, handle, attestation, actor),
      repair: async (place, handle, request, actor) =>
        (await import("./app/upkeep/verify-memory.ts")).repairMemory(place, handle, request, actor),
      anchor: async (place, request, actor) =>
        (await import("./app/upkeep/anchor-memories.ts")).anchorMemories(place, request, actor),
      tidy: async (place, request) => (await import("./app/upkeep/tidy.ts")).tidy(place, request),
      reindex: async (place, progress) => {
        await (await import("./app/setup/status.ts")).reindexAll(place, progress);
        return wholeStatus(place);
      },
      refreshVerdicts: async (place, { limitMs } = {}) =>
        (await import("./app/claims/refresh-verdicts.ts")).refreshVerdicts(place, limitMs),
      test: async (place, { filter } = {}) =>
        (await import("./app/testing/run-tests.ts")).runTests(place, filter),
      saveTest: async (place, about) => (await import("./app/testing/save-test.ts")).saveTest(place, about),
    }),
    memoryTool: calls<Heed["memoryTool"]>(ARGUMENTS.memoryTool, {
      run: async (place, command, actor) =>
        (await import("./app/memory-tool/run-memory-tool.ts")).runMemoryTool(place, command, actor),
    }),
    exchange: calls<Heed["exchange"]>(ARGUMENTS.exchange, {
      sources: async (place) =>
        (await import("./app/exchange/find-foreign-stores.ts")).findForeignStores(place),
      importFrom: async (place, request, actor, progress) =>
        (await import("./app/exchange/import-memories.ts")).importMemories(place, request, actor, progress),
      exportAs: async (place, request) =>
        (await import("./app/exchange/export-memories.ts")).exportMemories(place, request),
    }),
    setup: {
      stores: callNow((place) => place.stores),
      repositoryLabel: callNow(
        (place, name: string) => repositoryLabel(name, place.places),
        ARGUMENTS.setup.repositoryLabel,
      ),
      ...calls<Omit<Heed["setup"], "repositoryLabel" | "stores" | "semantic">>(ARGUMENTS.setup, {
        init: async (place, kind, actor) =>
          (await import("./app/writing/make-store.ts")).makeStore(place, kind, actor),
        attach: async (place, directory, request, actor) =>
          (await import("./app/setup/attach-store.ts")).attachStore(place, directory, request, actor),
        detach: async (place, directory) =>
          (await import("./app/setup/attach-store.ts")).detachStore(place, directory),
        sync: async (place, { remote } = {}, progress) =>
          (await import("./app/setup/sync-stores.ts")).syncStores(place, remote, progress),
        reviewTrust: async (place, { store } = {}) =>
          (await import("./app/setup/trust-store.ts")).reviewTrust(place, store),
        trust: async (place, { token, store } = {}) =>
          (await import("./app/setup/trust-store.ts")).trustStoreHere(place, token, store),
        answerClaims: async (place, answer) =>
          (await import("./app/setup/trust-store.ts")).answerPlace(place, answer),
        scrub: async (place, value, request, actor) =>
          (await import("./app/setup/scrub-value.ts")).scrubValue(place, value, request, actor),
        setMode: async (place, mode, where, actor) =>
          (await import("./app/setup/settings.ts")).setMode(place, mode, where, actor),
        setMap: async (place, setting, where, actor) =>
          (await import("./app/setup/settings.ts")).setMap(place, setting, where, actor),
        clientMemory: async (place) => (await import("./app/setup/settings.ts")).clientMemoryHere(place),
        setWriter: async (place, writer, actor) =>
          (await import("./app/setup/settings.ts")).setWriter(place, writer, actor),
        setLearn: async (place, mode, actor) =>
          (await import("./app/setup/settings.ts")).setLearn(place, mode, actor),
        status: wholeStatus,
      }),
      semantic: calls<Heed["setup"]["semantic"]>(ARGUMENTS.setup.semantic, {
        status: async (place) => (await import("./optional/semantic/model-status.ts")).semanticStatus(place),
        plan: async (place, request) =>
          (await import("./optional/semantic/install-model.ts")).planSemantic(place, request),
        install: async (place, plan) =>
          (await import("./optional/semantic/install-model.ts")).installSemantic(place, plan),
        remove: async (place) => (await import("./optional/semantic/model-status.ts")).removeSemantic(place),
      }),
    },
    close: async () => {
      afterwards.finish();
      await settleStores(workspace);
      await workspace.optional.searchByMeaning?.close();
    },
  };
}

/** How everything stands, with the optional part that costs money. */
async function wholeStatus(place: Place): Promise<StatusReport> {
  const { statusOf } = await import("./app/setup/status.ts");
  const { learnStatus } = await import("./optional/learner/learner.ts");
  return { ...(await statusOf(place)), learn: learnStatus(place) };
}
