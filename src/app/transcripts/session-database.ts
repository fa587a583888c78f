import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { opencodeFormat } from "../../capture/transcript/opencode-format.ts";
import type { TranscriptEvent } from "../../capture/transcript/transcript-event.ts";
import { HeedError } from "../../errors/heed-error.ts";

/** A larger database is not copied. */
const MAX_DATABASE_BYTES = 1024 * 1024 * 1024;
/** So many parts of a session are read, and so many sessions listed. */
const MAX_ROWS = 100_000;
const MAX_SESSIONS = 20_000;

interface Database {
  prepare(sql: string): { all(...values: unknown[]): Record<string, unknown>[] };
  close(): void;
}

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
  return withCopy(file, (database) => {
    const [head] = database.prepare("select id, parent_id, directory from session where id = ?").all(session);
    if (head === undefined) return { events: [], parts: knownParts };
    const rows = database
      .prepare(
        "select part.id as id, part.time_created as time, part.data as data, message.data as message " +
          `from part join message on message.id = part.message_id where part.session_id = ? order by part.time_created, part.id limit ${MAX_ROWS}`,
      )
      .all(session);
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
    return withCopy(file, (database) =>
      database
        .prepare(`select id, time_updated from session order by time_updated desc limit ${MAX_SESSIONS}`)
        .all()
        .map(({ id, time_updated: time }) => ({ session: String(id), mtimeMs: Number(time) })),
    );
  } catch {
    return [];
  }
}

/** Works on a copy: the client may write, and opening its database would make files beside it. */
function withCopy<T>(file: string, work: (database: Database) => T): T {
  const sqlite = process.getBuiltinModule("node:sqlite" as "node:fs") as unknown as
    | { DatabaseSync: new (path: string) => Database }
    | undefined;
  const fail = (why: string, cause?: unknown): HeedError =>
    new HeedError(
      "io-failed",
      `cannot read the sessions in ${file}: ${why}`,
      { file, operation: "read" },
      { cause },
    );
  if (sqlite === undefined)
    throw fail(`Node ${process.versions.node} has no SQLite. Run heed with Node 22.13 or newer.`);
  const { size } = statSync(file);
  if (size > MAX_DATABASE_BYTES) throw fail(`it has ${size} bytes, more than ${MAX_DATABASE_BYTES}.`);
  const folder = mkdtempSync(join(tmpdir(), "heed-db-"));
  try {
    const copy = join(folder, "copy.db");
    for (const ending of ["", "-wal"])
      if (existsSync(file + ending)) copyFileSync(file + ending, copy + ending);
    const database = new sqlite.DatabaseSync(copy);
    try {
      return work(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw error instanceof HeedError ? error : fail("it is no database of opencode's, or damaged.", error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function parsed(value: unknown): Record<string, unknown> {
  try {
    return JSON.parse(String(value)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
