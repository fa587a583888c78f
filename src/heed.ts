import type { Heed, OpenOptions } from "./app/api/heed-api.ts";
import { DeferredWork } from "./app/place/deferred-work.ts";
import { settleStores } from "./app/place/pending-settlements.ts";
import { LateJudge } from "./optional/judge/late-judge.ts";
import { LateSemantic } from "./optional/semantic/late-semantic.ts";
import { openWorkspace } from "./app/place/place.ts";
import { withSoundIndex } from "./app/place/with-sound-index.ts";
import { HeedError } from "./errors/heed-error.ts";
import { asIoFailure } from "./platform/io-failure.ts";

export type * from "./app/api/heed-api.ts";
export type { HeedErrorCode } from "./errors/heed-error.ts";
export type { MemoryCard, StoreKind } from "./memory/memory-card.ts";
export type { TypePolicy } from "./memory/memory-type.ts";
export type { Problem } from "./errors/problem.ts";
export type { StoreRef } from "./memory/store-ref.ts";
export type * from "./app/api/capture-api.ts";
export type * from "./app/api/guard-api.ts";
export type * from "./app/api/freshness-api.ts";
export type * from "./app/api/hook-api.ts";
export type * from "./app/api/reading-api.ts";
export type * from "./app/api/testing-api.ts";
export type * from "./app/api/semantic-api.ts";
export type * from "./app/api/judge-api.ts";
export type * from "./app/api/safety-api.ts";
export type * from "./app/api/writing-api.ts";
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
    workspace.semantic = new LateSemantic(async () => {
      const { openResidentSemantic } = await import("./optional/semantic/resident-semantic.ts");
      return openResidentSemantic(workspace);
    });
    workspace.judge = new LateJudge(async () => {
      const { readUserConfig } = await import("./app/place/user-config.ts");
      if (readUserConfig(workspace.places).judge === undefined) return undefined;
      const { openJudgeDesk } = await import("./optional/judge/configured-judge.ts");
      return openJudgeDesk(workspace);
    });
  }
  const afterwards = new DeferredWork(workspace.env);
  return hardened({
    types: () => workspace.find().types.all(),
    stores: () => workspace.find().stores,
    list: async (filter) => (await import("./app/reading/find-memories.ts")).listMemories(workspace, filter),
    show: async (handle, store, reader) =>
      (await import("./app/reading/show-memory.ts")).showMemory(workspace, handle, store, reader),
    showFile: async (handle, store, reader) =>
      (await import("./app/reading/show-memory.ts")).showFile(workspace, handle, store, reader),
    search: async (request) =>
      (await import("./app/reading/find-memories.ts")).searchMemories(workspace, request),
    overview: async () => (await import("./app/setup/status.ts")).overviewOf(workspace),
    write: async (draft, actor) => {
      afterwards.finish();
      const { writeMemory } = await import("./app/writing/write-memory.ts");
      return writeMemory(workspace, draft, actor);
    },
    update: async (handle, changes, actor) => {
      afterwards.finish();
      const { updateMemory } = await import("./app/writing/write-memory.ts");
      return updateMemory(workspace, handle, changes, actor);
    },
    edit: async (handle, text, ifHash, actor) => {
      const { editMemory } = await import("./app/writing/write-memory.ts");
      return editMemory(workspace, handle, text, ifHash, actor);
    },
    readDraft: async (text) => (await import("./app/writing/read-draft.ts")).readDraft(workspace, text),
    confirm: async (handle, confirmation, actor) => {
      afterwards.finish();
      const { confirmMemory } = await import("./app/writing/answer-inbox.ts");
      return confirmMemory(workspace, handle, confirmation, actor);
    },
    reject: async (handle, reason) => {
      const { rejectMemory } = await import("./app/writing/answer-inbox.ts");
      return rejectMemory(workspace, handle, reason);
    },
    pending: async (reader) => {
      const { listPending } = await import("./app/writing/answer-inbox.ts");
      return listPending(workspace, reader);
    },
    remove: async (handle, reason, actor) => {
      const { removeMemory } = await import("./app/writing/move-memory.ts");
      return removeMemory(workspace, handle, reason, actor);
    },
    restore: async (handle, actor) => {
      const { restoreMemory } = await import("./app/writing/move-memory.ts");
      return restoreMemory(workspace, handle, actor);
    },
    rename: async (handle, newName, actor) => {
      const { renameMemory } = await import("./app/writing/move-memory.ts");
      return renameMemory(workspace, handle, newName, actor);
    },
    verify: async (handle, attestation, actor) => {
      const { verifyMemory } = await import("./app/upkeep/verify-memory.ts");
      return verifyMemory(workspace, handle, attestation, actor);
    },
    repair: async (handle, accepted, actor) => {
      const { repairMemory } = await import("./app/upkeep/verify-memory.ts");
      return repairMemory(workspace, handle, accepted, actor);
    },
    anchor: async (request, actor) => {
      const { anchorMemories } = await import("./app/upkeep/anchor-memories.ts");
      return anchorMemories(workspace, request, actor);
    },
    recordUse: async (handle, report, actor) => {
      const { recordUse } = await import("./app/upkeep/record-use.ts");
      return recordUse(workspace, handle, report, actor);
    },
    health: async () => (await import("./app/upkeep/health.ts")).healthOf(workspace),
    refreshVerdicts: async (limitMs) =>
      (await import("./app/claims/refresh-verdicts.ts")).refreshVerdicts(workspace, limitMs),

    history: async (handle, limit) =>
      (await import("./app/history/memory-history.ts")).listHistory(workspace, handle, limit),
    blame: async (handle) => (await import("./app/history/memory-history.ts")).blameMemory(workspace, handle),
    diff: async (handle, change) =>
      (await import("./app/history/memory-history.ts")).diffMemory(workspace, handle, change),
    undo: async (change, actor) =>
      (await import("./app/history/undo-change.ts")).undoChange(workspace, change, actor),
    sync: async (remote, progress) =>
      (await import("./app/setup/sync-stores.ts")).syncStores(workspace, remote, progress),
    init: async (kind) => (await import("./app/writing/make-store.ts")).makeStore(workspace, kind),
    reviewTrust: async () => (await import("./app/setup/trust-store.ts")).reviewTrust(workspace),
    trust: async (token) => (await import("./app/setup/trust-store.ts")).trustProjectStore(workspace, token),
    attach: async (directory, isWritable, actor) =>
      (await import("./app/setup/attach-store.ts")).attachStore(workspace, directory, isWritable, actor),
    detach: async (directory) =>
      (await import("./app/setup/attach-store.ts")).detachStore(workspace, directory),
    check: async () => (await import("./app/upkeep/check-stores.ts")).checkStores(workspace),
    reindex: async (progress) => {
      const { reindexAll, statusOf } = await import("./app/setup/status.ts");
      await reindexAll(workspace, progress);
      return statusOf(workspace);
    },
    status: async () => (await import("./app/setup/status.ts")).statusOf(workspace),
    guards: async () => {
      afterwards.finish();
      return (await import("./app/guards/guard-operations.ts")).listGuards(workspace);
    },
    tryGuards: async (call) => (await import("./app/guards/guard-operations.ts")).tryGuards(workspace, call),
    suggestGuard: async (handle) =>
      (await import("./app/guards/guard-operations.ts")).suggestGuardFor(workspace, handle),
    addGuard: async (handle, actor, guard) =>
      (await import("./app/guards/guard-operations.ts")).addGuard(workspace, handle, actor, guard),
    reportWrongGuard: async (receipt, actor) => {
      afterwards.finish();
      return (await import("./app/guards/guard-operations.ts")).markWrong(workspace, receipt, actor);
    },
    onEvent: async (event, deadlineMs) => {
      const { answerEvent } = await import("./app/session/answer-event.ts");
      return answerEvent(workspace, event, afterwards, deadlineMs);
    },
    setMode: async (mode, where) => {
      const { setMode } = await import("./app/setup/set-mode.ts");
      await setMode(workspace, mode, where);
    },
    why: async (about) => {
      afterwards.finish();
      const { explain } = await import("./app/session/explain.ts");
      return explain(workspace, about);
    },
    receipts: async (limit) => {
      afterwards.finish();
      const { readReceipts } = await import("./app/records/receipt-log.ts");
      return readReceipts(workspace.places, limit);
    },
    test: async (filter) => (await import("./app/testing/run-tests.ts")).runTests(workspace, filter),
    saveTest: async (about) => {
      afterwards.finish();
      const { saveTest } = await import("./app/testing/save-test.ts");
      return saveTest(workspace, about);
    },
    capture: async () => (await import("./app/learning/capture-waiting.ts")).runCapture(workspace),
    resume: async () => (await import("./app/learning/last-session.ts")).lastEpisodeHere(workspace),
    backfill: async (request, progress) =>
      (await import("./app/learning/backfill.ts")).backfill(workspace, request, progress),
    tidy: async (isApplied) => (await import("./app/upkeep/tidy/tidy.ts")).tidy(workspace, isApplied),
    semanticStatus: async () =>
      (await import("./optional/semantic/semantic-operations.ts")).semanticStatus(workspace),
    planSemantic: async (request) =>
      (await import("./optional/semantic/semantic-operations-install.ts")).planSemantic(workspace, request),
    installSemantic: async (plan, progress) =>
      (await import("./optional/semantic/semantic-operations-install.ts")).installSemantic(
        workspace,
        plan,
        progress,
      ),
    removeSemantic: async () =>
      (await import("./optional/semantic/semantic-operations.ts")).removeSemantic(workspace),
    judgeStatus: async () => (await import("./optional/judge/judge-operations.ts")).judgeStatus(workspace),
    tryJudge: async () => (await import("./optional/judge/judge-operations.ts")).tryJudge(workspace),
    scrub: async (value, actor, isApplied) => {
      afterwards.finish();
      const { scrubValue } = await import("./app/setup/scrub-value.ts");
      return scrubValue(workspace, value, actor, { isDryRun: isApplied !== true });
    },
    close: async () => {
      afterwards.finish();
      await settleStores(workspace);
      await workspace.judge?.close();
      await workspace.semantic?.close();
    },
  });
}

/**
 * Every method of a façade, begun anew when it comes upon a damaged index; and what the file system refuses anywhere
 * comes out as a HeedError with a remedy.
 */
function hardened(heed: Heed): Heed {
  const methods = Object.entries(heed).map(([name, method]: [string, (...args: unknown[]) => unknown]) => [
    name,
    (...args: unknown[]): unknown => {
      try {
        const answer = method(...args);
        if (!(answer instanceof Promise)) return answer;
        let first: Promise<unknown> | undefined = answer;
        return withSoundIndex(() => {
          const promise = first ?? (method(...args) as Promise<unknown>);
          first = undefined;
          return promise;
        }).catch((error: unknown) => Promise.reject(asRefusal(error)));
      } catch (error) {
        throw asRefusal(error);
      }
    },
  ]);
  return Object.fromEntries(methods) as Heed;
}

function asRefusal(error: unknown): Error {
  const path = (error as NodeJS.ErrnoException | null)?.path;
  const refusal = asIoFailure(error, "use", path ?? "a file");
  return refusal instanceof Error ? refusal : new Error(String(refusal));
}
