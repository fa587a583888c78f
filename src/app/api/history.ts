import type { Actor } from "../../memory/actor.ts";

/** What changed, when and why; and taking it back. */
export interface HistoryApi {
  /**
   * Lists changes, newest first: of all stores that hold here, or of one memory, through renames and removals.
   *
   * @param request - `handle`: of that memory alone. `limit`: so many at most, default 50.
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
   * @throws HeedError `not-found`; `ambiguous`; `conflict` when later changes touch the same lines; `invalid-input` for a
   *   change that is not heed's to take back; `gate-refused` when a model would take back what is the user's;
   *   `changed-outside`; `read-only`.
   * @example
   * const { summary } = await heed.history.undo({ change }, person);
   * summary.startsWith("undo"); // → true
   */
  undo(request: { change?: string | undefined }, actor: Actor): Promise<Change>;
}

/** One entry of the history of a store. */
export interface Change {
  /** Commit, or entry of the change journal where the store is no git repository of heed's. */
  id: string;
  time: string;
  actor: string;
  /** What and why, one line. */
  summary: string;
  files: string[];
}

/** One line of a memory with the change that brought it. */
export interface BlameLine {
  line: number;
  text: string;
  change: Change;
}
