import { asRecord } from "../../machine/read-fields.ts";
import {
  type Fields,
  type ForeignReading,
  type ForeignSource,
  type ImportFormat,
  listOf,
  parseJson,
  recordsOf,
  textIn,
  textOf,
  timeOf,
} from "./import-format.ts";
import { ASSUMED, statementOf } from "./read-statements.ts";

interface RecordTool {
  name: string;
  title: string;
  /** A model wrote what it holds. */
  isWritten?: boolean;
  /** A field that tells its records: in a JSON file, a list in it, or JSON lines. */
  json: string;
  /** An SQLite file, part of its path, and the query of its records. */
  database?: { file: string; path?: RegExp; sql: string };
}

const TOOLS: readonly RecordTool[] = [
  {
    name: "claude-mem",
    title: "observations of claude-mem",
    json: "narrative",
    database: { file: "claude-mem.db", sql: "SELECT * FROM observations" },
  },
  {
    name: "mcp-memory-service",
    title: "memories of mcp-memory-service (doobidoo)",
    json: "content_hash",
    database: { file: "sqlite_vec.db", sql: "SELECT * FROM memories WHERE deleted_at IS NULL" },
  },
  {
    name: "mem0",
    title: "memories of mem0",
    json: "memory",
    database: {
      file: "history.db",
      path: /mem0/i,
      sql: `SELECT memory_id AS id, new_memory AS memory, created_at FROM history AS one
        WHERE rowid = (SELECT MAX(rowid) FROM history WHERE memory_id = one.memory_id)
        AND NOT COALESCE(is_deleted, 0) AND event <> 'DELETE'`,
    },
  },
  {
    name: "server-memory",
    title: "knowledge graph of server-memory (JSON lines)",
    isWritten: true,
    json: "observations",
  },
];

/** Under which names these tools keep the same thing; the first that has a text counts. */
const ID = ["content_hash", "id", "memory_id", "name"];
const TEXT = ["narrative", "content", "memory", "text", "subtitle"];
/** Lists of further statements. */
const POINTS = ["facts", "observations"];
const TAGS = ["concepts", "tags", "categories", "entityType"];
const CREATED = ["created_at", "created_at_epoch", "createdAt", "created_at_iso"];
const OF_USER = /^(?:user|person|me|preference)$/i;
/** Kinds of records that say what was done, not what was learned. */
const OF_WORK =
  /^(?:change|feature|refactor|session|conversation(?:_turn)?|command|search|file_access|code_edit|standup_note|daily_standup)$/i;

/** Records of other tools. */
export const RECORD_FORMATS: readonly ImportFormat[] = TOOLS.map((tool) => ({
  name: tool.name,
  title: tool.title,
  isConcluded: tool.isWritten !== true,
  recognise: (source) =>
    jsonListOf(source).records.some((record) => tool.json in record) ||
    databaseIn(source, tool) !== undefined,
  read: async (reading) => {
    for (const [i, record] of (await recordsIn(reading, tool)).entries()) readRecord(reading, record, i);
  },
}));

const MAX_ROWS = 200_000;

async function recordsIn(reading: ForeignReading, tool: RecordTool): Promise<Fields[]> {
  const file = databaseIn(reading.source, tool);
  if (file !== undefined) {
    const rows = await reading.query(file, `${tool.database?.sql} LIMIT ${MAX_ROWS + 1}`);
    if (rows.length > MAX_ROWS) reading.leave(file, file, `it has over ${MAX_ROWS} records`);
    return rows.slice(0, MAX_ROWS);
  }
  const { records, damaged } = jsonListOf(reading.source);
  for (const [place, what] of damaged) reading.leave(place, what, "a damaged line: it is no JSON by itself");
  const others = records.filter((record) => !(tool.json in record));
  for (const record of others) reading.leave("record", JSON.stringify(record), `it has no "${tool.json}"`);
  return records.filter((record) => tool.json in record);
}

function databaseIn({ path, files }: ForeignSource, { database }: RecordTool): string | undefined {
  if (database?.path?.test(path) === false) return undefined;
  return files.find((file) => file.split("/").at(-1) === database?.file);
}

/** The records of a JSON file or of JSON lines, and the lines that are none, by their place. */
export function jsonListOf(source: ForeignSource): {
  records: Fields[];
  damaged: [place: string, line: string][];
} {
  const { isFile, name } = source;
  if (!isFile || !/\.jsonl?$/i.test(name)) return { records: [], damaged: [] };
  const text = textIn(source, name);
  const whole = parseJson(text);
  if (whole !== undefined) {
    const fields = asRecord(whole);
    const lists = Object.values(fields ?? {}).flatMap(recordsOf);
    return {
      records: fields && lists.length === 0 ? [fields] : [...recordsOf(whole), ...lists],
      damaged: [],
    };
  }
  const lines = text
    .split("\n")
    .map((line, i) => ({ place: `line ${i + 1}`, line, value: asRecord(parseJson(line)) }));
  return {
    records: recordsOf(lines.map(({ value }) => value)),
    damaged: lines.flatMap(({ place, line, value }) => (line.trim() === "" || value ? [] : [[place, line]])),
  };
}

function readRecord(reading: ForeignReading, record: Fields, i: number): void {
  const id = textOf(record, ...ID);
  const place = `record ${id === "" ? i + 1 : id.slice(0, 40)}`;
  const { body, statement, subject } = saidIn(record);
  const kind = textOf(record, "memory_type", "type").toLowerCase();
  if (OF_WORK.test(kind) || body === "") {
    const reason = body === "" ? "it has no text" : `a ${kind}: what was done, not what was learned`;
    return reading.leave(place, statement || place, reason);
  }
  // What is kept under a user and no app is said of them.
  const isOfUser = textOf(record, "user_id") !== "" && textOf(record, "app_id") === "";
  const isUser = isOfUser || OF_USER.test(textOf(record, "entityType") || kind);
  const type = isUser ? "user" : kind === "reference" ? kind : undefined;
  const created = timeOf(...CREATED.map((key) => record[key]));
  const project = textOf(record, "project", "app_id");
  const tags = TAGS.map((key) => record[key]).find((value) => value != null);
  reading.memories.push({
    key: id === "" ? body : id,
    place,
    draft: {
      ...(type === undefined ? ASSUMED : { type }),
      ...(subject !== "" && { name: subject }),
      statement,
      body,
      tags: listOf(tags).slice(0, 12),
    },
    ...(created !== undefined && { created }),
    ...(project !== "" && { project }),
  });
}

/** The subject of an entity or the title of an observation, its text, and its points as a list. */
function saidIn(record: Fields): { body: string; statement: string; subject: string } {
  const [subject, title] = [textOf(record, "name"), textOf(record, "title")];
  const points = POINTS.flatMap((key) => listOf(record[key]));
  const text = textOf(record, ...TEXT) || (points.length === 0 ? title : "");
  const head = text === "" && points.length > 0 && subject !== "" ? `${subject}:` : text;
  const lines = [head, ...points.map((point) => `- ${point}`)].filter((line) => line !== "");
  const isAlone = text === "" && points.length === 1;
  const body = isAlone ? `${head} ${points[0]}`.trim() : lines.join("\n");
  const first = text === "" ? (points[0] ?? "") : text;
  const named = subject === "" || first === "" ? first : `${subject}: ${first}`;
  return { body, statement: statementOf(title || named), subject };
}
