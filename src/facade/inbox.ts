import type { Confirmation } from "../write/answer-inbox.ts";
import { anyText, object, optional, shape } from "../here/schema.ts";
import { optionalText, handle, actor, reader } from "./arguments.ts";
import { onPage } from "../here/call.ts";

const answerInbox = () => import("../write/answer-inbox.ts");

export const INBOX = {
  /**
   * Lists what waits, with its text and why it waits.
   *
   * @param options - `reader`: who reads; a text that is quarantined is shown to a person alone. Default: nobody.
   * @throws HeedError `invalid-input` for an invalid reader.
   */
  list: onPage({ options: optional(object({ reader })) }, answerInbox, "listPending"),
  /**
   * Gives a pending memory the user's word: from now on it counts.
   *
   * @throws HeedError `invalid-input`; `not-found` when nothing of that name waits; `no-store` when the store that it is
   *   for is gone; `changed-outside` when the memory that it would change was edited since; `read-only`; `broken-file`;
   *   `ambiguous`; `gate-refused` for anybody but a person.
   */
  confirm: onPage(
    { handle, confirmation: shape<Confirmation>({ code: optionalText }), actor },
    answerInbox,
    "confirmMemory",
  ),
  /**
   * Drops a pending memory; it is not proposed again.
   *
   * @throws HeedError `invalid-input`; `not-found` when nothing of that name waits; `gate-refused` for anybody but a person.
   */
  reject: onPage({ handle, reason: anyText, actor }, answerInbox, "rejectMemory"),
  /**
   * Brings a pending memory that was dropped back to what waits; of a statement in another tool's directory, the user's
   * word is taken back, whichever it was. What a confirmation wrote is taken back by `history.undo`, and waits again then.
   *
   * @throws HeedError `invalid-input`; `not-found` when nothing of that name was dropped; `gate-refused` for anybody but a
   *   person.
   */
  restore: onPage({ handle, actor }, answerInbox, "restorePending"),
};
