import type { ConversationAbout, ConversationRequest } from "../past/conversations/search-conversations.ts";
import { count, milliseconds, optional, shape } from "../here/schema.ts";
import { optionalText, optionalFlag, limit, handle, session } from "./arguments.ts";
import { method } from "../here/call.ts";

const readMs = optional(milliseconds);
const request = optional(
  shape<ConversationRequest>({ text: optionalText, isEverywhere: optionalFlag, limit, readMs }),
);
const asked = shape<ConversationAbout>({
  session,
  memory: optional(handle),
  from: optional(count(0)),
  limit,
  readMs,
});

const searchConversations = () => import("../past/conversations/search-conversations.ts");

export const CONVERSATIONS = {
  /**
   * Finds past conversations by words, best first, and of two about one topic the newer first; without words the latest.
   * First reads what transcripts have got since; of many new ones as far as it comes in time.
   *
   * @param request - `isEverywhere`: of all repositories, default of the one at hand. `limit`: at most this many, default 5.
   *   `readMs`: reading new transcripts takes so long at most, default 10,000.
   * @throws HeedError `invalid-input`.
   */
  search: method({ request }, searchConversations, "searchConversations"),
  /**
   * Shows a past conversation, or the part of it that a memory came from: as much as fits into one answer, the rest by `from`.
   * Reads on in its transcript first, as far as it comes in time.
   *
   * @param about - `session`: its id, or the beginning of it; or `memory`: a handle. `from`: how many passages to leave out,
   *   default none, or those before what the memory says. `limit`: at most this many passages, default 40. `readMs`: reading
   *   takes so long at most, default 2,000.
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous` for session and memory, also when nothing is kept of the
   *   session that the memory came from.
   */
  show: method({ about: asked }, searchConversations, "showConversation"),
};
