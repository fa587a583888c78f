import type { Actor, Confirmation, PendingItem, WriteResult } from "./writing-api.ts";

/** What waits for the user's word. */
export interface InboxApi {
  /** `reader`: as for `show`. */
  list(reader?: Actor): Promise<PendingItem[]>;
  /** Gives a pending memory the user's word. */
  confirm(handle: string, confirmation: Confirmation, actor: Actor): Promise<WriteResult>;
  /** Drops a pending memory; it is not proposed again. */
  reject(handle: string, reason: string, actor: Actor): Promise<void>;
}
