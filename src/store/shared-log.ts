import type { ChangeJournal } from "./history/change-journal.ts";
import type { ChangeRecord } from "./history/change-record.ts";

/**
 * The server whose copy a store's directory is. Both methods need the store's write lock.
 * @throws HeedError `unreachable`; `no-store` when the server shows it to this person no more.
 */
export interface SharedLog {
  /**
   * Brings the directory up to the server. `untilMs`: ends then, with one change at least; default never.
   * `found`: brings in these files alone, which a search found.
   */
  pull(journal: ChangeJournal, untilMs?: number, found?: ReadonlyMap<string, string>): Promise<void>;
  /** Makes a change durable on the server. @throws HeedError `changed-outside` for a stale file; `read-only`. */
  push(record: ChangeRecord, journal: ChangeJournal): Promise<void>;
}
