import type { ShownMetadata } from "../here/api/shown-memory.ts";
import type { MemoryToolCommand, WriteResult } from "../here/api/written-memory.ts";
import type { Place } from "../here/place.ts";
import { listMemories } from "../here/reading/find-memories.ts";
import { showFile } from "../here/reading/show-memory.ts";
import { removeMemory, renameMemory } from "../write/move-memory.ts";
import { readDraft } from "../write/read-draft.ts";
import { editMemory, updateMemory, writeMemory } from "../write/write-memory.ts";
import { HeedError } from "../machine/heed-error.ts";
import type { Actor, MemoryMetadata } from "../memory/memory.ts";
import { slugOf } from "../memory/handle.ts";
import { cutShown, redactSecrets } from "../memory/screening/find-secrets.ts";
import { contentHashOf } from "../store/files/scan-store.ts";

/** More lines are not shown at once, by any implementation of the tool. */
const MAX_LINES = 999_999;
const SNIPPET_LINES = 2;

interface OpenFile {
  id: string;
  text: string;
  /** Of the file as it is; another one than the text's where something is not shown. */
  hash: string;
}

const TEXTS: Readonly<Record<MemoryToolCommand["command"], readonly string[]>> = {
  view: ["path"],
  create: ["path", "file_text"],
  str_replace: ["path", "old_str"],
  insert: ["path", "insert_text"],
  delete: ["path"],
  rename: ["old_path", "new_path"],
};

/** What the model gets to read after `Error: `. */
class ToolError extends Error {}

/**
 * Answers a command of the memory tool of Anthropic's API over the stores at hand, with the sentences of the API's own
 * tool. Each memory is a file in the folder of its type; what is written passes the gates, and what they refuse or hold
 * back is told with the remedy. Episodes are not shown: they are heed's own records.
 */
export async function runMemoryTool(place: Place, command: MemoryToolCommand, actor: Actor): Promise<string> {
  try {
    return redactSecrets(await answer(place, command, actor));
  } catch (error) {
    // The file system's own troubles are the caller's, everything else is the model's to mend.
    const isExpected =
      error instanceof ToolError ||
      (error instanceof HeedError && !["io-failed", "locked", "git-failed"].includes(error.code));
    if (isExpected) return `Error: ${redactSecrets(error.message)}`;
    throw error;
  }
}

function answer(place: Place, command: MemoryToolCommand, actor: Actor): Promise<string> {
  requireTexts(command);
  switch (command.command) {
    case "view":
      return view(place, command, actor);
    case "create":
      return create(place, command, actor);
    case "str_replace":
      return replace(place, command, actor);
    case "insert":
      return insert(place, command, actor);
    case "delete":
      return remove(place, command, actor);
    default:
      return rename(place, command, actor);
  }
}

/** What a model sends is checked here: it is told as the tool's answer. */
function requireTexts(command: MemoryToolCommand): void {
  const given: Readonly<Record<string, unknown>> = { ...command };
  const fields = Object.hasOwn(TEXTS, command.command) ? TEXTS[command.command] : undefined;
  if (!fields) throw new ToolError(`Unknown command: ${cutShown(command.command, 60)}`);
  const wrong = fields.find((field) => typeof given[field] !== "string");
  if (wrong !== undefined) throw new ToolError(`Missing or invalid parameter: ${wrong}`);
}

type Command<Name extends MemoryToolCommand["command"]> = Extract<MemoryToolCommand, { command: Name }>;

async function view(
  place: Place,
  { path, view_range: range }: Command<"view">,
  actor: Actor,
): Promise<string> {
  const at = locate(path);
  if (at.kind !== "file") return listing(place, path, at);
  const { text } = await fileAt(place, path, at, actor);
  const lines = text.split("\n");
  if (lines.length > MAX_LINES)
    throw new ToolError(`File ${path} exceeds maximum line limit of 999,999 lines.`);
  const [from = 1, to = -1] = range ?? [];
  const first = Math.max(1, from);
  const shown = lines.slice(first - 1, to === -1 ? undefined : to);
  return `Here's the content of ${path} with line numbers:\n${numberedLines(shown, first)}`;
}

