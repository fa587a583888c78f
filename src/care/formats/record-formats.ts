import { asRecord } from "../../machine/read-fields.ts";
import {
  type Fields,
  type ForeignAuthor,
  type ForeignReading,
  type ForeignSource,
  type ImportFormat,
  listOf,
  parseJson,
  recordsOf,
  splitFile,
  textIn,
  textOf,
  timeOf,
} from "./import-format.ts";
import { ASSUMED, statementOf } from "./read-statements.ts";

interface RecordTool {
  name: string;
  title: string;
  author: ForeignAuthor;
  /** A field that tells its records: in a JSON file, a list in it, or JSON lines. */
  json?: string;
  /** An SQLite file, part of its path, and the query of its records. */
  database?: { file: string; path?: RegExp; sql: string };
  /** Files of one record each: the front matter, and what stands below it as `text`. */
  files?: RegExp;
  /** What one of the first twenty such files holds. Default: anything. */
  mark?: RegExp;
  /** Names of fields; the first that has a text counts. */
  id: string[];
  text: string[];
  /** A statement that sums up the text. */
  summary?: string;
  /** What the text speaks of. */
  subject?: string;
  /** A list of further statements. */
  points?: string;
  tags?: string[];
  project?: string;
  /** heed's type. Default: `ASSUMED`. */
  typeOf?(record: Fields): string | undefined;
  /** Why a record is left out. */
  refuse?(record: Fields): string | undefined;
}

const CREATED = [
  "created_at",
  "created_at_epoch",
  "createdAt",
  "created_at_iso",
  "created",
  "filed",
  "updated",
];
const MAX_ROWS = 200_000;

const TOOLS: readonly RecordTool[] = [
  {
    name: "claude-mem",
    title: "observations of claude-mem",
    author: "tool",
    json: "narrative",
    database: { file: "claude-mem.db", sql: "SELECT * FROM observations" },
    id: ["content_hash", "id"],
    summary: "title",
    text: ["narrative", "text", "subtitle"],
    points: "facts",
    tags: ["concepts"],
    project: "project",
    refuse: ({ type }) =>
      /^(?:change|feature|refactor)$/i.test(String(type))
        ? `a ${String(type)}: git tells what was changed`
        : undefined,
  },
  {
    name: "mcp-memory-service",
    title: "memories of mcp-memory-service (doobidoo)",
    author: "tool",
    json: "content_hash",
    database: { file: "sqlite_vec.db", sql: "SELECT * FROM memories WHERE deleted_at IS NULL" },
    id: ["content_hash", "id"],
    text: ["content"],
    tags: ["tags"],
    typeOf: ({ memory_type: type }) =>
      ({ preference: "user", decision: "project", reference: "reference" })[String(type).toLowerCase()],
    refuse: ({ memory_type: type }) =>
      /^(?:session|conversation(?:_turn)?|command|search|file_access|code_edit|standup_note|daily_standup)$/i.test(
        String(type),
      )
        ? `a ${String(type).toLowerCase()}: a record of work, not what was learned`
        : undefined,
  },
  {
    name: "mem0",
    title: "memories of mem0",
    author: "tool",
    json: "memory",
    database: {
      file: "history.db",
      path: /mem0/i,
      sql: `SELECT memory_id AS id, new_memory AS memory, created_at FROM history AS one
        WHERE rowid = (SELECT MAX(rowid) FROM history WHERE memory_id = one.memory_id)
        AND NOT COALESCE(is_deleted, 0) AND event <> 'DELETE'`,
    },
    id: ["id", "memory_id"],
    text: ["memory"],
    tags: ["categories", "tags"],
    project: "app_id",
    // What is kept under a user and no app is said of them.
    typeOf: (record) =>
      textOf(record, "user_id") !== "" && textOf(record, "app_id") === "" ? "user" : undefined,
  },
  {
    name: "server-memory",
    title: "knowledge graph of server-memory (JSON lines)",
    author: "model",
    json: "observations",
    id: ["name"],
    subject: "name",
    text: [],
    points: "observations",
    tags: ["entityType"],
    typeOf: ({ entityType }) => (/^(?:user|person|me)$/i.test(String(entityType)) ? "user" : undefined),
  },
  {
    name: "claude-memory-compiler",
    title: "knowledge of claude-memory-compiler",
    author: "tool",
    files: /(?:^|\/)(?:concepts|connections|qa)\/[^/]+\.md$/,
    mark: /^(?:aliases|sources|connects|question|consulted):/m,
    id: ["file"],
    subject: "title",
    text: ["text"],
    tags: ["tags"],
  },
  {
    name: "basic-memory",
    title: "notes of basic-memory",
    author: "model",
    files: /\.md$/i,
    mark: /^permalink:/m,
    id: ["file"],
    subject: "title",
    text: ["text"],
    tags: ["tags"],
    refuse: ({ type }) =>
      /session|checkpoint/i.test(String(type))
        ? "the record of one session: sessions are searched where they are kept"
        : undefined,
  },
];

