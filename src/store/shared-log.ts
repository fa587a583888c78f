import type { ChangeJournal } from "./history/change-journal.ts";
import type { ChangeRecord } from "./history/change-record.ts";

/**
 * The server whose copy a store's directory is: it decides on each change, and the directory follows. Both methods need
 * the store's write lock.
 *
 * @throws of both: HeedError `unreachable` when the server does not answer, `no-store` when it has the store no more for
 *   this person.
 */
export interface SharedLog {
  /**
   * Brings the directory up to what the server has.
   *
   * @param untilMs by `performance.now()`: later than this it ends with the changes that it has, one at least. Default:
   *   never.
   * @param found files that the server found and a directory that is not whole may lack: brings in these alone.
   */
  pull(journal: ChangeJournal, untilMs?: number, found?: ReadonlyMap<string, string>): Promise<void>;
  /**
   * Makes a change on the server: it is durable there once this resolves.
   *
   * @throws HeedError `changed-outside` when a file is not as the change says it was; the directory has what the server
   *   has by then. `read-only` for somebody who may only read.
   */
  push(record: ChangeRecord, journal: ChangeJournal): Promise<void>;
}
