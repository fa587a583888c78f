import { opencodeFormat } from "../../capture/transcript/opencode-format.ts";
import type { TranscriptEvent } from "../../capture/transcript/transcript-event.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { type AskDatabase, withDatabase } from "../../platform/read-database.ts";

/** So many parts of a session are read, and so many sessions listed. */
const MAX_ROWS = 100_000;
const MAX_SESSIONS = 20_000;

/** A session in a client's database, as a path: `<file>.db#<session>`. */
export function splitDatabasePath(transcript: string): { file: string; session: string } | undefined {
  const found = /^(.+\.db)#([\w-]{1,200})$/.exec(transcript);
  return found ? { file: found[1] ?? "", session: found[2] ?? "" } : undefined;
}

/**
 * What a session of opencode or Kilo says after the parts that are known already, with the count of parts that it has.
 *
 * @throws HeedError `io-failed` where this Node has no SQLite, for a database that is too large or is none.
 */
export function readDatabaseSession(
  file: string,
  session: string,
  knownParts: number,
): { events: TranscriptEvent[]; parts: number } {
  return readFrom(file, (ask) => {
    const [head] = ask("select id, parent_id, directory from session where id = ?", session);
    if (head === undefined) return { events: [], parts: knownParts };
    const rows = ask(
      "select part.id as id, part.time_created as time, part.data as data, message.data as message " +
        `from part join message on message.id = part.message_id where part.session_id = ? order by part.time_created, part.id limit ${MAX_ROWS}`,
      session,
    );
    // The last one may have been a call that has its result by now.
    const rest = rows.slice(Math.max(0, knownParts - 1));
    const events = [
      ...opencodeFormat.events({ store: "opencode", row: "session", ...head }),
      ...rest.flatMap(({ id, time, data, message }) =>
        opencodeFormat.events({
          store: "opencode",
          id,
          time,
          data: parsed(data),
          role: parsed(message)["role"],
        }),
      ),
    ];
    return { events, parts: rows.length };
  });
}

/** The sessions of a database, newest first; none where this Node cannot read it. */
export function listDatabaseSessions(file: string): { session: string; mtimeMs: number }[] {
  try {
    return readFrom(file, (ask) =>
      ask(`select id, time_updated from session order by time_updated desc limit ${MAX_SESSIONS}`).map(
        ({ id, time_updated: time }) => ({ session: String(id), mtimeMs: Number(time) }),
      ),
    );
  } catch {
    return [];
  }
}

/** Asks a client's database. */
function readFrom<T>(file: string, work: (ask: AskDatabase) => T): T {
  try {
    return withDatabase(file, work);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new HeedError(
      "io-failed",
      `${file} is no database of opencode's that can be read here: ${why}`,
      { file, operation: "read" },
      { cause: error },
    );
  }
}

function parsed(value: unknown): Record<string, unknown> {
  try {
    return JSON.parse(String(value)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