async function listing(place: Place, path: string, at: Exclude<ToolPath, { kind: "file" }>): Promise<string> {
  const memories = await memoriesIn(place);
  const types = place.types
    .all()
    .map(({ name }) => name)
    .filter((name) => name !== "episode");
  if (at.kind === "type" && !types.includes(at.type)) throw missing(path);
  const base = path.replace(/\/+$/, "");
  const sizeOf = (found: readonly ShownMetadata[]): string =>
    sizeText(found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  const filesOf = (type: string, below: string): string[] =>
    memories
      .filter((metadata) => metadata.type === type)
      .map(({ name, sizeBytes }) => `${sizeText(sizeBytes)}\t${below}/${name}.md`);
  const lines =
    at.kind === "type"
      ? [`${sizeOf(memories.filter(({ type }) => type === at.type))}\t${path}`, ...filesOf(at.type, base)]
      : [
          `${sizeOf(memories)}\t${path}`,
          ...types.flatMap((type) => [
            `${sizeOf(memories.filter((metadata) => metadata.type === type))}\t${base}/${type}/`,
            ...filesOf(type, `${base}/${type}`),
          ]),
        ];
  return `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:\n${lines.join("\n")}`;
}

async function create(
  place: Place,
  { path, file_text: text }: Command<"create">,
  actor: Actor,
): Promise<string> {
  const at = path.startsWith(ROOT) ? parseToolPath(path) : locate(path);
  const types = place.types.all().filter(({ name }) => name !== "episode");
  if (at?.kind !== "file" || !types.some(({ name }) => name === at.type)) {
    const folders = types.map(({ name, holds }) => `${ROOT}/${name}/ (${holds})`);
    throw new ToolError(`${path} is no file of a known type. Create it in one of: ${folders.join(", ")}`);
  }
  const memories = await memoriesIn(place);
  if (memories.some((metadata) => isAt(metadata, at))) throw new ToolError(`File ${path} already exists`);
  const { draft, problems } = readDraft(place, text);
  if (!draft)
    throw new ToolError(problems[0] ? `${problems[0].message}. ${problems[0].remedy}` : "the text is empty");
  const result = await writeMemory(place, { ...draft, type: at.type, name: at.name }, actor);
  requireDone(result, path);
  return `File created successfully at: ${path}`;
}

async function replace(
  place: Place,
  { path, old_str: old, new_str: replacement }: Command<"str_replace">,
  actor: Actor,
): Promise<string> {
  const file = await fileAt(place, path, locate(path), actor);
  const lines = linesWith(file.text, old);
  if (lines.length === 0)
    throw new ToolError(
      `No replacement was performed, old_str \`${old}\` did not appear verbatim in ${path}.`,
    );
  if (lines.length > 1)
    throw new ToolError(
      `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ${lines.join(", ")}. Please ensure it is unique`,
    );
  const text = file.text.replace(old, () => replacement ?? "");
  requireDone(await edit(place, file, text, actor), path);
  const changed = text.split("\n");
  const first = Math.max(0, lines[0]! - 1 - SNIPPET_LINES);
  const last = Math.min(
    changed.length,
    lines[0]! + (replacement ?? "").split("\n").length - 1 + SNIPPET_LINES,
  );
  return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${numberedLines(changed.slice(first, last), first + 1)}`;
}

async function insert(
  place: Place,
  { path, insert_line: line, insert_text: inserted }: Command<"insert">,
  actor: Actor,
): Promise<string> {
  const file = await fileAt(place, path, locate(path), actor);
  const lines = file.text.split("\n");
  if (!Number.isInteger(line) || line < 0 || line > lines.length)
    throw new ToolError(
      `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
    );
  lines.splice(line, 0, inserted.replace(/\n$/, ""));
  requireDone(await edit(place, file, lines.join("\n"), actor), path);
  return `The file ${path} has been edited.`;
}

async function remove(place: Place, { path }: Command<"delete">, actor: Actor): Promise<string> {
  const at = locate(path);
  if (at.kind === "root") throw new ToolError("Cannot delete the /memories directory itself");
  if (at.kind === "type") throw new ToolError(`${path} is the folder of a type, and stays: delete its files`);
  const metadata = await metadataAt(place, at);
  if (!metadata) throw new ToolError(`The path ${path} does not exist`);
  await removeMemory(place, metadata.id, "deleted by the memory tool", actor);
  return `Successfully deleted ${path}`;
}

async function rename(
  place: Place,
  { old_path: oldPath, new_path: newPath }: Command<"rename">,
  actor: Actor,
): Promise<string> {
  const [from, to] = [locate(oldPath), locate(newPath)];
  if (from.kind === "root") throw new ToolError("Cannot rename the /memories directory itself");
  if (from.kind !== "file" || to.kind !== "file" || !place.types.get(to.type))
    throw new ToolError("the folder of a type keeps its name: rename files");
  const metadata = await metadataAt(place, from);
  if (!metadata) throw new ToolError(`The path ${oldPath} does not exist`);
  if (await metadataAt(place, to)) throw new ToolError(`The destination ${newPath} already exists`);
  if (to.type !== from.type)
    requireDone(await updateMemory(place, metadata.id, { type: to.type }, actor), newPath);
  if (to.name !== from.name) await renameMemory(place, metadata.id, to.name, actor);
  return `Successfully renamed ${oldPath} to ${newPath}`;
}

