import type {
  BlameLine,
  Change,
  RollBackReport,
  RollBackRequest,
  UndoRequest,
} from "../here/api/written-memory.ts";
import { object, optional, text, shape, type Methods } from "../here/api/schema.ts";
import type { Actor } from "../memory/memory.ts";
import { optionalText, isApplied, limit, since, handle, session, actor } from "./arguments.ts";
import { method, onPage } from "../here/call.ts";

/** What changed, when and why; and taking it back. */
export interface HistoryApi {
  /**
   * Lists changes, newest first: of all stores that hold here, or of one memory, through renames and removals.
   *
   * @param request - `handle`: of that memory alone. `limit`: at most this many, default 50.
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous` when the handle fits none or several.
   * @example
   * const [last] = await heed.history.list({ handle: "budget-board", limit: 1 });
   * last?.actor; // → "person"
   */
  list(request?: { handle?: string | undefined; limit?: number | undefined }): Promise<Change[]>;
  /**
   * Tells of each line of a memory's file which change brought it.
   *
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous`.
   * @example
   * const lines = await heed.history.blame("budget-board");
   * lines[0]?.text; // → "---"
   */
  blame(handle: string): Promise<BlameLine[]>;
  /**
   * Compares a memory with its state before a change, as a unified diff.
   *
   * @param options - `change`: the id of the change, or its beginning; default: the memory's last one.
   * @throws HeedError `invalid-input`; `not-found` for memory or change; `ambiguous`.
   * @example
   * const diff = await heed.history.diff("budget-board");
   * diff.includes("+  type: reference"); // → true
   */
  diff(handle: string, options?: { change?: string | undefined }): Promise<string>;
  /**
   * Takes a change back, as a change of its own.
   *
   * @param request - `change`: its id, or the beginning; default: the last that heed made and nobody has taken back.
   *   `handle`: only what it did to that memory; default: the last change of it, an editor's too. `isApplied`: default
   *   true; false only tells what would be taken back, with one file of each memory.
   * @throws HeedError `not-found`; `ambiguous`; `conflict` when later changes touch the same lines; `invalid-input` for a
   *   change that is not heed's to take back; `gate-refused` when a model would take back what is the user's;
   *   `changed-outside`; `read-only`.
   * @example
   * const { summary } = await heed.history.undo({ change }, person);
   * summary.startsWith("undo"); // → true
   */
  undo(request: UndoRequest, actor: Actor): Promise<Change>;
  /**
   * Takes back all that one session or actor changed, the newest first; tells what it would do, and with `isApplied` does
   * it, as one change in each store. What later changes of others touch is kept and told.
   *
   * @param request - `session`: the changes of that session. `actor`: those of that actor, as `list` names it, or of its
   *   client or kind. `since`: only those made since then (ISO time).
   * @throws HeedError `invalid-input` when it is not said whose; `not-found` when there is nothing of theirs;
   *   `changed-outside`; `read-only`.
   * @example
   * const { takenBack, isApplied: isDone } = await heed.history.rollBack({ actor: "person" }, person);
   * [takenBack.length > 0, isDone]; // → [true, false]
   */
  rollBack(request: RollBackRequest, actor: Actor): Promise<RollBackReport>;
}

const listed = optional(object({ handle: optional(handle), limit }));
const compared = optional(object({ change: optionalText }));
const undone = shape<UndoRequest>({
  change: optional(text("the id of a change")),
  handle: optional(handle),
  isApplied,
});
const rolledBack = shape<RollBackRequest>({ session, actor: optional(text("an actor")), since, isApplied });

/** @internal */
export const HISTORY: Methods<HistoryApi> = {
  list: onPage({ request: listed }, async (place, { handle: named, limit: most } = {}) =>
    (await import("../write/memory-history.ts")).listHistory(place, named, most),
  ),
  blame: method({ handle }, () => import("../write/memory-history.ts"), "blameMemory"),
  diff: onPage({ handle, options: compared }, async (place, named, { change } = {}) =>
    (await import("../write/memory-history.ts")).diffMemory(place, named, change),
  ),
  undo: onPage({ request: undone, actor }, async (place, request, by) =>
    (await import("../write/undo-change.ts")).undoChange(place, request, by),
  ),
  rollBack: method({ request: rolledBack, actor }, () => import("../write/undo-change.ts"), "rollBack"),
};
