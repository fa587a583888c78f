import { encodeMemory } from "../memory/codec/encode-memory.ts";
import { readSections } from "../memory/codec/sections.ts";
import type { Memory } from "../memory/memory.ts";
import type { TypeTable } from "../memory/memory-type.ts";

/** What tells the JSON that heed exports; docs/format.md has its schema. */
export const EXPORT_FORMAT = "heed-memories";
export const EXPORT_VERSION = 1;

/** A memory with its file, as it lies in its store. */
export interface ExportedMemory {
  memory: Memory;
  /** Kind of its store: `user`, `project`, `attached`. */
  store: string;
  /** Path in the store, and the whole text. */
  file: string;
  text: string;
}

/** A file of an export. */
export interface ExportFile {
  path: string;
  text: string;
}

/** Their own files, one folder a store: what another heed, an editor or any reader of markdown takes as they are. */
export function asFiles(memories: readonly ExportedMemory[], types: TypeTable): ExportFile[] {
  return memories.map(({ memory, store, file, text }) => ({
    path: `${store}/${file}`,
    text: text === "" ? encodeMemory(memory, types) : text,
  }));
}

/** One JSON file; its schema stands in docs/export.schema.json. The text of each memory is whole, the fields are for readers. */
export function asJson(memories: readonly ExportedMemory[], exported: string): ExportFile[] {
  const records = memories.map(({ memory, store, file, text }) => ({ ...memory, store, file, text }));
  const whole = { format: EXPORT_FORMAT, version: EXPORT_VERSION, exported, memories: records };
  return [{ path: "heed-memories.json", text: `${JSON.stringify(whole, null, 2)}\n` }];
}

/** JSON lines of server-memory: an entity a memory, with its description and paragraphs as observations; links as relations. */
export function asServerMemory(memories: readonly ExportedMemory[]): ExportFile[] {
  const names = new Map(memories.map(({ memory }) => [memory.id, memory.name]));
  const lines = memories.flatMap(({ memory }) => {
    const { name, type, description, body } = memory;
    const paragraphs = body
      .split(/\n{2,}/)
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => paragraph !== "" && paragraph !== description);
    const entity = { type: "entity", name, entityType: type, observations: [description, ...paragraphs] };
    const relations = memory.links.map(({ rel, to }) => ({
      type: "relation",
      from: name,
      to: names.get(to) ?? to,
      relationType: rel,
    }));
    return [entity, ...relations];
  });
  return [{ path: "memory.jsonl", text: lines.map((line) => `${JSON.stringify(line)}\n`).join("") }];
}

const HEADINGS: Readonly<Record<string, string>> = {
  feedback: "Rules",
  user: "About the user",
  project: "About the project",
  reference: "Where things are",
  solution: "Solved before",
  procedure: "Procedures",
};

/** Text for a CLAUDE.md or AGENTS.md: a section a type, an item a memory, with its reason and how it is applied. */
export function asInstructions(memories: readonly ExportedMemory[]): ExportFile[] {
  const byType = new Map<string, Memory[]>();
  for (const { memory } of memories) byType.set(memory.type, [...(byType.get(memory.type) ?? []), memory]);
  const order = [...Object.keys(HEADINGS), ...byType.keys()].filter(
    (type, i, all) => all.indexOf(type) === i,
  );
  const sections = order.flatMap((type) => {
    const here = byType.get(type);
    return here ? [`## ${HEADINGS[type] ?? type}\n\n${here.map(itemOf).join("\n")}\n`] : [];
  });
  return [{ path: "CLAUDE.md", text: sections.join("\n") }];
}

function itemOf({ description, body, type }: Memory): string {
  const { statement, sections } = readSections(body);
  const rest = statement.startsWith(description)
    ? statement.slice(description.length).replace(/^[.\s]+/, "")
    : statement;
  const labelled: string[] =
    type === "solution" || type === "procedure"
      ? [body.trim()]
      : [
          rest,
          ...(sections.why === undefined ? [] : [`Why: ${sections.why}`]),
          ...(sections["how-to-apply"] === undefined ? [] : [`How to apply: ${sections["how-to-apply"]}`]),
        ];
  const below = labelled.filter((text) => text !== "" && text !== description);
  return [`- ${description}`, ...below.map((text) => `  ${text.replaceAll("\n", "\n  ")}`)].join("\n");
}
