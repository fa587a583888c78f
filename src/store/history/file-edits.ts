import type { FileChange } from "./change-record.ts";
import type { StoredMemory } from "../files/scan-store.ts";
import { TOMBSTONE_FOLDER } from "../files/tombstone.ts";
import { amendMemory } from "../../memory/codec/amend-memory.ts";
import { readField } from "../../memory/codec/field-values.ts";
import { fieldsOf } from "../../memory/codec/front-matter.ts";

/** A change of one file, or of two when it moves: the new one first, so that no reader finds neither. */
export function moveOf(from: string, to: string, before: string, after: string): FileChange[] {
  if (from === to) return [{ file: from, before, after }];
  return [
    { file: to, before: null, after },
    { file: from, before, after: null },
  ];
}

/** Where a removed memory's file goes: under its own name, with a number where another lies there. */
export function freeTombstone(file: string, isTaken: (path: string) => boolean): string {
  const stem = file.replace(/\.(md|markdown)$/i, "");
  for (let number = 1; ; number++) {
    const tombstone = `${TOMBSTONE_FOLDER}/${stem}${number === 1 ? "" : `-${number}`}.md`;
    if (!isTaken(tombstone)) return tombstone;
  }
}

export function lineMoved(
  overview: string,
  file: string,
  files: readonly FileChange[],
  { metadata }: StoredMemory,
): string {
  const isTombstone = (path: string): boolean => path.startsWith(`${TOMBSTONE_FOLDER}/`);
  const old = files.find(({ before, file: path }) => before !== null && !isTombstone(path));
  return editOverviewLine(overview, old?.file, isTombstone(file) ? undefined : { ...metadata, file });
}

interface OverviewEntry {
  name: string;
  statement: string;
  file: string;
}

/**
 * Keeps a memory's one line in another tool's MEMORY.md; every other line stays. A new memory gets one.
 * `oldFile`: where it was linked so far. `entry`: undefined when the memory is gone.
 */
export function editOverviewLine(
  text: string,
  oldFile: string | undefined,
  entry: OverviewEntry | undefined,
): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  const position = oldFile === undefined ? -1 : lines.findIndex((line) => line.includes(`](${oldFile})`));
  if (position >= 0) {
    if (entry) lines[position] = renderLine(entry, /^\s*[-*+]\s+/.exec(lines[position] ?? "")?.[0]);
    else lines.splice(position, 1);
    return lines.join(eol);
  }
  if (!entry || oldFile !== undefined) return text;
  const lead = text === "" || text.endsWith("\n") ? text : `${text}${eol}`;
  return `${lead}${renderLine(entry)}${eol}`;
}

function renderLine({ name, file, statement }: OverviewEntry, bullet = "- "): string {
  return `${bullet}[${name}](${file}) — ${statement.replace(/\s+/g, " ")}`;
}

/** Edits that make links by name and `[[name]]` follow a renamed memory. A file that cannot be read stays. */
export function renameLinks(
  files: readonly string[],
  read: (file: string) => string | null,
  oldName: string,
  newName: string,
): FileChange[] {
  return files.flatMap((file): FileChange[] => {
    const before = read(file);
    if (before === null || !before.includes(oldName)) return [];
    const after = renameInText(before, oldName, newName);
    return after === before ? [] : [{ file, before, after }];
  });
}

function renameInText(text: string, oldName: string, newName: string): string {
  const withText = text.replaceAll(`[[${oldName}]]`, `[[${newName}]]`);
  try {
    const links = readField(fieldsOf(withText), "links") ?? [];
    if (!links.some((link) => link.to === oldName)) return withText;
    return amendMemory(withText, {
      links: links.map((link) => (link.to === oldName ? { ...link, to: newName } : link)),
    });
  } catch {
    return withText;
  }
}
