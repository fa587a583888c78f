import type { Actor } from "../../memory/actor.ts";
import type { WriteResult } from "./written-memory.ts";

/** What waits for the user's word. */
export interface InboxApi {
  /**
   * Lists what waits, with its text and why it waits.
   *
   * @param options - `reader`: who reads; a text that is held back is shown to a person alone. Default: nobody.
   * @throws HeedError `invalid-input` for a reader that is none.
   * @example
   * const [item] = await heed.inbox.list({ reader: person });
   * item?.name; // → "short-answers"
   */
  list(options?: { reader?: Actor | undefined }): Promise<PendingItem[]>;
  /**
   * Gives a pending memory the user's word: from now on it counts.
   *
   * @throws HeedError `invalid-input`; `not-found` when nothing of that name waits; `no-store` when the store that it is
   *   for is gone; `changed-outside` when the memory that it would change was edited since; `read-only`; `broken-file`;
   *   `ambiguous`; `gate-refused` for anybody but a person.
   * @example
   * const { outcome } = await heed.inbox.confirm("short-answers", {}, person);
   * outcome; // → "written"
   */
  confirm(handle: string, confirmation: Confirmation, actor: Actor): Promise<WriteResult>;
  /**
   * Drops a pending memory; it is not proposed again.
   *
   * @throws HeedError `invalid-input`; `not-found` when nothing of that name waits; `gate-refused` for anybody but a person.
   * @example
   * await heed.inbox.reject("short-answers", "not so", person);
   * (await heed.inbox.list()).length; // → 0
   */
  reject(handle: string, reason: string, actor: Actor): Promise<void>;
  /**
   * Brings a pending memory that was dropped back to what waits; of a statement in another tool's directory, the user's
   * word is taken back, whichever it was. What a confirmation wrote is taken back by `history.undo`, and waits again then.
   *
   * @throws HeedError `invalid-input`; `not-found` when nothing of that name was dropped; `gate-refused` for anybody but a
   *   person.
   * @example
   * await heed.inbox.reject("short-answers", "not so", person);
   * await heed.inbox.restore("short-answers", person);
   * (await heed.inbox.list()).length; // → 1
   */
  restore(handle: string, actor: Actor): Promise<void>;
}

/** A person's approval of a pending memory. */
export interface Confirmation {
  /** What they put right before it counts. What is absent stays as it was proposed. */
  edited?: EditedProposal;
}

/** What a person puts right in a proposal. */
export interface EditedProposal {
  type?: string;
  description?: string;
  body?: string;
}

/** An item of the inbox. */
export interface PendingItem {
  name: string;
  description: string;
  type: string;
  body: string;
  /** Why it waits: a statement about the user, an edit from two sides, an attached or imported memory. */
  reason: string;
  proposedAt: string;
  /** The user's words on which it rests. */
  quote?: string;
  /** The repository that it is for; absent: everywhere, or that of the store at hand. */
  repo?: string;
  /** The memory that it would change, and the diff. */
  target?: string;
  diff?: string;
  /** It asks for a yes or no alone, as about a removal: there is no text to put right. */
  isFixed?: boolean;
  /** What the guard that comes with it stops, in words: in force with the user's yes. */
  guard?: string;
}
