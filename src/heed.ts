import type { Heed, OpenOptions } from "./heed/heed-api.ts";
import type { EventAnswer, SessionEvent } from "./heed/hook-api.ts";
import type { Workspace } from "./heed/workspace.ts";
import { openWorkspace } from "./heed/workspace.ts";
import { orderRules, renderRules } from "./inject/render-rules.ts";
import { HeedError } from "./memory/heed-error.ts";
import { scanStore } from "./store/scan-store.ts";

export type * from "./heed/heed-api.ts";
export type { HeedErrorCode } from "./memory/heed-error.ts";
export type { MemoryCard, StoreKind } from "./memory/memory-card.ts";
export type { TypePolicy } from "./memory/memory-type.ts";
export type { Problem } from "./memory/problem.ts";
export type { StoreRef } from "./memory/store-ref.ts";
export type * from "./heed/hook-api.ts";
export type * from "./heed/reading-api.ts";
export type * from "./heed/writing-api.ts";
export { HeedError };
export { logTrouble } from "./heed/trouble-log.ts";

/**
 * Opens heed for a working directory. Starts no process and reads nothing until a method asks for it; parts that the
 * hot paths do not need are loaded when they are first used.
 */
export function openHeed(options: OpenOptions = {}): Heed {
  const workspace = openWorkspace(options);
  const notYet = (): Promise<never> =>
    Promise.reject(new HeedError("invalid-input", "this operation is not wired up yet"));
  return {
    types: () => workspace.find().types.all(),
    stores: () => workspace.find().stores,
    list: notYet,
    show: notYet,
    search: notYet,
    overview: notYet,
    write: notYet,
    update: notYet,
    edit: notYet,
    readDraft: async (text) => (await import("./heed/read-draft.ts")).readDraft(workspace, text),
    confirm: notYet,
    reject: notYet,
    pending: notYet,
    remove: notYet,
    restore: notYet,
    rename: notYet,
    history: notYet,
    blame: notYet,
    diff: notYet,
    undo: notYet,
    sync: notYet,
    init: notYet,
    attach: notYet,
    detach: notYet,
    check: notYet,
    reindex: notYet,
    status: notYet,
    setMode: notYet,
    onEvent: (event) => Promise.resolve(answerEvent(workspace, event)),
    why: notYet,
    receipts: notYet,
    close: () => Promise.resolve(),
  };
}

function answerEvent(workspace: Workspace, event: SessionEvent): EventAnswer {
  if (event.kind !== "session-start") return {};
  const { stores, types, mode } = workspace.find();
  if (mode === "off") return {};
  const rules = stores
    .filter((store) => store.isTrusted)
    .flatMap((store) => scanStore(store, types).memories)
    .filter(({ card }) => types.get(card.type)?.injection === "always" && card.status !== "superseded");
  const context = renderRules(orderRules(rules), 7000);
  return context === "" ? {} : { context };
}
