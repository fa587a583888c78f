import type { Confirmation, PendingItem, EditedProposal } from "../here/api/inbox.ts";
import { anyText, object, optional, shape, type Methods } from "../here/api/schema.ts";
import type { WriteResult } from "../here/api/written-memory.ts";
import type { Actor } from "../memory/memory.ts";
import { optionalText, handle, actor, reader } from "./arguments.ts";
import { onPage } from "../here/call.ts";

/** What needs the user's approval. */
export interface InboxApi {
  /**
   * Lists what waits, with its text and why it waits.
   *
   * @param options - `reader`: who reads; a text that is quarantined is shown to a person alone. Default: nobody.
   * @throws HeedError `invalid-input` for an invalid reader.
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

const edited = optional(
  shape<EditedProposal>({ type: optionalText, description: optionalText, body: optionalText }),
);

const pendingItems = () => import("../write/pending-items.ts");
const answerInbox = () => import("../write/answer-inbox.ts");

/** @internal */
export const INBOX: Methods<InboxApi> = {
  list: onPage({ options: optional(object({ reader })) }, pendingItems, "listPending"),
  confirm: onPage(
    { handle, confirmation: shape<Confirmation>({ edited, code: optionalText }), actor },
    answerInbox,
    "confirmMemory",
  ),
  reject: onPage({ handle, reason: anyText, actor }, answerInbox, "rejectMemory"),
  restore: onPage({ handle, actor }, answerInbox, "restorePending"),
};
