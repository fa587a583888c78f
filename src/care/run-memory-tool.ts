import { type ShownMetadata, listMemories } from "../here/reading/find-memories.ts";
import type { WriteResult } from "../write/memory-of-draft.ts";
import type { Place } from "../here/place.ts";
import { showFile } from "../here/reading/find-memory.ts";
import { removeMemory, renameMemory } from "../write/move-memory.ts";
import { readDraft, editMemory, updateMemory, writeMemory } from "../write/write-memory.ts";
import { HeedError, invalidInput } from "../machine/heed-error.ts";
import type { Actor } from "../memory/memory.ts";
import { slugOf } from "../memory/handle.ts";
import { cutShown, redactSecrets } from "../memory/screening/find-secrets.ts";
import { contentHashOf } from "../store/files/scan-store.ts";

const ROOT = "/memories";

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
    case "str_replace":
      return edit(place, path, actor, (whole) =>
        replaceIn(whole, path, text("old_str"), command.new_str ?? ""),
      );
    case "insert":
      return edit(place, path, actor, (whole) => insertIn(whole, command.insert_line, text("insert_text")));
    case "delete":
      await removeMemory(place, (await fileAt(place, path)).id, "deleted by the memory tool", actor);
      return `Successfully deleted ${path}`;
    case "rename":
      return rename(place, text("old_path"), text("new_path"), actor);
    default:
      return fail(`Unknown command: ${cutShown(text("command"), 60)}`);
  }
}

async function view(place: Place, path: string, range: readonly number[], actor: Actor): Promise<string> {
  const { type, name } = parsePath(path);
  if (name === undefined) return list(place, path.replace(/\/+$/, ""), type);
  const { id } = await fileAt(place, path);
  const lines = (await showFile(place, id, { reader: actor })).text.split("\n");
  const [from = 1, to = -1] = range;
  const first = Math.max(1, from);
  const shown = lines.slice(first - 1, to === -1 ? undefined : to);
  const numbered = shown.map((line, i) => `${String(first + i).padStart(6)}\t${line}`);
  return `Here's the content of ${path} with line numbers:\n${numbered.join("\n")}`;
}

async function list(place: Place, path: string, type: string | undefined): Promise<string> {
  const memories = await memoriesIn(place);
  const types = typesOf(place);
  if (type !== undefined && !types.includes(type)) return missing(path);
  const folder = (at: string, of: string): string[] => {
    const files = memories.filter((one) => one.type === of);
    return [`${sizeOf(files)}\t${at}/`, ...files.map((one) => `${sizeOf([one])}\t${at}/${one.name}.md`)];
  };
  const all = (): string[] => types.flatMap((of) => folder(`${path}/${of}`, of));
  const lines = type === undefined ? [`${sizeOf(memories)}\t${path}`, ...all()] : folder(path, type);
  return `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:\n${lines.join("\n")}`;
}

async function create(place: Place, path: string, text: string, actor: Actor): Promise<string> {
  const { type = "", name } = parsePath(path);
  if (name === undefined || !typesOf(place).includes(type)) {
    const folders = typesOf(place).map((one) => `${ROOT}/${one}/ (${place.types.get(one)?.holds})`);
    return fail(`${path} is no file of a known type. Create it in one of: ${folders.join(", ")}`);
  }
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

async function edit(
  place: Place,
  path: string,
  actor: Actor,
  change: (whole: string) => string,
): Promise<string> {
  const { id, contentHash } = await fileAt(place, path);
  const { text } = await showFile(place, id, { reader: actor });
  const changed = change(text);
  if (contentHashOf(text) !== contentHash)
    fail("it holds something that is not shown: only a person edits it");
  requireDone(await editMemory(place, id, changed, contentHash, actor), path);
  return `The file ${path} has been edited.`;
}

async function rename(place: Place, oldPath: string, newPath: string, actor: Actor): Promise<string> {
  const { id, ...from } = await fileAt(place, oldPath);
  const { type = "", name } = parsePath(newPath);
  if (name === undefined || !typesOf(place).includes(type)) return missing(newPath);
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
  const at = parsePath(path);
  return (await memoriesIn(place)).find(({ type, name }) => type === at.type && name === at.name);
}

async function fileAt(place: Place, path: string): Promise<ShownMetadata> {
  if (parsePath(path).name === undefined) fail(`${path} is a folder, and stays: name a file in it`);
  return (await findAt(place, path)) ?? missing(path);
}

/** @throws HeedError for what was refused or waits: the model must not go on as if it were written. */
function requireDone(result: WriteResult, path: string): void {
  if (result.outcome === "pending") fail(`${path} is not written yet: ${result.reason}`);
  if (result.outcome !== "refused") return;
  const said = result.refusals.map(({ gate, reason, remedy }) => `refused by ${gate}: ${reason}. ${remedy}`);
  fail(`${path} was not written: ${said.join("; ")}`);
}

/** The folder of a type has no name, the root neither. */
function parsePath(path: string): { type: string | undefined; name: string | undefined } {
  const [whole, type, file] = /^\/memories(?:\/([^/\\\0]+)(?:\/([^/\\\0]+))?)?\/?$/.exec(path) ?? [];
  const name = file && slugOf(file.replace(/\.(?:md|markdown|txt|xml)$/i, ""));
  if (whole !== undefined && name !== "") return { type, name };
  if (path.startsWith(ROOT)) return missing(path);
  return fail(`Path must start with ${ROOT}, got: ${cutShown(path, 200)}`);
}

/** As the API's own tool writes sizes. */
function sizeOf(files: readonly ShownMetadata[]): string {
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return bytes < 1024 ? `${bytes}B` : `${(bytes / 1024).toFixed(1)}K`;
}
