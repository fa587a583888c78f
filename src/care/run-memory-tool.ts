import { type ShownMetadata, listMemories } from "../here/reading/find-memories.ts";
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

/** What the model gets to read after `Error: `. */
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
  const path = command.command === "rename" ? "" : text("path");
  switch (command.command) {
    case "view":
      return view(place, path, command.view_range ?? [], actor);
    case "create":
      return create(place, path, text("file_text"), actor);
    case "str_replace": {
      const [old, replacement] = [text("old_str"), command.new_str ?? ""];
      const [before, after] = await edit(place, path, actor, (whole) =>
        replaceIn(whole, path, old, replacement),
      );
      const line = before.slice(0, before.indexOf(old)).split("\n").length;
      const shown = numbered(
        after,
        line - SNIPPET_LINES,
        line + replacement.split("\n").length + SNIPPET_LINES,
      );
      return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${shown}`;
    }
    case "insert":
      await edit(place, path, actor, (whole) => insertIn(whole, command.insert_line, text("insert_text")));
      return `The file ${path} has been edited.`;
    case "delete": {
      if (parsePath(place, path).type === undefined) fail(`Cannot delete the ${ROOT} directory itself`);
      const { id } = (await findAt(place, path)) ?? fail(`The path ${path} does not exist`);
      await removeMemory(place, id, "deleted by the memory tool", actor);
      return `Successfully deleted ${path}`;
    }
    case "rename":
      return rename(place, text("old_path"), text("new_path"), actor);
    default:
      return fail(`Unknown command: ${cutShown(text("command"), 60)}`);
  }
}

async function view(place: Place, path: string, range: readonly number[], actor: Actor): Promise<string> {
  const { type, name } = parsePath(place, path);
  if (name === undefined) return list(place, path.replace(/\/+$/, ""), type);
  const { text } = await textAt(place, await fileAt(place, path), actor);
  const [from = 1, to = -1] = range;
  return `Here's the content of ${path} with line numbers:\n${numbered(text, from, to === -1 ? undefined : to)}`;
}

/** Lines around a change. */
const SNIPPET_LINES = 4;

function numbered(text: string, from: number, to?: number): string {
  const first = Math.max(1, from);
  const shown = text.split("\n").slice(first - 1, to);
  return shown.map((line, i) => `${String(first + i).padStart(6)}\t${line}`).join("\n");
}

async function list(place: Place, path: string, type: string | undefined): Promise<string> {
  const memories = await memoriesIn(place);
  const filesOf = (of: string): ShownMetadata[] => memories.filter((one) => one.type === of);
  const lineOf = (at: string, one: ShownMetadata): string => `${sizeOf([one])}\t${at}/${one.name}.md`;
  const folder = (at: string, of: string): string[] => [
    `${sizeOf(filesOf(of))}\t${at}/`,
    ...filesOf(of).map((one) => lineOf(at, one)),
  ];
  // Notes are listed where the root's own files are.
  const all = (): string[] =>
    typesOf(place).flatMap((of) =>
      of === NOTES && filesOf(of).length > 0
        ? filesOf(of).map((one) => lineOf(path, one))
        : folder(`${path}/${of}`, of),
    );
  const lines = type === undefined ? [`${sizeOf(memories)}\t${path}`, ...all()] : folder(path, type);
  return `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:\n${lines.join("\n")}`;
}

async function create(place: Place, path: string, text: string, actor: Actor): Promise<string> {
  const { type = "", name } = parsePath(place, path);
  if (name === undefined) return fail(`${path} is a directory: name a file in it`);
  if (await findAt(place, path)) return fail(`File ${path} already exists`);
  const { draft, problems } = readDraft(place, text);
  if (!draft) return fail(problems.map((one) => `${one.message}. ${one.remedy}`)[0] ?? "the text is empty");
  requireDone(await writeMemory(place, { ...draft, type, name }, actor), path);
  return `File created successfully at: ${path}`;
}

function replaceIn(whole: string, path: string, old: string, replacement: string): string {
  const parts = old === "" ? [""] : whole.split(old);
  const before = (part: number): string => parts.slice(0, part).join(old);
  const lines = parts.slice(1).map((_, i) => before(i + 1).split("\n").length);
  if (lines.length === 0)
    fail(`No replacement was performed, old_str \`${old}\` did not appear verbatim in ${path}.`);
  if (lines.length > 1)
    fail(
      `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ${lines.join(", ")}. Please ensure it is unique`,
    );
  return parts.join(replacement);
}

function insertIn(whole: string, line: number, inserted: string): string {
  const lines = whole.split("\n");
  if (!Number.isInteger(line) || line < 0 || line > lines.length)
    fail(
      `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
    );
  lines.splice(line, 0, inserted.replace(/\n$/, ""));
  return lines.join("\n");
}

/** The text before and after. */
async function edit(
  place: Place,
  path: string,
  actor: Actor,
  change: (whole: string) => string,
): Promise<[before: string, after: string]> {
  const file = await fileAt(place, path);
  const { text, isWhole } = await textAt(place, file, actor);
  const body = change(text);
  if (!isWhole) fail("it holds something that is not shown: only a person edits it");
  const { description = "" } = readDraft(place, body).draft ?? {};
  const isFirstLine = readDraft(place, text).draft?.description === file.description && description !== "";
  const changes = { body, ...(isFirstLine && { description }), ifHash: file.contentHash };
  requireDone(await updateMemory(place, file.id, changes, actor), path);
  return [text, body];
}

/** What a file of the tool holds: the statement and the text, without what heed keeps beside them. */
async function textAt(
  place: Place,
  { id, description, contentHash }: ShownMetadata,
  actor: Actor,
): Promise<{ text: string; isWhole: boolean }> {
  const { text: file } = await showFile(place, id, { reader: actor });
  const body = splitSource(file).body.replace(/^\n+|\s+$/g, "");
  const text = plainWords(body).startsWith(plainWords(description)) ? body : `${description}\n\n${body}`;
  return { text, isWhole: contentHashOf(file) === contentHash };
}

async function rename(place: Place, oldPath: string, newPath: string, actor: Actor): Promise<string> {
  const { id, ...from } = await fileAt(place, oldPath);
  const { type = "", name } = parsePath(place, newPath);
  if (name === undefined) return fail(`The destination ${newPath} already exists`);
  if (await findAt(place, newPath)) return fail(`The destination ${newPath} already exists`);
  if (type !== from.type) requireDone(await updateMemory(place, id, { type }, actor), newPath);
  if (name !== from.name) await renameMemory(place, id, name, actor);
  return `Successfully renamed ${oldPath} to ${newPath}`;
}

/** Episodes are heed's own records. */
const typesOf = ({ types }: Place): string[] =>
  types.all().flatMap(({ name }) => (name === "episode" ? [] : [name]));

async function memoriesIn(place: Place): Promise<ShownMetadata[]> {
  return (await listMemories(place))
    .filter(({ type, section }) => type !== "episode" && section === undefined)
    .sort((a, b) => (`${a.type}/${a.name}` < `${b.type}/${b.name}` ? -1 : 1));
}

async function findAt(place: Place, path: string): Promise<ShownMetadata | undefined> {
  const at = parsePath(place, path);
  return (await memoriesIn(place)).find(({ type, name }) => type === at.type && name === at.name);
}

async function fileAt(place: Place, path: string): Promise<ShownMetadata> {
  if (parsePath(place, path).name === undefined) fail(`${path} is a directory: name a file in it`);
  return (await findAt(place, path)) ?? missing(path);
}

/** @throws HeedError for what was refused or waits: the model must not go on as if it were written. */
function requireDone(result: WriteResult, path: string): void {
  if (result.outcome === "pending") fail(`${path} is not written yet: ${result.reason}`);
  if (result.outcome !== "refused") return;
  const said = result.refusals.map(({ gate, reason, remedy }) => `refused by ${gate}: ${reason}. ${remedy}`);
  fail(`${path} was not written: ${said.join("; ")}`);
}

/** Below the folder of its type, else among the notes. The folder of a type has no name; the root no type either. */
function parsePath(place: Place, path: string): { type: string | undefined; name: string | undefined } {
  if (!/^\/memories(?:\/|$)/.test(path))
    return fail(`Path must start with ${ROOT}, got: ${cutShown(path, 200)}`);
  const parts = path.split("/").slice(2).filter(Boolean);
  const [first, ...rest] = parts;
  if (parts.some((part) => /^\.\.?$|%2e|[\\\0]/i.test(part)))
    return fail(`Path ${cutShown(path, 200)} would escape ${ROOT} directory`);
  if (first === undefined) return { type: undefined, name: undefined };
  const isFolder = typesOf(place).includes(first);
  if (isFolder && rest.length === 0) return { type: first, name: undefined };
  const name = slugOf((isFolder ? rest : parts).join("-").replace(/\.[a-z]{1,8}$/i, ""));
  return name === "" ? missing(path) : { type: isFolder ? first : NOTES, name };
}

/** As the API's own tool writes sizes. */
function sizeOf(files: readonly ShownMetadata[]): string {
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return bytes < 1024 ? `${bytes}B` : `${(bytes / 1024).toFixed(1)}K`;
}
