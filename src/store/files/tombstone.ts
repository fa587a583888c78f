import { setYamlValue } from "../../memory/codec/encode-memory.ts";
import { splitSource, fieldsOf } from "../../memory/codec/front-matter.ts";
import type { Removal } from "../../memory/memory.ts";
import { fileNameOf } from "./scan-store.ts";
import type { StoredMemory } from "./scan-store.ts";

export interface Tombstone {
  memory: StoredMemory;
  file: string;
  removed: string;
  reason: string;
}

export const TOMBSTONE_FOLDER: string = ".tombstones";

export const withoutTombstone = (file: string): string => file.replace(`${TOMBSTONE_FOLDER}/`, "");

const REMOVED = ["metadata", "removed"] as const;
const REASON = ["metadata", "removed_reason"] as const;

/** The text of a memory's file with `removed` and `removed_reason` added to its metadata; the rest stays. */
export function asTombstone(text: string, removed: string, reason: string): string {
  return editFrontMatter(text, (yaml) =>
    setYamlValue(setYamlValue(yaml, REMOVED, removed), REASON, reason.replace(/\s+/g, " ").trim()),
  );
}

export function asLiving(text: string): string {
  const living = editFrontMatter(text, (yaml) =>
    setYamlValue(setYamlValue(yaml, REASON, undefined), REMOVED, undefined),
  );
  const split = splitSource(living);
  // Front matter that was made for the tombstone's sake goes with it.
  return /^metadata:\s*$/.test(split.yaml) ? split.body : living;
}

export function readRemoval(text: string): Removal {
  const fields = fieldsOf(text);
  return { removed: fields.time("removed") ?? "", reason: fields.text("removed_reason") ?? "" };
}

/** Where the memory of a tombstone comes back to: its old place, without the number that kept tombstones apart. */
export function livingFileOf(tombstone: string, name: string): string {
  const file = withoutTombstone(tombstone);
  const folder = file.slice(0, file.lastIndexOf("/") + 1);
  const stem = file.slice(folder.length).replace(/\.md$/, "");
  const own = fileNameOf(name);
  return stem.startsWith(`${own}-`) && /^\d+$/.test(stem.slice(own.length + 1)) ? `${folder}${own}.md` : file;
}

/** A file without readable front matter stays as it is: its tombstone's reason is in the history alone. */
function editFrontMatter(text: string, edit: (yaml: string) => string): string {
  const split = splitSource(text);
  if (split.isUnclosed) return text;
  try {
    const yaml = edit(split.yaml.replace(/\r\n?/g, "\n"));
    if (split.opening === "") return `---\n${yaml}${yaml.endsWith("\n") ? "" : "\n"}---\n${text}`;
    const eol = split.opening.endsWith("\r\n") ? "\r\n" : "\n";
    return split.opening + yaml.replaceAll("\n", eol) + split.closing + split.body;
  } catch {
    return text;
  }
}
