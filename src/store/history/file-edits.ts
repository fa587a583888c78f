import type { FileChange } from "./change-record.ts";
import { TOMBSTONE_FOLDER } from "../files/tombstone.ts";
import { amendMemory } from "../../memory/codec/encode-memory.ts";
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
