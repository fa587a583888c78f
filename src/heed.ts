import type { Heed, OpenOptions } from "./heed/api/heed-api.ts";
import { DeferredWork } from "./heed/deferred-work.ts";
import { settleStores } from "./heed/writing/pending-settlements.ts";
import { LateJudge } from "./heed/judge/late-judge.ts";
import { LateSemantic } from "./heed/semantic/late-semantic.ts";
import { openWorkspace } from "./heed/workspace.ts";
import { withSoundIndex } from "./heed/stores/with-sound-index.ts";
import { HeedError } from "./memory/heed-error.ts";
import { asIoFailure } from "./store/io-failure.ts";

export type * from "./heed/api/heed-api.ts";
export type { HeedErrorCode } from "./memory/heed-error.ts";
export type { MemoryCard, StoreKind } from "./memory/memory-card.ts";
export type { TypePolicy } from "./memory/memory-type.ts";
export type { Problem } from "./memory/problem.ts";
export type { StoreRef } from "./memory/store-ref.ts";
export type * from "./heed/api/capture-api.ts";
export type * from "./heed/api/guard-api.ts";
export type * from "./heed/api/freshness-api.ts";
export type * from "./heed/api/hook-api.ts";
export type * from "./heed/api/reading-api.ts";
export type * from "./heed/api/testing-api.ts";
export type * from "./heed/api/semantic-api.ts";
export type * from "./heed/api/judge-api.ts";
export type * from "./heed/api/safety-api.ts";
export type * from "./heed/api/writing-api.ts";
export { HeedError };
export { findPlaces } from "./store/places.ts";
export { redactValue } from "./memory/redact-value.ts";
export { logTrouble } from "./heed/trouble-log.ts";

/**
 * Opens heed for a working directory. Starts no process and reads nothing until a method asks for it; parts that the
 * hot paths do not need are loaded when they are first used.
 */
