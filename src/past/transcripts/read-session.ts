import { closeSync, readSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { RecordReader } from "../capture/transcript/record-reader.ts";
import type { TranscriptEvent } from "../capture/transcript/transcript-event.ts";
import { openRegularFile, namesInFolder, readOrEmpty } from "../../machine/regular-file.ts";
import { HeedError, ioFailed } from "../../machine/heed-error.ts";
import { type AskDatabase, withDatabase } from "../../machine/read-database.ts";

const CHUNK_BYTES = 1024 * 1024;
/** No record that says something is longer; an embedded picture may be. */
export const MAX_LINE_BYTES: number = 16 * 1024 * 1024;
const EMPTY = Buffer.alloc(0);

export interface ReadProgress {
  /** Bytes read of each file, by its path. */
  offsets: Record<string, number>;
  /** The agent whose transcript it is, once it is told. */
  client: string;
}

/** `agent` is set for events of a subagent. */
type OnEvent = (event: TranscriptEvent, agent?: string) => void;

/** Asked between parts of a file: whether to leave off there, as somebody needs the machine. What was read is kept. */
export type IsToStop = () => boolean;

/** Reads on in a session's transcript, and in those of its subagents, from where the last run stopped. @returns the bytes that are done with. */
export function readSessionOn(
  progress: ReadProgress,
  transcript: string,
  onEvent: OnEvent,
  isToStop: IsToStop = () => false,
): number {
  const database = splitDatabasePath(transcript);
  if (database) return readDatabase(progress, transcript, database, onEvent);
  const cwd = folderBeside(transcript);
  if (cwd !== undefined) onEvent({ kind: "place", cwd });
  // One JSON file, as Cline's and those of former Gemini CLIs, is of no known format.
  if (transcript.endsWith(".json")) return 0;
  let bytes = readLines(progress, transcript, onEvent, isToStop);
  for (const file of subagentFiles(transcript)) {
    const agent = basename(file, ".jsonl");
    bytes += readLines(progress, file, (event) => onEvent(event, agent), isToStop);
  }
  return bytes;
}

function readLines(progress: ReadProgress, file: string, onEvent: OnEvent, isToStop: IsToStop): number {
  const { handle, stats } = openRegularFile(file);
  try {
    const known = progress.offsets[file] ?? 0;
    // A file that has become shorter was written again.
    const start = known <= stats.size ? known : 0;
    let at = start;
    const reader = new RecordReader(progress.client);
    for (const { line, next } of wholeLines(handle, { start, end: stats.size }, isToStop)) {
      // Its lines could not be told from damaged ones.
      if (at === 0 && /^(?:\xff\xfe|\xfe\xff)/.test(line.toString("latin1", 0, 2)))
        throw ioFailed("read", file, `${file} is UTF-16, and transcripts are read as UTF-8: save it as that`);
      for (const event of reader.readLine(line)) onEvent(event);
      at = next;
    }
    progress.offsets[file] = at;
    progress.client = reader.client ?? progress.client;
    return at - start;
  } finally {
    closeSync(handle);
  }
}

/** The lines of a file without their line feeds, one that is too long empty, the last only once it is ended. */
function* wholeLines(
  handle: number,
  { start, end }: { start: number; end: number },
  isToStop: IsToStop,
): Generator<{ line: Buffer; next: number }> {
  let rest = EMPTY;
  for (let at = start; at < end && !isToStop();) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - at));
    const count = readSync(handle, chunk, 0, chunk.length, at);
    if (count === 0) return;
    at += count;
    const bytes = Buffer.concat([rest, chunk.subarray(0, count)]);
    let from = 0;
    for (let to = bytes.indexOf("\n"); to >= 0; to = bytes.indexOf("\n", from)) {
      const line = to - from < MAX_LINE_BYTES ? bytes.subarray(from, to) : EMPTY;
      from = to + 1;
      yield { line, next: at - bytes.length + from };
    }
    // The end of a line whose beginning is left out is no record.
    rest = bytes.length - from < MAX_LINE_BYTES ? bytes.subarray(from) : EMPTY;
  }
}

/** Of opencode or Kilo. @throws HeedError `io-failed` where this Node has no SQLite, for a database that is too large or is none. */
function readDatabase(
  progress: ReadProgress,
  transcript: string,
  { file, session }: { file: string; session: string },
  onEvent: OnEvent,
): number {
  const known = progress.offsets[transcript] ?? 0;
  const [head, rows] = readFrom(file, (ask) => [
    ask("select id, parent_id, directory from session where id = ?", session)[0],
    ask(
      "select part.id as id, part.time_created as time, part.data as data, message.data as message " +
        "from part join message on message.id = part.message_id where part.session_id = ? order by part.time_created, part.id",
      session,
    ),
  ]);
  if (head === undefined || rows.length === known) return 0;
  const reader = new RecordReader();
  const records = [
    { row: "session", ...head },
    // The last one known may have been a call that has its result by now.
    ...rows.slice(Math.max(0, known - 1)).map(({ id, time, data, message }) => ({
      id,
      timestamp: Number.isFinite(time) ? new Date(Number(time)).toISOString() : "",
      data: parsed(data),
      role: parsed(message)["role"],
    })),
  ];
  for (const record of records)
    for (const event of reader.read({ store: "opencode", ...record })) onEvent(event);
  progress.offsets[transcript] = rows.length;
  progress.client = reader.client ?? "";
  return rows.length - known;
}

/** Gemini CLI's chats do not say where they were; a file beside their folder does. */
function folderBeside(transcript: string): string | undefined {
  const folder = dirname(transcript);
  if (basename(folder) !== "chats") return undefined;
  const said = readOrEmpty(join(dirname(folder), ".project_root"), { maxBytes: 4096 }).trim();
  return isAbsolute(said) ? said : undefined;
}

/** Claude Code keeps the transcripts of a session's subagents in a folder beside it. */
function subagentFiles(transcript: string): string[] {
  const folder = join(dirname(transcript), basename(transcript, ".jsonl"), "subagents");
  return namesInFolder(folder)
    .filter((name) => name.startsWith("agent-") && name.endsWith(".jsonl"))
    .map((name) => join(folder, name));
}

/** A session in a client's database, as a path: `<file>.db#<session>`. */
export function splitDatabasePath(transcript: string): { file: string; session: string } | undefined {
  const found = /^(.+\.db)#([\w-]{1,200})$/.exec(transcript);
  return found ? { file: found[1] ?? "", session: found[2] ?? "" } : undefined;
}

/** The sessions of a database, newest first; none where this Node cannot read it. */
export function listDatabaseSessions(file: string): { session: string; mtimeMs: number }[] {
  try {
    return readFrom(file, (ask) =>
      ask("select id, time_updated from session order by time_updated desc").map(
        ({ id, time_updated: time }) => ({ session: String(id), mtimeMs: Number(time) }),
      ),
    );
  } catch {
    return [];
  }
}

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
