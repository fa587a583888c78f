import { closeSync, readSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { opencodeFormat } from "../capture/transcript/opencode-format.ts";
import { RecordReader } from "../capture/transcript/record-reader.ts";
import type { TranscriptEvent } from "../capture/transcript/transcript-event.ts";
import { openRegularFile, namesInFolder, readOrEmpty } from "../../machine/regular-file.ts";
import { HeedError } from "../../machine/heed-error.ts";
import { type AskDatabase, withDatabase } from "../../machine/read-database.ts";

const CHUNK_BYTES = 256 * 1024;
/** No record that says something is longer; an embedded picture may be. */
export const MAX_LINE_BYTES: number = 16 * 1024 * 1024;
/** Of what was added to a file since the last run, its beginning (which tells the format) and its end are read, this much together. */
const MAX_READ_BYTES = 32 * 1024 * 1024;
const MAX_SUBAGENTS = 200;

export interface ReadReport {
  /** Bytes of the files that are done with, those passed over among them. */
  bytes: number;
  /** Bytes that were not read, as too many came at once. */
  passedBytes: number;
  lostLines: number;
}

export const NOTHING_READ: ReadReport = { bytes: 0, passedBytes: 0, lostLines: 0 };

export interface ReadProgress {
  /** Bytes read of each file, by its path. */
  offsets: Record<string, number>;
  /** The agent whose transcript it is, once it is told. */
  format: string;
}

/** `agent` is set for events of a subagent. */
type OnEvent = (event: TranscriptEvent, agent?: string) => void;

/** Asked between parts of a file: whether to leave off there, as somebody needs the machine. What was read is kept. */
export type IsToStop = () => boolean;

/** Reads on in a session's transcript, and in those of its subagents, from where the last run stopped. */
export function readSessionOn(
  progress: ReadProgress,
  transcript: string,
  onEvent: OnEvent,
  isToStop: IsToStop = () => false,
): ReadReport {
  const database = splitDatabasePath(transcript);
  if (database) return readDatabase(progress, transcript, database, onEvent);
  const cwd = folderBeside(transcript);
  if (cwd !== undefined) onEvent({ kind: "place", cwd });
  // One JSON file, as Cline's and those of former Gemini CLIs, is of no known format.
  if (transcript.endsWith(".json")) return NOTHING_READ;
  const report = readLines(progress, transcript, onEvent, isToStop);
  for (const file of subagentFiles(transcript)) {
    const agent = basename(file, ".jsonl");
    const part = readLines(progress, file, (event) => onEvent(event, agent), isToStop);
    report.bytes += part.bytes;
    report.passedBytes += part.passedBytes;
    report.lostLines += part.lostLines;
  }
  return report;
}

function readLines(progress: ReadProgress, file: string, onEvent: OnEvent, isToStop: IsToStop): ReadReport {
  const { handle, stats } = openRegularFile(file);
  const report = { ...NOTHING_READ };
  try {
    const known = progress.offsets[file] ?? 0;
    // A file that has become shorter was written again.
    const start = known <= stats.size ? known : 0;
    const reader = new RecordReader(progress.format);
    for (const line of wholeLines({ file, handle, start, end: stats.size }, report, isToStop))
      for (const event of reader.read(line)) onEvent(event);
    report.lostLines += reader.brokenLines;
    progress.offsets[file] = start + report.bytes;
    progress.format = reader.client ?? progress.format;
    return report;
  } finally {
    closeSync(handle);
  }
}

/**
 * The lines of a file without their line feeds, the last only once it is ended; the bytes are the caller's until the next.
 * Where more than `MAX_READ_BYTES` came, the first chunk and the end. Counted in `report`, lost lines too.
 */
function* wholeLines(
  { file, handle, start, end }: { file: string; handle: number; start: number; end: number },
  report: ReadReport,
  isToStop: IsToStop,
): Generator<Buffer> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let parts: Buffer[] = [];
  let begin = start;
  let isLost = false;
  for (let at = start; at < end && !isToStop();) {
    const excess = end - MAX_READ_BYTES - at;
    if (at > start && excess > 0) {
      report.passedBytes += excess;
      at += excess;
      isLost = true;
    }
    const read = chunk.subarray(0, readSync(handle, chunk, 0, Math.min(CHUNK_BYTES, end - at), at));
    if (read.length === 0) return;
    if (at === 0) refuseUtf16(file, read);
    let from = 0;
    for (let to = read.indexOf("\n"); to >= 0; to = read.indexOf("\n", from)) {
      isLost ||= at + to + 1 - begin > MAX_LINE_BYTES;
      if (isLost) report.lostLines += 1;
      else
        yield parts.length === 0
          ? read.subarray(from, to)
          : Buffer.concat([...parts, read.subarray(from, to)]);
      from = to + 1;
      begin = at + from;
      parts = [];
      isLost = false;
    }
    report.bytes = begin - start;
    at += read.length;
    isLost ||= at - begin > MAX_LINE_BYTES;
    if (isLost) parts = [];
    // A copy: the next chunk is read into the same bytes.
    else parts.push(Buffer.from(read.subarray(from)));
  }
}

/** @throws HeedError `io-failed`: its lines could not be told from damaged ones. */
function refuseUtf16(file: string, bytes: Buffer): void {
  if (!/^(?:fffe|feff)/.test(bytes.toString("hex", 0, 2))) return;
  throw new HeedError("io-failed", `${file} is UTF-16, and transcripts are read as UTF-8: save it as that`, {
    file,
    operation: "read",
  });
}

/** Of opencode or Kilo. @throws HeedError `io-failed` where this Node has no SQLite, for a database that is too large or is none. */
function readDatabase(
  progress: ReadProgress,
  transcript: string,
  { file, session }: { file: string; session: string },
  onEvent: OnEvent,
): ReadReport {
  const known = progress.offsets[transcript] ?? 0;
  const [head, rows] = readFrom(file, (ask) => [
    ask("select id, parent_id, directory from session where id = ?", session)[0],
    ask(
      "select part.id as id, part.time_created as time, part.data as data, message.data as message " +
        `from part join message on message.id = part.message_id where part.session_id = ? order by part.time_created, part.id limit ${MAX_ROWS}`,
      session,
    ),
  ]);
  if (head === undefined || rows.length === known) return NOTHING_READ;
  const records = [
    { row: "session", ...head },
    // The last one known may have been a call that has its result by now.
    ...rows.slice(Math.max(0, known - 1)).map(({ id, time, data, message }) => ({
      id,
      time,
      data: parsed(data),
      role: parsed(message)["role"],
    })),
  ];
  for (const record of records)
    for (const event of opencodeFormat.events({ store: "opencode", ...record })) onEvent(event);
  progress.offsets[transcript] = rows.length;
  progress.format = opencodeFormat.client;
  return { ...NOTHING_READ, bytes: rows.length - known };
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
    .slice(0, MAX_SUBAGENTS)
    .map((name) => join(folder, name));
}

const MAX_ROWS = 100_000;
const MAX_SESSIONS = 20_000;

/** A session in a client's database, as a path: `<file>.db#<session>`. */
export function splitDatabasePath(transcript: string): { file: string; session: string } | undefined {
  const found = /^(.+\.db)#([\w-]{1,200})$/.exec(transcript);
  return found ? { file: found[1] ?? "", session: found[2] ?? "" } : undefined;
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