export function openHeed(options: OpenOptions = {}): Heed {
  const workspace = openWorkspace(options);
  if (options.isResident === true) {
    workspace.semantic = new LateSemantic(async () => {
      const { openResidentSemantic } = await import("./heed/semantic/resident-semantic.ts");
      return openResidentSemantic(workspace);
    });
    workspace.judge = new LateJudge(async () => {
      const { readUserConfig } = await import("./heed/user-config.ts");
      if (readUserConfig(workspace.places).judge === undefined) return undefined;
      const { openJudgeDesk } = await import("./heed/judge/configured-judge.ts");
      return openJudgeDesk(workspace);
    });
  }
  const afterwards = new DeferredWork(workspace.env);
  return hardened({
    types: () => workspace.find().types.all(),
    stores: () => workspace.find().stores,
    list: async (filter) =>
      (await import("./heed/reading/read-operations.ts")).listMemories(workspace, filter),
    show: async (handle, store, reader) =>
      (await import("./heed/reading/show-operations.ts")).showMemory(workspace, handle, store, reader),
    showFile: async (handle, store, reader) =>
      (await import("./heed/reading/show-operations.ts")).showFile(workspace, handle, store, reader),
    search: async (request) =>
      (await import("./heed/reading/read-operations.ts")).searchMemories(workspace, request),
    overview: async () => (await import("./heed/reading/status-operations.ts")).overviewOf(workspace),
    write: async (draft, actor) => {
      afterwards.finish();
      const { writeMemory } = await import("./heed/writing/write-operations.ts");
      return writeMemory(workspace, draft, actor);
    },
    update: async (handle, changes, actor) => {
      afterwards.finish();
      const { updateMemory } = await import("./heed/writing/write-operations.ts");
      return updateMemory(workspace, handle, changes, actor);
    },
    edit: async (handle, text, ifHash, actor) => {
      const { editMemory } = await import("./heed/writing/write-operations.ts");
      return editMemory(workspace, handle, text, ifHash, actor);
    },
    readDraft: async (text) => (await import("./heed/writing/read-draft.ts")).readDraft(workspace, text),
    confirm: async (handle, confirmation, actor) => {
      afterwards.finish();
      const { confirmMemory } = await import("./heed/writing/write-operations-inbox.ts");
      return confirmMemory(workspace, handle, confirmation, actor);
    },
    reject: async (handle, reason) => {
      const { rejectMemory } = await import("./heed/writing/write-operations-inbox.ts");
      return rejectMemory(workspace, handle, reason);
    },
    pending: async (reader) => {
      const { listPending } = await import("./heed/writing/write-operations-inbox.ts");
      return listPending(workspace, reader);
    },
    remove: async (handle, reason, actor) => {
      const { removeMemory } = await import("./heed/writing/write-operations-moves.ts");
      return removeMemory(workspace, handle, reason, actor);
    },
    restore: async (handle, actor) => {
      const { restoreMemory } = await import("./heed/writing/write-operations-moves.ts");
      return restoreMemory(workspace, handle, actor);
    },
    rename: async (handle, newName, actor) => {
      const { renameMemory } = await import("./heed/writing/write-operations-moves.ts");
      return renameMemory(workspace, handle, newName, actor);
    },
    verify: async (handle, attestation, actor) => {
      const { verifyMemory } = await import("./heed/freshness/freshness-operations.ts");
      return verifyMemory(workspace, handle, attestation, actor);
    },
    repair: async (handle, accepted, actor) => {
      const { repairMemory } = await import("./heed/freshness/freshness-operations.ts");
      return repairMemory(workspace, handle, accepted, actor);
    },
    anchor: async (request, actor) => {
      const { anchorMemories } = await import("./heed/freshness/freshness-operations-anchor.ts");
      return anchorMemories(workspace, request, actor);
    },
    recordUse: async (handle, report, actor) => {
      const { recordUse } = await import("./heed/freshness/freshness-operations-use.ts");
      return recordUse(workspace, handle, report, actor);
    },
    health: async () => (await import("./heed/freshness/freshness-operations-health.ts")).healthOf(workspace),
    refreshVerdicts: async (limitMs) =>
      (await import("./heed/freshness/freshness-operations-refresh.ts")).refreshVerdicts(workspace, limitMs),

    history: async (handle, limit) =>
      (await import("./heed/stores/history-operations.ts")).listHistory(workspace, handle, limit),
    blame: async (handle) =>
      (await import("./heed/stores/history-operations.ts")).blameMemory(workspace, handle),
    diff: async (handle, change) =>
      (await import("./heed/stores/history-operations.ts")).diffMemory(workspace, handle, change),
    undo: async (change, actor) =>
      (await import("./heed/stores/undo-operations.ts")).undoChange(workspace, change, actor),
    sync: async (remote, progress) =>
      (await import("./heed/stores/sync-operations.ts")).syncStores(workspace, remote, progress),
    init: async (kind) => (await import("./heed/stores/store-operations.ts")).initStore(workspace, kind),
    reviewTrust: async () => (await import("./heed/trust/trust-operations.ts")).reviewTrust(workspace),
    trust: async (token) =>
      (await import("./heed/trust/trust-operations.ts")).trustProjectStore(workspace, token),
    attach: async (directory, isWritable, actor) =>
      (await import("./heed/stores/store-operations.ts")).attachStore(
        workspace,
        directory,
        isWritable,
        actor,
      ),
    detach: async (directory) =>
      (await import("./heed/stores/store-operations.ts")).detachStore(workspace, directory),
    check: async () => (await import("./heed/checking/check-operations.ts")).checkStores(workspace),
    reindex: async (progress) => {
      const { reindexAll, statusOf } = await import("./heed/reading/status-operations.ts");
      await reindexAll(workspace, progress);
      return statusOf(workspace);
    },
    status: async () => (await import("./heed/reading/status-operations.ts")).statusOf(workspace),
    guards: async () => {
      afterwards.finish();
      return (await import("./heed/guards/guard-operations.ts")).listGuards(workspace);
    },
    tryGuards: async (call) => (await import("./heed/guards/guard-operations.ts")).tryGuards(workspace, call),
    suggestGuard: async (handle) =>
      (await import("./heed/guards/guard-operations.ts")).suggestGuardFor(workspace, handle),
    addGuard: async (handle, actor, guard) =>
      (await import("./heed/guards/guard-operations.ts")).addGuard(workspace, handle, actor, guard),
    reportWrongGuard: async (receipt, actor) => {
      afterwards.finish();
      return (await import("./heed/guards/guard-operations.ts")).markWrong(workspace, receipt, actor);
    },
    onEvent: async (event, deadlineMs) => {
      const { answerEvent } = await import("./heed/events/answer-event.ts");
      return answerEvent(workspace, event, afterwards, deadlineMs);
    },
    setMode: async (mode, where) => {
      const { setMode } = await import("./heed/session/mode-operations.ts");
      await setMode(workspace, mode, where);
    },
    why: async (about) => {
      afterwards.finish();
      const { explain } = await import("./heed/receipts/why-operations.ts");
      return explain(workspace, about);
    },
    receipts: async (limit) => {
      afterwards.finish();
      const { readReceipts } = await import("./heed/receipts/receipt-log.ts");
      return readReceipts(workspace.places, limit);
    },
    test: async (filter) => (await import("./heed/testing/test-operations.ts")).runTests(workspace, filter),
    saveTest: async (about) => {
      afterwards.finish();
      const { saveTest } = await import("./heed/testing/save-test.ts");
      return saveTest(workspace, about);
    },
    capture: async () => (await import("./heed/capture/capture-operations.ts")).runCapture(workspace),
    resume: async () => (await import("./heed/capture/resume-operations.ts")).lastEpisodeHere(workspace),
    backfill: async (request, progress) =>
      (await import("./heed/capture/backfill-operations.ts")).backfill(workspace, request, progress),
    tidy: async (isApplied) => (await import("./heed/tidy/tidy-operations.ts")).tidy(workspace, isApplied),
    semanticStatus: async () =>
      (await import("./heed/semantic/semantic-operations.ts")).semanticStatus(workspace),
    planSemantic: async (request) =>
      (await import("./heed/semantic/semantic-operations-install.ts")).planSemantic(workspace, request),
    installSemantic: async (plan, progress) =>
      (await import("./heed/semantic/semantic-operations-install.ts")).installSemantic(
        workspace,
        plan,
        progress,
      ),
    removeSemantic: async () =>
      (await import("./heed/semantic/semantic-operations.ts")).removeSemantic(workspace),
    judgeStatus: async () => (await import("./heed/judge/judge-operations.ts")).judgeStatus(workspace),
    tryJudge: async () => (await import("./heed/judge/judge-operations.ts")).tryJudge(workspace),
    scrub: async (value, actor, isApplied) => {
      afterwards.finish();
      const { scrubValue } = await import("./heed/trust/scrub-operations.ts");
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