function edit(place: Place, file: OpenFile, text: string, actor: Actor): Promise<WriteResult> {
  const isWhole = contentHashOf(file.text) === file.hash;
  if (!isWhole)
    return Promise.reject(new ToolError("it holds something that is not shown: only a person edits it"));
  return editMemory(place, file.id, text, file.hash, actor);
}

/** @throws ToolError for what was refused or waits: the model must not go on as if it were written. */
function requireDone(result: WriteResult, path: string): void {
  if (result.outcome === "refused") {
    const said = result.refusals.map(
      ({ gate, reason, remedy }) => `refused by ${gate}: ${reason}. ${remedy}`,
    );
    throw new ToolError(`${path} was not written: ${said.join("; ")}`);
  }
  if (result.outcome === "pending") throw new ToolError(`${path} is not written yet: ${result.reason}`);
}

function locate(path: string): ToolPath {
  const at = parseToolPath(path);
  if (at) return at;
  throw path.startsWith(ROOT)
    ? missing(path)
    : new ToolError(`Path must start with ${ROOT}, got: ${cutShown(path, 200)}`);
}

function missing(path: string): ToolError {
  return new ToolError(`The path ${path} does not exist. Please provide a valid path.`);
}

async function memoriesIn(place: Place): Promise<ShownMetadata[]> {
  const memories = await listMemories(place, { isScopedHere: true });
  return memories
    .filter(({ type, section }) => type !== "episode" && section === undefined)
    .sort((a, b) => (toolPathOf(a) < toolPathOf(b) ? -1 : 1));
}

async function metadataAt(place: Place, at: ToolPath): Promise<ShownMetadata | undefined> {
  return (await memoriesIn(place)).find((metadata) => isAt(metadata, at));
}

function isAt(metadata: ShownMetadata, at: ToolPath): boolean {
  return at.kind === "file" && metadata.type === at.type && metadata.name === at.name;
}

async function fileAt(place: Place, path: string, at: ToolPath, actor: Actor): Promise<OpenFile> {
  if (at.kind !== "file")
    throw at.kind === "root" ? new ToolError(`The path ${path} is not a file.`) : missing(path);
  const metadata = await metadataAt(place, at);
  if (!metadata) throw missing(path);
  const { text } = await showFile(place, metadata.id, { reader: actor });
  return { id: metadata.id, text, hash: metadata.contentHash };
}

/** Lines, from 1, on which a text begins; also where it goes over several. */
function linesWith(text: string, wanted: string): number[] {
  const lines: number[] = [];
  if (wanted === "") return lines;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length))
    lines.push(text.slice(0, at).split("\n").length);
  return lines;
}

/** The directory that the tool knows. */
export const ROOT = "/memories";

type ToolPath =
  | { kind: "root" }
  | { kind: "type"; type: string }
  | { kind: "file"; type: string; name: string };

function parseToolPath(path: string): ToolPath | undefined {
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // A lone percent sign is one.
  }
  if (decoded !== path || /[\\\0]/.test(path)) return undefined;
  const parts = path.split("/");
  if (parts.shift() !== "" || parts.shift() !== ROOT.slice(1)) return undefined;
  if (parts.at(-1) === "") parts.pop();
  if (parts.some((part) => part === "" || part === "." || part === "..")) return undefined;
  const [type, file, ...more] = parts;
  if (type === undefined) return { kind: "root" };
  if (file === undefined) return /\.\w+$/.test(type) ? undefined : { kind: "type", type };
  const name = slugOf(file.replace(/\.(?:md|markdown|txt|xml)$/i, ""));
  return more.length > 0 || name === "" ? undefined : { kind: "file", type, name };
}

function toolPathOf({ type, name }: Pick<MemoryMetadata, "type" | "name">): string {
  return `${ROOT}/${type}/${name}.md`;
}

/** Sizes as the API's own tool writes them: powers of 1,024, one decimal where there is one. */
function sizeText(bytes: number): string {
  if (bytes === 0) return "0B";
  const power = Math.min(3, Math.floor(Math.log(bytes) / Math.log(1024)));
  const size = bytes / 1024 ** power;
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${["B", "K", "M", "G"][power]}`;
}

/** Numbered as the API's own tool numbers lines: six wide, then a tab. */
function numberedLines(lines: readonly string[], first: number): string {
  return lines.map((line, i) => `${String(first + i).padStart(6)}\t${line}`).join("\n");
}
