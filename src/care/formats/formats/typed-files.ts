import { asRecord } from "../../../machine/read-fields.ts";
import { parseMemories, parseMemory } from "../../../memory/codec/parse-memory.ts";
import { fieldsOf } from "../../../memory/codec/front-matter.ts";
import { type Memory, type Removal, draftOf, isMemoryFile } from "../../../memory/memory.ts";
import type { TypeTable } from "../../../memory/memory-type.ts";
import type { ForeignMemory, ForeignReading, ForeignSource, ImportFormat } from "../import-format.ts";
import { beginningOf, filesIn, leaveOut, readJson } from "../import-format.ts";
import { recordsOf, splitFile, textOf } from "../foreign-fields.ts";
import { EXPORT_FORMAT, EXPORT_VERSION } from "../write-export.ts";

/**
 * Tools whose files heed's own codec reads, since heed's format grew from theirs: one typed file a memory, or one with a
 * section each. Told apart by folder and by the keys that only one of them writes.
 */
export const TYPED_FILE_FORMATS: readonly ImportFormat[] = [
  format("bettermemory", "bettermemory", (source, keys) => {
    return keys.has("scopes") || /(?:^|\/)\.claude-memory$/.test(source.path.replaceAll("\\", "/"));
  }),
  format("claude-memory", "Claude Memory 2.x (layers)", (source, keys) => {
    return (
      keys.has("decay-after") ||
      source.files.includes("procedural/feedback.md") ||
      (source.files.some((file) => file.startsWith("semantic/")) &&
        source.files.some((file) => file.startsWith("episodic/")))
    );
  }),
  format("qwen-memory", "memories of Qwen Code", (source, keys) => {
    return keys.has("type") && /\/\.qwen\//.test(`${source.path.replaceAll("\\", "/")}/`);
  }),
  format("claude-code-memory", "memories of Claude Code, or in its format", (source, keys) => {
    const isAutoMemory = /\/\.claude\/projects\/[^/]+\/memory$/.test(source.path.replaceAll("\\", "/"));
    return isAutoMemory || (keys.has("description") && (keys.has("type") || keys.has("metadata")));
  }),
];

function format(
  name: string,
  title: string,
  isOf: (source: ForeignSource, keys: ReadonlySet<string>) => boolean,
): ImportFormat {
  return {
    name,
    title,
    author: "model",
    isAttachable: true,
    recognise: (source) => memoryFiles(source).length > 0 && isOf(source, keysOf(source)),
    read: (source, types) => readTyped(source, types),
  };
}

/** Whether a folder has a file that says of itself what a memory says: enough to be read in place. */
export function hasMemories(source: ForeignSource): boolean {
  const keys = keysOf(source);
  return ["name", "description", "type", "metadata"].some((key) => keys.has(key));
}

/** Reads at most this many files to tell which tool wrote a folder. */
const MAX_LOOKED_AT = 20;
function memoryFiles(source: ForeignSource): string[] {
  return filesIn(source, "", ".md").filter(
    (file) => isMemoryFile(file.split("/").at(-1)!) && !/(?:^|\/)index\.md$/i.test(file),
  );
}

function keysOf(source: ForeignSource): ReadonlySet<string> {
  const keys = memoryFiles(source)
    .slice(0, MAX_LOOKED_AT)
    .flatMap((file) => Object.keys(splitFile(source.read(file) ?? "").fields));
  return new Set(keys);
}

function readTyped(source: ForeignSource, types: TypeTable): ForeignReading {
  const reading: ForeignReading = { memories: [], leftOut: [] };
  const index = source.files.find((file) => file.toLowerCase() === "memory.md");
  if (index !== undefined)
    leaveOut(reading, index, index, "an index of the other files: heed writes its own");
  for (const file of memoryFiles(source)) {
    const text = source.read(file);
    const removal = removalOf(file, text);
    const place = { file, storeId: source.path };
    const { memories, problems } =
      text === undefined ? { memories: [], problems: [] } : parseMemories(text, place, types);
    if (memories.length === 0)
      leaveOut(reading, file, text ?? "the file", problems[0]?.message ?? "it is not text, or too large");
    for (const memory of memories)
      reading.memories.push({ ...foreignOf(memory, file), ...(removal && { removal }) });
  }
  return reading;
}

/** Where bettermemory, and heed after it, keep what was removed; a file may also say so itself. */
const TOMBSTONE_FOLDER = ".tombstones";

function removalOf(file: string, text = ""): Removal | undefined {
  const fields = fieldsOf(text);
  const removed = fields.time("removed");
  if (removed === undefined && !`/${file}`.includes(`/${TOMBSTONE_FOLDER}/`)) return undefined;
  return { removed: removed ?? "", reason: fields.text("removed_reason") ?? "" };
}

/** A memory as its file says it; the identity that a file gives is kept, one that heed derived is not. */
function foreignOf(memory: Memory & { section?: number }, file: string): ForeignMemory {
  const { name, description, body, section, created, scope, origin, verified, decayAfter } = memory;
  const text = body.trim() === "" ? description : body;
  return {
    key: `${file}#${section ?? 0}\n${name}`,
    place: section === undefined ? file : `${file} ## ${name}`,
    draft: {
      ...draftOf(memory),
      description: description === "" ? beginningOf(text) : description,
      body: text,
    },
    dates: { ...(verified !== undefined && { verified }), ...(decayAfter !== undefined && { decayAfter }) },
    ...(created !== undefined && { created }),
    ...((scope.repo !== undefined || scope.branch !== undefined || scope.paths.length > 0) && { scope }),
    ...(Object.keys(origin).length > 0 && { origin }),
  };
}

/** What `heed export --format json` wrote. */
export const HEED_EXPORT_FORMAT: ImportFormat = {
  name: "heed",
  title: "an export of heed",
  author: "model",
  recognise: (source) =>
    source.isFile &&
    source.name.endsWith(".json") &&
    asRecord(readJson(source, source.name))?.["format"] === EXPORT_FORMAT,
  read(source, types) {
    const exported = asRecord(readJson(source, source.name)) ?? {};
    const reading: ForeignReading = { memories: [], leftOut: [] };
    if (Number(exported["version"]) > EXPORT_VERSION) {
      leaveOut(reading, source.name, source.name, "a newer heed wrote it: update heed");
      return reading;
    }
    for (const [i, record] of recordsOf(exported["memories"]).entries()) {
      const text = typeof record["text"] === "string" ? record["text"] : "";
      const file = textOf(record, "file") || `memory ${i + 1}`;
      const { memory, problems } = parseMemory(text, { file, storeId: "export" }, types);
      if (memory) {
        const foreign = foreignOf(memory, file);
        const draft = { ...foreign.draft, claims: memory.claims };
        reading.memories.push({ ...foreign, draft, id: memory.id, text });
      } else leaveOut(reading, file, text, problems[0]?.message ?? "it is no memory");
    }
    return reading;
  },
};
