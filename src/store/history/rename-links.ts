import { amendMemory } from "../../memory/codec/amend-memory.ts";
import { readField } from "../../memory/codec/field-values.ts";
import { fieldsOf } from "../../memory/codec/read-front-matter.ts";
import type { FileChange } from "./change-record.ts";

/**
 * The edits that make other memories follow a renamed one: links by name in their metadata, and `[[name]]` in their
 * text. Links by id need none. A file that cannot be read keeps its text.
 */
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
