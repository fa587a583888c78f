import { asRecord } from "../../../machine/read-fields.ts";
import type { MemoryDraft } from "../../../memory/memory.ts";
import type { ForeignReading, ForeignSource, ImportFormat } from "../import-format.ts";
import { leaveOut, readJson } from "../import-format.ts";
import { type Fields, listOf, recordsOf, splitFile, textOf, timeOf } from "../foreign-fields.ts";
import { ASSUMED, descriptionOf } from "../read-statements.ts";

interface RecordKind {
  id: readonly string[];
  text: readonly string[];
  title?: readonly string[];
  created: readonly string[];
  tags: readonly string[];
  project?: readonly string[];
  /** The other tool's word for a kind, and heed's type. */
  types?: Readonly<Record<string, string>>;
  typeKey?: readonly string[];
}

const MEM0: RecordKind = {
  id: ["id", "memory_id"],
  text: ["memory", "data", "text", "content", "new_memory"],
  created: ["created_at", "createdAt"],
  tags: ["categories", "tags"],
  project: ["app_id"],
};

const DOOBIDOO: RecordKind = {
  id: ["content_hash", "id"],
  text: ["content"],
  created: ["created_at_iso", "created_at"],
  tags: ["tags"],
  typeKey: ["memory_type"],
  types: { preference: "user", decision: "project", reference: "reference" },
};

/** What that service keeps of work as it goes on. */
const RECORDS_OF_WORK =
  /^(?:session|conversation(?:_turn)?|command|search|file_access|code_edit|standup_note|daily_standup)$/i;

const CLAUDE_MEM: RecordKind = {
  id: ["content_hash", "id"],
  title: ["title"],
  text: ["narrative", "text", "subtitle"],
  created: ["created_at", "created_at_epoch"],
  tags: ["concepts"],
  project: ["project"],
};

/** mem0: lists of memories as its API answers them, its plugin's markdown, the history database of its library. */
export const MEM0_FORMAT: ImportFormat = {
  name: "mem0",
  title: "memories of mem0",
  author: "tool",
  recognise: (source) =>
    (isJson(source) && mem0Records(source).length > 0) ||
    (source.isFile && /^mem0-export.*\.md$/i.test(source.name)) ||
    (databaseNamed(source, "history.db") !== undefined && /mem0/i.test(source.path)),
  async read(source) {
    // What is kept under a user and no app is said of them.
    if (isJson(source))
      return readRecords(mem0Records(source), MEM0, (record) =>
        textOf(record, "user_id") !== "" && textOf(record, "app_id") === "" ? { type: "user" } : {},
      );
    const database = databaseNamed(source, "history.db");
    if (database !== undefined) {
      // The last event of a memory has its text.
      const rows = await source.query(database, "SELECT * FROM history ORDER BY rowid LIMIT 200000");
      const last = new Map(rows.map((row) => [textOf(row, "memory_id"), row]));
      const living = [...last.values()].filter(
        (row) => !row["is_deleted"] && textOf(row, "event") !== "DELETE",
      );
      return readRecords(
        living.map((row) => ({ ...row, id: row["memory_id"] })),
        MEM0,
      );
    }
    return readRecords(mem0Blocks(source.read(source.name) ?? ""), MEM0);
  },
};

/** doobidoo's mcp-memory-service: JSON export or its database. */
export const DOOBIDOO_FORMAT: ImportFormat = {
  name: "mcp-memory-service",
  title: "memories of mcp-memory-service (doobidoo)",
  author: "tool",
  recognise: (source) =>
    (isJson(source) &&
      asRecord(asRecord(readJson(source, source.name))?.["export_metadata"]) !== undefined) ||
    databaseNamed(source, "sqlite_vec.db") !== undefined,
  async read(source) {
    const database = databaseNamed(source, "sqlite_vec.db");
    const records =
      database === undefined
        ? recordsOf(asRecord(readJson(source, source.name))?.["memories"])
        : (await source.query(database, "SELECT * FROM memories LIMIT 200000")).filter(
            (row) => row["deleted_at"] == null,
          );
    return readRecords(records, DOOBIDOO, (record) => {
      const kind = textOf(record, "memory_type");
      return RECORDS_OF_WORK.test(kind)
        ? `a ${kind.toLowerCase()}: a record of work, not what was learned`
        : {};
    });
  },
};

