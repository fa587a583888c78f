import type { Heed, OpenOptions } from "./app/api/heed-api.ts";
import type { StatusReport } from "./app/api/reading-api.ts";
import { callerOf } from "./app/place/call.ts";
import type { Place } from "./app/place/place.ts";
import { DeferredWork } from "./app/place/deferred-work.ts";
import { openWorkspace, settleStores } from "./app/place/workspace.ts";
import { LateJudge } from "./optional/judge/late-judge.ts";
import { LateSearchByMeaning } from "./optional/semantic/late-search-by-meaning.ts";
import { HeedError } from "./errors/heed-error.ts";

export type * from "./app/api/heed-api.ts";
export type * from "./app/api/capture-api.ts";
export type * from "./app/api/freshness-api.ts";
export type * from "./app/api/guard-api.ts";
export type * from "./app/api/hook-api.ts";
export type * from "./app/api/judge-api.ts";
export type * from "./app/api/progress.ts";
export type * from "./app/api/reading-api.ts";
export type * from "./app/api/safety-api.ts";
export type * from "./app/api/semantic-api.ts";
export type * from "./app/api/testing-api.ts";
export type * from "./app/api/writing-api.ts";
export type { HeedErrorCode } from "./errors/heed-error.ts";
export type { Problem } from "./errors/problem.ts";
export type { MemoryCard, StoreKind } from "./memory/memory-card.ts";
export type { TypePolicy } from "./memory/memory-type.ts";
export type { StoreRef } from "./memory/store-ref.ts";
export { HeedError };
export { findPlaces } from "./platform/places.ts";
export { redactValue } from "./screening/redact-value.ts";
export { logTrouble } from "./app/place/trouble-log.ts";

/**
 * Opens heed for a working directory. Starts no process and reads nothing until a method asks for it; parts that the
 * hot paths do not need are loaded when they are first used.
 */
