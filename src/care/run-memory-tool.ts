import { listMemories } from "../here/reading/find-memories.ts";
import type { ShownMetadata } from "../here/reading/find-memory.ts";
import type { WriteResult } from "../write/memory-of-draft.ts";
import type { Place } from "../here/place.ts";
import { showFile } from "../here/reading/find-memory.ts";
import { removeMemory, renameMemory } from "../write/move-memory.ts";
import { readDraft, updateMemory, writeMemory } from "../write/write-memory.ts";
import { HeedError, invalidInput } from "../machine/heed-error.ts";
import type { Actor } from "../memory/memory.ts";
import { splitSource } from "../memory/codec/front-matter.ts";
import { plainWords, slugOf } from "../memory/handle.ts";
import { cutShown, redactSecrets } from "../memory/screening/find-secrets.ts";
import { contentHashOf } from "../store/files/scan-store.ts";

const ROOT = "/memories";
/** The type of a file at the root, or in a folder that is no type's. */
const NOTES = "project";

const fail = (message: string): never => {
  throw invalidInput("command", "", message);
};
const missing = (path: string): never =>
  fail(`The path ${path} does not exist. Please provide a valid path.`);

/** A command of the memory tool (`memory_20250818`) of Anthropic's API, as the model sends it. */
export type MemoryToolCommand =
  | { command: "view"; path: string; view_range?: readonly number[] | null }
  | { command: "create"; path: string; file_text: string }
  | { command: "str_replace"; path: string; old_str: string; new_str?: string | null }
  | { command: "insert"; path: string; insert_line: number; insert_text: string }
  | { command: "delete"; path: string }
  | { command: "rename"; old_path: string; new_path: string };

/** Answers with the sentences of the API's own tool. What the gates refuse or hold back is told with the remedy. */
export async function runMemoryTool(place: Place, command: MemoryToolCommand, actor: Actor): Promise<string> {
  try {
    return redactSecrets(await answer(place, command, actor));
  } catch (error) {
    // The file system's own troubles are the caller's, everything else is the model's to mend.
    if (error instanceof HeedError && !["io-failed", "locked", "git-failed"].includes(error.code))
      return `Error: ${redactSecrets(error.message)}`;
    throw error;
  }
}

async function answer(place: Place, command: MemoryToolCommand, actor: Actor): Promise<string> {
  const given = new Map<string, unknown>(Object.entries(command));
  const text = (field: string): string => {
    const value = given.get(field);
    return typeof value === "string" ? value : fail(`Missing or invalid parameter: ${field}`);
  };
  // Episodes are heed's own records.
  const types = place.types.all().flatMap(({ name }) => (name === "episode" ? [] : [name]));
  const all = await listMemories(place);
  const files = all.filter(({ type, section }) => type !== "episode" && section === undefined);
  const fileAt = ({ type, name }: FilePath): ShownMetadata | undefined =>
    files.find((one) => type === one.type && name === one.name);
  const path = text(command.command === "rename" ? "old_path" : "path");
  const at = parsePath(path, types);
  const found = (): ShownMetadata => fileAt(at) ?? missing(path);
  /** The statement and the text, without what heed keeps beside them. */
  const read = async (): Promise<{ file: ShownMetadata; isWhole: boolean; whole: string }> => {
    const file = found();
    const { text: shown } = await showFile(place, file.id, { reader: actor });
    const body = splitSource(shown).body.replace(/^\n+|\s+$/g, "");
    const isSaid = plainWords(body).startsWith(plainWords(file.statement));
    const isWhole = contentHashOf(shown) === file.contentHash;
    return { file, isWhole, whole: isSaid ? body : `${file.statement}\n\n${body}` };
  };
  /** The statement follows the first line where that said it. */
  const edit = async (change: (whole: string) => string): Promise<string> => {
    const { file, isWhole, whole } = await read();
    if (!isWhole) fail("it contains text that is not shown: only a person can edit it");
    const body = change(whole);
    const [before, after] = [whole, body].map((one) => readDraft(place, one).draft?.statement);
    const restated = before === file.statement && after !== undefined && { statement: after };
    const changes = { body, ...restated, ifHash: file.contentHash };
    requireDone(await updateMemory(place, file.id, changes, actor), path);
    return body;
  };
  switch (command.command) {
    case "view": {
      if (at.name === undefined) return listing(path.replace(/\/+$/, ""), at.type ?? types, files);
      const range = command.view_range ?? [];
      if (!Array.isArray(range) || !range.every(Number.isInteger))
        fail("Missing or invalid parameter: view_range");
      const [from = 1, to = -1] = range;
      const lines = numbered((await read()).whole, from, to === -1 ? undefined : to);
      return `Here's the content of ${path} with line numbers:\n${lines}`;
    }
    case "create": {
      const { type = "", name } = at;
      if (name === undefined) return fail(`${path} is a directory: name a file in it`);
      if (fileAt(at)) return fail(`File ${path} already exists`);
      // A name is one memory's, whatever its folder: writing it would amend that one.
      const same = files.find((one) => one.name === name);
      if (same) fail(`File ${ROOT}/${same.type}/${name}.md already exists: edit it, or choose another name`);
      const { draft, problems } = readDraft(place, text("file_text"));
      if (!draft)
        return fail(problems.map((one) => `${one.message}. ${one.remedy}`)[0] ?? "the text is empty");
      requireDone(await writeMemory(place, { ...draft, type, name }, actor), path);
      return `File created successfully at: ${path}`;
    }
    case "str_replace": {
      const [old, replacement] = [text("old_str"), command.new_str ?? ""];
      let first = 0;
      const after = await edit((whole) => {
        const parts = old === "" ? [""] : whole.split(old);
        const lines = parts.slice(1).map((_, i) => lineCount(parts.slice(0, i + 1).join(old)));
        if (lines.length === 0)
          fail(`No replacement was performed, old_str \`${old}\` did not appear verbatim in ${path}.`);
        if (lines.length > 1) fail(notUnique(old, lines));
        [first = 0] = lines;
        return parts.join(replacement);
      });
      const snippet = numbered(after, first - 4, first + lineCount(replacement) + 4);
      return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`;
    }
    case "insert": {
      const [line, inserted] = [command.insert_line, text("insert_text").replace(/\n$/, "")];
      await edit((whole) => {
        const lines = whole.split("\n");
        if (!Number.isInteger(line) || line < 0 || line > lines.length)
          fail(
            `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
          );
        return lines.toSpliced(line, 0, inserted).join("\n");
      });
      return `The file ${path} has been edited.`;
    }
    case "delete":
      if (at.type === undefined) fail(`Cannot delete the ${ROOT} directory itself`);
      await removeMemory(place, found().id, "deleted by the memory tool", actor);
      return `Successfully deleted ${path}`;
    case "rename": {
      const [from, newPath] = [found(), text("new_path")];
      const { type = "", name } = parsePath(newPath, types);
      if (name === undefined || fileAt({ type, name })) fail(`The destination ${newPath} already exists`);
      if (type !== from.type) requireDone(await updateMemory(place, from.id, { type }, actor), newPath);
      if (name !== undefined && name !== from.name) await renameMemory(place, from.id, name, actor);
      return `Successfully renamed ${path} to ${newPath}`;
    }
    default:
      return fail(`Unknown command: ${cutShown(text("command"), 60)}`);
  }
}

