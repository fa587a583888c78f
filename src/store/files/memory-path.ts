import { cutShown } from "../../memory/screening/find-secrets.ts";
import { join } from "node:path";
import { invalidInput } from "../../machine/heed-error.ts";
import { refuseLinks } from "../../machine/regular-file.ts";
import { splitFrontMatter } from "../../memory/codec/front-matter.ts";

/** Longest file name in bytes without its ending: file systems take 255, and drafts and suffixes need some of it. */
const MAX_NAME_BYTES = 200;

/** Names that Windows keeps for devices, with any ending. */
const WINDOWS_DEVICES = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)$/;

/** Files that are generated or for people (see scan-store): a memory must not hide behind such a name. */
const NOT_MEMORY_NAMES = /^(memory|readme|changelog|license|claude|agents)$/;

/**
 * File name of a memory or type, without ending: safe on every common file system, the same where case does not count.
 * @throws HeedError `invalid-input` when nothing is left.
 */
export function fileNameOf(name: string): string {
  const plain = name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
    .replace(/^[.-]+/, "");
  let cut = "";
  for (const character of plain) {
    if (Buffer.byteLength(cut + character) > MAX_NAME_BYTES) break;
    cut += character;
  }
  const safe = cut.replace(/[.-]+$/, "");
  if (safe === "") {
    throw invalidInput("name", name, `"${cutShown(name, 80)}" is no name: use letters, digits and dashes`);
  }
  const stem = safe.split(".")[0] ?? "";
  return WINDOWS_DEVICES.test(stem) || NOT_MEMORY_NAMES.test(safe)
    ? `${safe.replaceAll(".", "-")}-memory`
    : safe;
}

/** The folder of a type's memories: its name, but the plural for episodes, which are many. */
export function folderOfType(type: string): string {
  return type === "episode" ? "episodes" : fileNameOf(type);
}

/** Absolute path of a file of a store. @throws HeedError `invalid-input` outside of it, `io-failed` behind a link. */
export function pathInStore(root: string, file: string): string {
  const parts = file.split("/");
  if (
    parts.some((part) => part === "" || part === "." || part === ".." || /[\\\0]/.test(part)) ||
    /^[a-z]:/i.test(file)
  ) {
    throw invalidInput("file", file, `"${file}" is no path inside a store`);
  }
  refuseLinks(root, file);
  return join(root, ...parts);
}

/** The id that a memory's text gives itself, or undefined; cheap, since histories hold many texts. */
export function memoryIdIn(text: string): string | undefined {
  const { yaml } = splitFrontMatter(text);
  return /^[ \t]*id:[ \t]*["']?([\w-]{1,64})["']?[ \t]*(?:#.*)?$/m.exec(yaml)?.[1];
}