export function openHeed(options: OpenOptions = {}): Heed {
  const workspace = openWorkspace(options);
  if (options.isResident === true) {
    workspace.optional.searchByMeaning = new LateSearchByMeaning(async () => {
      const { openSearchByMeaning } = await import("./optional/semantic/open-search-by-meaning.ts");
      return openSearchByMeaning(workspace);
    });
    workspace.optional.judge = new LateJudge(async () => {
      const { readUserConfig } = await import("./app/place/user-config.ts");
      if (readUserConfig(workspace.places).values["judge"] === undefined) return undefined;
      const { openBudgetedJudge } = await import("./optional/judge/configured-judge.ts");
      return openBudgetedJudge(workspace);
    });
  }
  const afterwards = new DeferredWork(workspace.env);
  const { call, callNow } = callerOf(workspace, afterwards);
  return {
    memories: {
      types: callNow((place) => place.types.all()),
      list: call(async (place, filter) =>
        (await import("./app/reading/find-memories.ts")).listMemories(place, filter),
      ),
      show: call(async (place, handle, store, reader) =>
        (await import("./app/reading/show-memory.ts")).showMemory(place, handle, store, reader),
      ),
      showFile: call(async (place, handle, store, reader) =>
        (await import("./app/reading/show-memory.ts")).showFile(place, handle, store, reader),
      ),
      search: call(async (place, request) =>
        (await import("./app/reading/find-memories.ts")).searchMemories(place, request),
      ),
      overview: call(async (place) => (await import("./app/setup/status.ts")).overviewOf(place)),
      readDraft: call(async (place, text) =>
        (await import("./app/writing/read-draft.ts")).readDraft(place, text),
      ),
      write: call(async (place, draft, actor) =>
        (await import("./app/writing/write-memory.ts")).writeMemory(place, draft, actor),
      ),
      update: call(async (place, handle, changes, actor) =>
        (await import("./app/writing/write-memory.ts")).updateMemory(place, handle, changes, actor),
      ),
      edit: call(async (place, handle, text, ifHash, actor) =>
        (await import("./app/writing/write-memory.ts")).editMemory(place, handle, text, ifHash, actor),
      ),
      remove: call(async (place, handle, reason, actor) =>
        (await import("./app/writing/move-memory.ts")).removeMemory(place, handle, reason, actor),
      ),
      restore: call(async (place, handle, actor) =>
        (await import("./app/writing/move-memory.ts")).restoreMemory(place, handle, actor),
      ),
      rename: call(async (place, handle, newName, actor) =>
        (await import("./app/writing/move-memory.ts")).renameMemory(place, handle, newName, actor),
      ),
      recordUse: call(async (place, handle, report, actor) =>
        (await import("./app/upkeep/record-use.ts")).recordUse(place, handle, report, actor),
      ),
    },
    inbox: {
      list: call(async (place, reader) =>
        (await import("./app/writing/answer-inbox.ts")).listPending(place, reader),
      ),
      confirm: call(async (place, handle, confirmation, actor) =>
        (await import("./app/writing/answer-inbox.ts")).confirmMemory(place, handle, confirmation, actor),
      ),
      reject: call(async (place, handle, reason, actor) =>
        (await import("./app/writing/answer-inbox.ts")).rejectMemory(place, handle, reason, actor),
      ),
    },
    history: {
      list: call(async (place, handle, limit) =>
        (await import("./app/history/memory-history.ts")).listHistory(place, handle, limit),
      ),
      blame: call(async (place, handle) =>
        (await import("./app/history/memory-history.ts")).blameMemory(place, handle),
      ),
      diff: call(async (place, handle, change) =>
        (await import("./app/history/memory-history.ts")).diffMemory(place, handle, change),
      ),
      undo: call(async (place, change, actor) =>
        (await import("./app/history/undo-change.ts")).undoChange(place, change, actor),
      ),
    },
    guards: {
      list: call(async (place) => (await import("./app/guards/guard-operations.ts")).listGuards(place)),
      try: call(async (place, use) =>
        (await import("./app/guards/guard-operations.ts")).tryGuards(place, use),
      ),
      suggest: call(async (place, handle) =>
        (await import("./app/guards/guard-operations.ts")).suggestGuardFor(place, handle),
      ),
      add: call(async (place, handle, guard, actor) =>
        (await import("./app/guards/guard-operations.ts")).addGuard(place, handle, guard, actor),
      ),
      reportWrong: call(async (place, receipt, actor) =>
        (await import("./app/guards/guard-operations.ts")).markWrong(place, receipt, actor),
      ),
    },
    session: {
      answer: call(async (place, event, deadlineMs) => {
        const { answerEvent } = await import("./app/session/answer-event.ts");
        return answerEvent(place, event, afterwards, deadlineMs);
      }),
      why: call(async (place, about) => (await import("./app/session/explain.ts")).explain(place, about)),
      receipts: call(async ({ places }, limit) =>
        (await import("./app/records/receipt-log.ts")).readReceipts(places, limit),
      ),
      resume: call(async (place) => (await import("./app/learning/last-session.ts")).lastEpisodeHere(place)),
      setMode: call(async (place, mode, where) =>
        (await import("./app/setup/set-mode.ts")).setMode(place, mode, where),
      ),
    },
    learning: {
      capture: call(async (place) => (await import("./app/learning/capture-waiting.ts")).runCapture(place)),
      backfill: call(async (place, request, progress) =>
        (await import("./app/learning/backfill.ts")).backfill(place, request, progress),
      ),
    },
    upkeep: {
      check: call(async (place) => (await import("./app/upkeep/check-stores.ts")).checkStores(place)),
      health: call(async (place) => (await import("./app/upkeep/health.ts")).healthOf(place)),
      verify: call(async (place, handle, attestation, actor) =>
        (await import("./app/upkeep/verify-memory.ts")).verifyMemory(place, handle, attestation, actor),
      ),
      repair: call(async (place, handle, request, actor) =>
        (await import("./app/upkeep/verify-memory.ts")).repairMemory(place, handle, request, actor),
      ),
      anchor: call(async (place, request, actor) =>
        (await import("./app/upkeep/anchor-memories.ts")).anchorMemories(place, request, actor),
      ),
      tidy: call(async (place, request) => (await import("./app/upkeep/tidy/tidy.ts")).tidy(place, request)),
      reindex: call(async (place, progress) => {
        await (await import("./app/setup/status.ts")).reindexAll(place, progress);
        return wholeStatus(place);
      }),
      refreshVerdicts: call(async (place, limitMs) =>
        (await import("./app/claims/refresh-verdicts.ts")).refreshVerdicts(place, limitMs),
      ),
      test: call(async (place, filter) =>
        (await import("./app/testing/run-tests.ts")).runTests(place, filter),
      ),
      saveTest: call(async (place, about) =>
        (await import("./app/testing/save-test.ts")).saveTest(place, about),
      ),
    },
    setup: {
      init: call(async (place, kind) => (await import("./app/writing/make-store.ts")).makeStore(place, kind)),
      stores: callNow((place) => place.stores),
      attach: call(async (place, directory, request, actor) =>
        (await import("./app/setup/attach-store.ts")).attachStore(place, directory, request, actor),
      ),
      detach: call(async (place, directory) =>
        (await import("./app/setup/attach-store.ts")).detachStore(place, directory),
      ),
      sync: call(async (place, remote, progress) =>
        (await import("./app/setup/sync-stores.ts")).syncStores(place, remote, progress),
      ),
      reviewTrust: call(async (place) => (await import("./app/setup/trust-store.ts")).reviewTrust(place)),
      trust: call(async (place, token) =>
        (await import("./app/setup/trust-store.ts")).trustProjectStore(place, token),
      ),
      scrub: call(async (place, value, request, actor) =>
        (await import("./app/setup/scrub-value.ts")).scrubValue(place, value, request, actor),
      ),
      status: call(wholeStatus),
      semantic: {
        status: call(async (place) =>
          (await import("./optional/semantic/model-status.ts")).semanticStatus(place),
        ),
        plan: call(async (place, request) =>
          (await import("./optional/semantic/install-model.ts")).planSemantic(place, request),
        ),
        install: call(async (place, plan) =>
          (await import("./optional/semantic/install-model.ts")).installSemantic(place, plan),
        ),
        remove: call(async (place) =>
          (await import("./optional/semantic/model-status.ts")).removeSemantic(place),
        ),
      },
      judge: {
        status: call(async (place) =>
          (await import("./optional/judge/judge-operations.ts")).judgeStatus(place),
        ),
        try: call(async (place) => (await import("./optional/judge/judge-operations.ts")).tryJudge(place)),
      },
    },
    close: async () => {
      afterwards.finish();
      await settleStores(workspace);
      await workspace.optional.judge?.close();
      await workspace.optional.searchByMeaning?.close();
    },
  };
}

/** How everything stands, with the optional part that costs money. */
async function wholeStatus(place: Place): Promise<StatusReport> {
  const { statusOf } = await import("./app/setup/status.ts");
  const { judgeStatus } = await import("./optional/judge/judge-operations.ts");
  return { ...(await statusOf(place)), judge: judgeStatus(place) };
}
