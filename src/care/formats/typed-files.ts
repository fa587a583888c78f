import { asRecord } from "../../machine/read-fields.ts";
import { parseMemories, parseMemory } from "../../memory/codec/parse-memory.ts";
import { fieldsOf } from "../../memory/codec/front-matter.ts";
import { type Memory, draftOf, isMemoryFile } from "../../memory/memory.ts";
import { LIMITS } from "../../memory/limits.ts";
import type { TypeTable } from "../../memory/memory-type.ts";
import { ASSUMED, statementOf, readNote, readStatements } from "./read-statements.ts";
import {
  type Fields,
  type ForeignMemory,
  type ForeignReading,
  type ForeignSource,
  type ImportFormat,
  beginningOf,
  parseJson,
  recordsOf,
  splitFile,
  textIn,
  textOf,
} from "./import-format.ts";

/** What tells the JSON that heed exports; docs/reference/format.md has its schema. */
export const EXPORT_FORMAT = "heed-memories";
export const EXPORT_VERSION = 1;

/** Tools that write a typed file a memory, as heed's codec reads it: told apart by folder and keys. */
export const TYPED_FILE_FORMATS: readonly ImportFormat[] = [
  format("bettermemory", "bettermemory", (path, keys) => {
    return keys.has("scopes") || path.endsWith("/.claude-memory/");
  }),
  format("claude-memory", "Claude Memory 2.x (layers)", (_, keys, { files }) => {
    const hasLayer = (layer: string): boolean => files.some((file) => file.startsWith(`${layer}/`));
    return keys.has("decay-after") || (hasLayer("semantic") && hasLayer("episodic"));
  }),
  format("qwen-memory", "memories of Qwen Code", (path, keys) => keys.has("type") && /\/\.qwen\//.test(path)),
  format("claude-code-memory", "memories of Claude Code, or in its format", (path, keys) => {
    const isAutoMemory = /\/\.claude\/projects\/[^/]+\/memory\/$/.test(path);
    return isAutoMemory || (keys.has("description") && (keys.has("type") || keys.has("metadata")));
  }),
];

function format(
  name: string,
  title: string,
  isOf: (path: string, keys: ReadonlySet<string>, source: ForeignSource) => boolean,
): ImportFormat {
  return {
    name,
    title,
    isAttachable: true,
    recognise: (source) =>
      source.files.some((file) => /\.md$/i.test(file)) &&
      isOf(`${source.path.replaceAll("\\", "/")}/`, keysOf(source), source),
    read: readTyped,
  };
}

/** Whether a folder has a file that says of itself what a memory says: enough to be read in place. */
export function hasMemories(source: ForeignSource): boolean {
  const keys = keysOf(source);
  return ["name", "description", "type", "metadata"].some((key) => keys.has(key));
}

function memoryFiles({ files }: ForeignSource): string[] {
  return files.filter((file) => isMemoryFile(file.split("/").at(-1)!) && !INDEX.test(file));
}

const INDEX = /(?:^|\/)(?:memory|index)\.md$/i;

function keysOf(source: ForeignSource): ReadonlySet<string> {
  const files = memoryFiles(source).slice(0, 20);
  return new Set(files.flatMap((file) => Object.keys(splitFile(textIn(source, file)).fields)));
}

function readTyped(reading: ForeignReading, types: TypeTable): void {
  const { source } = reading;
  for (const index of source.files.filter((file) => INDEX.test(file))) {
    const found = (): number => reading.memories.length + reading.leftOut.length;
    const before = found();
    readStatements(reading, index, { fields: { source: "observed" }, isIndex: true });
    if (found() === before) reading.leave(index, index, "an index of the other files: heed writes its own");
  }
  for (const file of memoryFiles(source)) {
    const text = reading.text(file);
    if (text === undefined) continue;
    if (/(?:^|\/)\.tombstones\//.test(file) || fieldsOf(text).time("removed") !== undefined) {
      reading.leave(file, splitFile(text).body, "it was removed there");
      continue;
    }
    const { memories, problems } = parseMemories(text, { file, storeId: source.path }, types);
    if (splitFile(text).line === 0 && memories[0]?.type === "") {
      readNote(reading, file);
      continue;
    }
    if (memories.length === 0) reading.leave(file, text, problems[0]?.message ?? "it is no memory");
    for (const memory of memories) {
      const foreign = foreignOf(memory, file);
      reading.memories.push({ ...foreign, draft: { ...foreign.draft, ...(memory.type === "" && ASSUMED) } });
    }
  }
}

function foreignOf(memory: Memory & { section?: number }, file: string): ForeignMemory {
  const { name, statement, body, section, created, scope, origin, verified, decayAfter } = memory;
  // What is too long for a line is kept whole in the text.
  const isLong = statement.length > LIMITS.statementChars;
  const text =
    body.trim() === "" ? statement : isLong && !body.includes(statement) ? `${statement}\n\n${body}` : body;
  return {
    key: `${file}#${section ?? 0}\n${name}`,
    place: section === undefined ? file : `${file} ## ${name}`,
    draft: {
      ...draftOf(memory),
      statement: statementOf(statement || beginningOf(text)),
      body: text,
    },
    own: {
      ...(verified !== undefined && { verified }),
      ...(decayAfter !== undefined && { decayAfter }),
      ...((scope.repo !== undefined || scope.branch !== undefined || scope.paths.length > 0) && { scope }),
      ...(Object.keys(origin).length > 0 && { origin }),
    },
    ...(created !== undefined && { created }),
  };
}

/** What `heed export --format json` wrote: each memory keeps its id and all that its file says. */
export const HEED_EXPORT_FORMAT: ImportFormat = {
  name: "heed",
  title: "an export of heed",
  recognise: (source) => exportIn(source)["format"] === EXPORT_FORMAT,
  read(reading, types) {
    const { name } = reading.source;
    const exported = exportIn(reading.source);
    if (Number(exported["version"]) > EXPORT_VERSION)
      return reading.leave(name, name, "a newer heed wrote it: update heed");
    for (const [i, record] of recordsOf(exported["memories"]).entries()) {
      const text = typeof record["text"] === "string" ? record["text"] : "";
      const file = textOf(record, "file") || `memory ${i + 1}`;
      const { memory, problems } = parseMemory(text, { file, storeId: "export" }, types);
      if (memory) {
        const foreign = foreignOf(memory, file);
        const draft = { ...foreign.draft, claims: memory.claims };
        reading.memories.push({ ...foreign, draft, id: memory.id, text });
      } else reading.leave(file, text, problems[0]?.message ?? "it is no memory");
    }
  },
};

function exportIn(source: ForeignSource): Fields {
  const { isFile, name } = source;
  return (isFile && name.endsWith(".json") && asRecord(parseJson(textIn(source, name)))) || {};
}