/** Records of other tools. */
export const RECORD_FORMATS: readonly ImportFormat[] = TOOLS.map((tool) => {
  const { name, title, author, json: field, mark } = tool;
  return {
    name,
    title,
    author,
    recognise: (source) =>
      (field !== undefined && jsonListOf(source).records.some((record) => field in record)) ||
      databaseIn(source, tool) !== undefined ||
      filesIn(source, tool)
        .slice(0, 20)
        .some((file) => mark?.test(textIn(source, file)) ?? true),
    read: async (reading) =>
      readRecords([...jsonIn(reading, field), ...(await rowsIn(reading, tool))], tool, reading),
  };
});

function jsonIn(reading: ForeignReading, field: string | undefined): Fields[] {
  if (field === undefined) return [];
  const { records, damaged } = jsonListOf(reading.source);
  for (const [place, what] of damaged) reading.leave(place, what, "a damaged line: it is no JSON by itself");
  for (const record of records)
    if (!(field in record)) reading.leave("record", JSON.stringify(record), `it has no "${field}"`);
  return records.filter((record) => field in record);
}

async function rowsIn(reading: ForeignReading, tool: RecordTool): Promise<Fields[]> {
  const file = databaseIn(reading.source, tool);
  const files = filesIn(reading.source, tool).flatMap((one) => {
    const text = reading.text(one);
    return text === undefined ? [] : [fileRecord(text, one)];
  });
  if (file === undefined) return files;
  const rows = await reading.query(file, `${tool.database?.sql} LIMIT ${MAX_ROWS + 1}`);
  if (rows.length > MAX_ROWS) reading.leave(file, file, `it has over ${MAX_ROWS} records`);
  return rows.slice(0, MAX_ROWS);
}

function databaseIn({ path, files }: ForeignSource, { database }: RecordTool): string | undefined {
  if (database?.path?.test(path) === false) return undefined;
  return files.find((file) => file.split("/").at(-1) === database?.file);
}

function filesIn(source: ForeignSource, { files }: RecordTool): string[] {
  return files && !source.isFile ? source.files.filter((file) => files.test(file)) : [];
}

function fileRecord(text: string, file: string): Fields {
  const { fields, body } = splitFile(text);
  const title = textOf(fields, "title") || (/^#\s+(.+)$/m.exec(body)?.[1] ?? "");
  return { ...fields, file, title, text: body.trim().replace(/^#\s+.*\n+/, "") };
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

function readRecords(records: readonly Fields[], tool: RecordTool, reading: ForeignReading): void {
  for (const [i, record] of records.entries()) {
    const id = textOf(record, ...tool.id);
    const place = tool.files ? id : `record ${id === "" ? i + 1 : id.slice(0, 40)}`;
    const { body, statement, subject } = saidIn(record, tool);
    const reason = tool.refuse?.(record) ?? (body === "" ? "it has no text" : undefined);
    if (reason !== undefined) {
      reading.leave(place, statement || place, reason);
      continue;
    }
    const type = tool.typeOf?.(record);
    const created = timeOf(...CREATED.map((key) => record[key]));
    const project = tool.project === undefined ? "" : textOf(record, tool.project);
    const tags = tool.tags?.map((key) => record[key]).find((value) => value != null);
    reading.memories.push({
      key: id === "" ? body : id,
      place,
      draft: {
        ...(type === undefined ? ASSUMED : { type }),
        ...(subject !== "" && { name: subject }),
        statement,
        body,
        tags: listOf(tags).slice(0, 12),
        aliases: listOf(record["aliases"]).slice(0, 12),
        links: linksIn(body),
      },
      ...(created !== undefined && { created }),
      ...(project !== "" && { project }),
    });
  }
}

function saidIn(record: Fields, tool: RecordTool): { body: string; statement: string; subject: string } {
  const summary = tool.summary === undefined ? "" : textOf(record, tool.summary);
  const subject = tool.subject === undefined ? "" : textOf(record, tool.subject);
  const points = tool.points === undefined ? [] : listOf(record[tool.points]);
  const text = textOf(record, ...tool.text) || (points.length === 0 ? summary : "");
  const isAlone = text === "" && points.length === 1;
  const head = text === "" && points.length > 0 && subject !== "" ? `${subject}:` : text;
  const lines = [head, ...points.map((point) => `- ${point}`)].filter((line) => line !== "");
  const body = isAlone ? `${head} ${points[0]}`.trim() : lines.join("\n");
  const first = statementOf(firstIn(text === "" ? (points[0] ?? "") : text));
  const named = subject === "" || first === "" ? first : statementOf(`${subject}: ${first}`);
  return { body, statement: summary === "" ? named : statementOf(summary), subject };
}

/** The first thing said: a paragraph, or an observation without its category. */
function firstIn(text: string): string {
  const opening = text.replace(/^#{1,6}\s.*\n+/, "");
  return /^[-*] /.test(opening) ? opening.split("\n", 1)[0]!.replace(/^[-*] \[[\w -]+\] /, "") : opening;
}

/** `[[wikilinks]]` to other records; a log of one day is where something comes from. */
function linksIn(text: string): { rel: "related"; to: string }[] {
  const names = [...text.matchAll(/\[\[([^\][|#\n]{1,80})/g)].map(([, name = ""]) => name.trim());
  const others = names.filter((name) => !name.startsWith("daily/")).map((name) => name.split("/").at(-1)!);
  return [...new Set(others)].slice(0, 12).map((to) => ({ rel: "related", to }));
}
