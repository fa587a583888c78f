import {
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { MAX_OWN_FILE_BYTES, readRegularFile } from "../../../platform/regular-file.ts";
import { basename, dirname, join } from "node:path";
import { HeedError } from "../../../heed.ts";

/** What became, or in a dry run would become, of one configuration file. */
export interface ConfigChange {
  file: string;
  action: "created" | "changed" | "unchanged";
  /** The file's new text. */
  text: string;
  /** Copy of the file as it was before; absent when nothing was there or nothing changed. */
  backup?: string;
}

/** How often a file that its owner rewrites at the same moment is tried again. */
const MAX_TRIES = 3;

/**
 * Changes a configuration file that belongs to another program: `edit` gets its text (undefined when there is no
 * file) and gives back the new one. Everything else of the file is the editor's to keep. Written by temp + rename
 * next to the real file (dotfiles are often links), after a copy to `<file>.heed-backup`; a file that changed in
 * between is read and edited again. Throws `io-failed` when the file system refuses.
 */
export function changeConfigFile(
  file: string,
  isDryRun: boolean,
  edit: (text: string | undefined) => string,
): ConfigChange {
  try {
    for (let tries = 1; ; tries++) {
      const before = readText(file);
      const text = edit(before);
      if (text === before || (before === undefined && text === ""))
        return { file, action: "unchanged", text };
      const action = before === undefined ? "created" : "changed";
      if (isDryRun) return { file, action, text };
      if (tries < MAX_TRIES && readText(file) !== before) continue;
      const backup = replaceFile(file, text);
      return { file, action, text, ...(backup !== undefined && { backup }) };
    }
  } catch (error) {
    if (error instanceof HeedError) throw error;
    const message = `cannot write ${file}: ${error instanceof Error ? error.message : String(error)}. Check its permissions.`;
    throw new HeedError("io-failed", message, { file, operation: "write" }, { cause: error });
  }
}

function readText(file: string): string | undefined {
  return existsSync(file) ? readRegularFile(file, { maxBytes: MAX_OWN_FILE_BYTES }) : undefined;
}

function replaceFile(file: string, text: string): string | undefined {
  mkdirSync(dirname(file), { recursive: true });
  const isNew = !existsSync(file);
  const target = isNew ? file : realpathSync(file);
  const backup = isNew ? undefined : `${file}.heed-backup`;
  if (backup !== undefined) copyFileSync(target, backup);
  const aside = join(dirname(target), `.${basename(target)}.heed-${process.pid}`);
  try {
    writeFileSync(aside, text, { mode: isNew ? 0o600 : statSync(target).mode & 0o777, flush: true });
    renameSync(aside, target);
  } finally {
    rmSync(aside, { force: true });
  }
  return backup;
}

/** A JSON object being edited. */
export type JsonObject = Record<string, unknown>;

/**
 * Edits a JSON file as an object, keeping its key order, indent, byte order mark and last line end. Throws
 * `invalid-input` for a file that is no plain JSON object (comments included): it is not heed's to repair.
 */
export function changeJsonFile(
  file: string,
  isDryRun: boolean,
  edit: (root: JsonObject) => void,
): ConfigChange {
  return changeConfigFile(file, isDryRun, (before) => {
    const text = (before ?? "").replace(/^\uFEFF/, "");
    const root = text.trim() === "" ? {} : parseObject(file, text);
    const unedited = JSON.stringify(root);
    edit(root);
    if (JSON.stringify(root) === unedited) return before ?? "";
    const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
    const mark = before?.startsWith("\uFEFF") ? "\uFEFF" : "";
    const end = before === undefined || text.endsWith("\n") ? "\n" : "";
    return `${mark}${JSON.stringify(root, null, indent)}${end}`;
  });
}

function parseObject(file: string, text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw notEditable(file, error instanceof Error ? error.message : String(error));
  }
  if (!isObject(value)) throw notEditable(file, "it is no JSON object");
  return value;
}

/** The refusal of a file that heed cannot edit without guessing. */
export function notEditable(file: string, why: string): HeedError {
  const message = `${file} cannot be edited (${why}), so it is left as it is. Repair it, or add by hand what heed would add.`;
  return new HeedError("invalid-input", message, { argument: "file", value: file });
}

/** The object under a key, made when absent. Throws when something else is there. */
export function childObject(root: JsonObject, key: string, file: string): JsonObject {
  const child = root[key] ?? (root[key] = {});
  if (!isObject(child)) throw notEditable(file, `"${key}" is no object`);
  return child;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
