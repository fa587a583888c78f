import type { RollBackRequest, UndoRequest } from "../write/undo-change.ts";
import { object, optional, text, shape } from "../here/schema.ts";
import { optionalText, isApplied, limit, since, handle, session, actor } from "./arguments.ts";
import { method, onPage } from "../here/call.ts";

const listed = optional(object({ handle: optional(handle), limit }));
const compared = optional(object({ change: optionalText }));
const undone = shape<UndoRequest>({
  change: optional(text("the id of a change")),
  handle: optional(handle),
  isApplied,
});
const rolledBack = shape<RollBackRequest>({ session, actor: optional(text("an actor")), since, isApplied });

const memoryHistory = () => import("../write/memory-history.ts");
const undoChange = () => import("../write/undo-change.ts");

export const HISTORY = {
  /**
   * Lists changes, newest first: of all stores that hold here, or of one memory, through renames and removals.
   *
   * @param request - `handle`: of that memory alone. `limit`: at most this many, default 50.
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous` when the handle fits none or several.
   */
  list: onPage({ request: listed }, memoryHistory, "listHistory"),
  /**
   * Compares a memory with its state before a change, as a unified diff.
   *
   * @param options - `change`: the id of the change, or its beginning; default: the memory's last one.
   * @throws HeedError `invalid-input`; `not-found` for memory or change; `ambiguous`.
   */
  diff: onPage({ handle, options: compared }, memoryHistory, "diffMemory"),
  /**
   * Takes a change back, as a change of its own.
   *
   * @param request - `change`: its id, or the beginning; default: the last that heed made and nobody has taken back.
   *   `handle`: only what it did to that memory; default: the last change of it, an editor's too. `isApplied`: default
   *   true; false only tells what would be taken back, with one file of each memory.
   * @throws HeedError `not-found`; `ambiguous`; `conflict` when later changes touch the same lines; `invalid-input` for a
   *   change that is not heed's to take back; `gate-refused` when a model would take back what is the user's;
   *   `changed-outside`; `read-only`.
   */
  undo: onPage({ request: undone, actor }, undoChange, "undoChange"),
  /**
   * Takes back all that one session or actor changed, the newest first; tells what it would do, and with `isApplied` does
   * it, as one change in each store. What later changes of others touch is kept and told.
   *
   * @param request - `session`: the changes of that session. `actor`: those of that actor, as `list` names it, or of its
   *   client or kind. `since`: only those made since then (ISO time).
   * @throws HeedError `invalid-input` when it is not said whose; `not-found` when there is nothing of theirs;
   *   `changed-outside`; `read-only`.
   */
  rollBack: method({ request: rolledBack, actor }, undoChange, "rollBack"),
};