/** The folder of a type has no name; the root no type either. */
type FilePath = Partial<Pick<ShownMetadata, "type" | "name">>;

/** Below the folder of its type, else among the notes. */
function parsePath(path: string, types: readonly string[]): FilePath {
  if (!/^\/memories(?:\/|$)/.test(path)) fail(`Path must start with ${ROOT}, got: ${cutShown(path, 200)}`);
  const parts = path.split("/").slice(2).filter(Boolean);
  if (parts.some((part) => /^\.\.?$|%2e|[\\\0]/i.test(part)))
    fail(`Path ${cutShown(path, 200)} would escape ${ROOT} directory`);
  const [first, ...rest] = parts;
  if (first === undefined) return {};
  const isFolder = types.includes(first);
  if (isFolder && rest.length === 0) return { type: first };
  const name = slugOf((isFolder ? rest : parts).join("-").replace(/\.[a-z]{1,8}$/i, ""));
  return name === "" ? missing(path) : { type: isFolder ? first : NOTES, name };
}

/** Of one folder, or of all below the root. */
function listing(path: string, types: string | readonly string[], files: readonly ShownMetadata[]): string {
  const isRoot = typeof types !== "string";
  const lines = [types].flat().flatMap((type) => {
    const own = files.filter((one) => one.type === type);
    // Notes are the root's own files.
    const isBare = isRoot && type === NOTES && own.length > 0;
    const folder = isRoot && !isBare ? `${path}/${type}` : path;
    const listed = own.map((one) => `${sizeOf([one])}\t${folder}/${one.name}.md`);
    return isBare ? listed : [`${sizeOf(own)}\t${folder}/`, ...listed];
  });
  if (isRoot) lines.unshift(`${sizeOf(files)}\t${path}`);
  return `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:\n${lines.join("\n")}`;
}

const notUnique = (old: string, lines: readonly number[]): string =>
  `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ${lines.join(", ")}. Please ensure it is unique`;
const lineCount = (text: string): number => text.split("\n").length;

function numbered(text: string, from: number, to?: number): string {
  const first = Math.max(1, from);
  const shown = text.split("\n").slice(first - 1, to);
  return shown.map((line, i) => `${String(first + i).padStart(6)}\t${line}`).join("\n");
}

/** @throws HeedError for what was refused or waits: the model must not go on as if it were written. */
function requireDone(result: WriteResult, path: string): void {
  if (result.outcome === "pending") fail(`${path} is not written yet: ${result.reason}`);
  if (result.outcome !== "refused") return;
  const said = result.refusals.map(({ gate, reason, remedy }) => `refused by ${gate}: ${reason}. ${remedy}`);
  fail(`${path} was not written: ${said.join("; ")}`);
}

function sizeOf(files: readonly ShownMetadata[]): string {
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return bytes < 1024 ? `${bytes}B` : `${(bytes / 1024).toFixed(1)}K`;
}