/** claude-mem: observations and summaries of sessions, from its JSON export or its database. */
export const CLAUDE_MEM_FORMAT: ImportFormat = {
  name: "claude-mem",
  title: "observations of claude-mem",
  author: "tool",
  recognise: (source) =>
    (isJson(source) && Array.isArray(asRecord(readJson(source, source.name))?.["observations"])) ||
    databaseNamed(source, "claude-mem.db") !== undefined,
  async read(source) {
    const database = databaseNamed(source, "claude-mem.db");
    const exported = database === undefined ? asRecord(readJson(source, source.name)) : undefined;
    const observations =
      database === undefined
        ? recordsOf(exported?.["observations"])
        : await source.query(database, "SELECT * FROM observations LIMIT 200000");
    const reading = readRecords(observations, CLAUDE_MEM, observationDraft);
    const summaries = database === undefined ? recordsOf(exported?.["summaries"]).length : 0;
    if (summaries > 0)
      leaveOut(
        reading,
        source.name,
        `${summaries} summaries of sessions`,
        "sessions are searched where they are kept: `heed capture --backfill`",
      );
    return reading;
  },
};

/** Its facts stand below its own telling, as its own. */
function observationDraft(record: Fields): Partial<MemoryDraft> | string {
  const kind = textOf(record, "type");
  if (/^(?:change|feature|refactor)$/i.test(kind)) return `a ${kind}: git tells what was changed`;
  const facts = listOf(record["facts"]);
  const narrative = textOf(record, "narrative", "text", "subtitle");
  const said = [narrative, ...facts.map((fact) => `- ${fact}`)].filter((line) => line !== "");
  return { type: "project", ...(said.length > 0 && { body: said.join("\n") }) };
}

function readRecords(
  records: readonly Fields[],
  kind: RecordKind,
  more: (record: Fields) => Partial<MemoryDraft> | string = () => ({}),
): ForeignReading {
  const reading: ForeignReading = { memories: [], leftOut: [] };
  for (const [i, record] of records.entries()) {
    const id = textOf(record, ...kind.id);
    const place = `record ${id === "" ? i + 1 : id.slice(0, 40)}`;
    const title = kind.title ? textOf(record, ...kind.title) : "";
    const added = more(record);
    const text =
      (typeof added === "string" ? "" : (added.body ?? "")) || textOf(record, ...kind.text) || title;
    if (typeof added === "string" || text === "") {
      leaveOut(reading, place, title || text || place, typeof added === "string" ? added : "it has no text");
      continue;
    }
    const word = textOf(record, ...(kind.typeKey ?? [])).toLowerCase();
    const type = kind.types?.[word];
    const created = timeOf(...kind.created.map((key) => record[key]));
    const project = kind.project ? textOf(record, ...kind.project) : "";
    reading.memories.push({
      key: id === "" ? text : id,
      place,
      draft: {
        ...(type === undefined ? ASSUMED : { type }),
        description: descriptionOf(title === "" ? text : title),
        tags: listOf(kind.tags.map((key) => record[key]).find((value) => value != null)).slice(0, 12),
        ...added,
        body: text,
      },
      ...(created !== undefined && { created }),
      ...(project !== "" && { project }),
    });
  }
  return reading;
}

/** Blocks between rules, each with its front matter. */
function mem0Blocks(text: string): Fields[] {
  const parts = text.replace(/\r\n?/g, "\n").split(/^---[ \t]*$/m);
  const records: Fields[] = [];
  for (let i = 1; i + 1 < parts.length; i += 2) {
    const { fields } = splitFile(`---\n${(parts[i] ?? "").trim()}\n---\n`);
    records.push({ ...fields, memory: (parts[i + 1] ?? "").trim() });
  }
  return records;
}

function mem0Records(source: ForeignSource): Fields[] {
  const json = readJson(source, source.name);
  const list = Array.isArray(json) ? json : (asRecord(json)?.["results"] ?? asRecord(json)?.["memories"]);
  return recordsOf(list).filter((record) => typeof record["memory"] === "string");
}

function isJson(source: ForeignSource): boolean {
  return source.isFile && /\.json$/i.test(source.name);
}

function databaseNamed(source: ForeignSource, name: string): string | undefined {
  return source.files.find((file) => file.split("/").at(-1) === name);
}
