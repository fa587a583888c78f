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

/** Lines around a change. */
const SNIPPET_LINES = 4;

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
    return redactSecrets(await new MemoryTool(place, actor).answer(command));
  } catch (error) {
    // The file system's own troubles are the caller's, everything else is the model's to mend.
    if (error instanceof HeedError && !["io-failed", "locked", "git-failed"].includes(error.code))
      return `Error: ${redactSecrets(error.message)}`;
    throw error;
  }
}

class MemoryTool {
  readonly #place: Place;
  readonly #actor: Actor;

  constructor(place: Place, actor: Actor) {
    this.#place = place;
    this.#actor = actor;
  }

  async answer(command: MemoryToolCommand): Promise<string> {
    const given = new Map<string, unknown>(Object.entries(command));
    const text = (field: string): string => {
      const value = given.get(field);
      return typeof value === "string" ? value : fail(`Missing or invalid parameter: ${field}`);
    };
    const path = command.command === "rename" ? text("old_path") : text("path");
    const { type, name } = this.#parse(path);
    const found = await this.#at(path);
    switch (command.command) {
      case "view":
        return name === undefined
          ? this.#list(path.replace(/\/+$/, ""), type)
          : this.#view(found ?? missing(path), path, rangeOf(command.view_range));
      case "create":
        return this.#create(path, text("file_text"));
      case "str_replace":
        return this.#replace(found ?? missing(path), path, text("old_str"), command.new_str ?? "");
      case "insert": {
        const insert = (whole: string): string => insertIn(whole, command.insert_line, text("insert_text"));
        await this.#edit(found ?? missing(path), path, insert);
        return `The file ${path} has been edited.`;
      }
      case "delete": {
        if (type === undefined) fail(`Cannot delete the ${ROOT} directory itself`);
        const { id } = found ?? fail(`The path ${path} does not exist`);
        await removeMemory(this.#place, id, "deleted by the memory tool", this.#actor);
        return `Successfully deleted ${path}`;
      }
      case "rename":
        return this.#rename(found ?? missing(path), path, text("new_path"));
      default:
        return fail(`Unknown command: ${cutShown(text("command"), 60)}`);
    }
  }

  /** Below the folder of its type, else among the notes. The folder of a type has no name; the root no type either. */
  #parse(path: string): { type?: string; name?: string } {
    if (!/^\/memories(?:\/|$)/.test(path)) fail(`Path must start with ${ROOT}, got: ${cutShown(path, 200)}`);
    const parts = path.split("/").slice(2).filter(Boolean);
    if (parts.some((part) => /^\.\.?$|%2e|[\\\0]/i.test(part)))
      fail(`Path ${cutShown(path, 200)} would escape ${ROOT} directory`);
    const [first, ...rest] = parts;
    if (first === undefined) return {};
    const isFolder = this.#types().includes(first);
    if (isFolder && rest.length === 0) return { type: first };
    const name = slugOf((isFolder ? rest : parts).join("-").replace(/\.[a-z]{1,8}$/i, ""));
    return name === "" ? missing(path) : { type: isFolder ? first : NOTES, name };
  }

  /** Episodes are heed's own records. */
  #types(): string[] {
    return this.#place.types.all().flatMap(({ name }) => (name === "episode" ? [] : [name]));
  }

  async #memories(): Promise<ShownMetadata[]> {
    return (await listMemories(this.#place))
      .filter(({ type, section }) => type !== "episode" && section === undefined)
      .sort((a, b) => (`${a.type}/${a.name}` < `${b.type}/${b.name}` ? -1 : 1));
  }

  async #at(path: string): Promise<ShownMetadata | undefined> {
    const at = this.#parse(path);
    return (await this.#memories()).find(({ type, name }) => type === at.type && name === at.name);
  }

  async #list(path: string, type: string | undefined): Promise<string> {
    const memories = await this.#memories();
    const lines = (type === undefined ? this.#types() : [type]).flatMap((of) => {
      const files = memories.filter((one) => one.type === of);
      // Notes are the root's own files.
      const isRoot = type === undefined && of === NOTES && files.length > 0;
      const folder = type === undefined && !isRoot ? `${path}/${of}` : path;
      const listed = files.map((one) => `${sizeOf([one])}\t${folder}/${one.name}.md`);
      return isRoot ? listed : [`${sizeOf(files)}\t${folder}/`, ...listed];
    });
    if (type === undefined) lines.unshift(`${sizeOf(memories)}\t${path}`);
    return `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:\n${lines.join("\n")}`;
  }

  async #view(file: ShownMetadata, path: string, [from = 1, to = -1]: readonly number[]): Promise<string> {
    const text = await this.#textOf(file);
    return `Here's the content of ${path} with line numbers:\n${numbered(text, from, to === -1 ? undefined : to)}`;
  }

  /** The statement and the text, without what heed keeps beside them. */
  async #textOf({ id, statement, contentHash }: ShownMetadata, isEdited = false): Promise<string> {
    const { text } = await showFile(this.#place, id, { reader: this.#actor });
    if (isEdited && contentHashOf(text) !== contentHash)
      fail("it holds something that is not shown: only a person edits it");
    const body = splitSource(text).body.replace(/^\n+|\s+$/g, "");
    return plainWords(body).startsWith(plainWords(statement)) ? body : `${statement}\n\n${body}`;
  }

  async #create(path: string, text: string): Promise<string> {
    const { type = "", name } = this.#parse(path);
    if (name === undefined) return fail(`${path} is a directory: name a file in it`);
    if (await this.#at(path)) return fail(`File ${path} already exists`);
    // A name is one memory's, whatever its folder: writing it would amend that one.
    const same = (await this.#memories()).find((one) => one.name === name);
    if (same)
      return fail(`File ${ROOT}/${same.type}/${name}.md already exists: edit it, or choose another name`);
    const { draft, problems } = readDraft(this.#place, text);
    if (!draft) return fail(problems.map((one) => `${one.message}. ${one.remedy}`)[0] ?? "the text is empty");
    requireDone(await writeMemory(this.#place, { ...draft, type, name }, this.#actor), path);
    return `File created successfully at: ${path}`;
  }

  async #replace(file: ShownMetadata, path: string, old: string, replacement: string): Promise<string> {
    let first = 0;
    const after = await this.#edit(file, path, (whole) => {
      const parts = old === "" ? [""] : whole.split(old);
      const lines = parts.slice(1).map((_, i) => lineCount(parts.slice(0, i + 1).join(old)));
      if (lines.length === 0)
        fail(`No replacement was performed, old_str \`${old}\` did not appear verbatim in ${path}.`);
      if (lines.length > 1)
        fail(
          `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ${lines.join(", ")}. Please ensure it is unique`,
        );
      [first = 0] = lines;
      return parts.join(replacement);
    });
    const snippet = numbered(after, first - SNIPPET_LINES, first + lineCount(replacement) + SNIPPET_LINES);
    return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`;
  }

  /** Returns the new text. The statement follows the first line where that said it. */
  async #edit(file: ShownMetadata, path: string, change: (whole: string) => string): Promise<string> {
    const text = await this.#textOf(file, true);
    const body = change(text);
    const [before, after] = [text, body].map((one) => readDraft(this.#place, one).draft?.statement);
    const restated = before === file.statement && after !== undefined && { statement: after };
    const changes = { body, ...restated, ifHash: file.contentHash };
    requireDone(await updateMemory(this.#place, file.id, changes, this.#actor), path);
    return body;
  }

  async #rename(from: ShownMetadata, oldPath: string, newPath: string): Promise<string> {
    const { type = "", name } = this.#parse(newPath);
    if (name === undefined || (await this.#at(newPath)))
      return fail(`The destination ${newPath} already exists`);
    if (type !== from.type)
      requireDone(await updateMemory(this.#place, from.id, { type }, this.#actor), newPath);
    if (name !== from.name) await renameMemory(this.#place, from.id, name, this.#actor);
    return `Successfully renamed ${oldPath} to ${newPath}`;
  }
}

function rangeOf(range: unknown): number[] {
  const lines = Array.isArray(range) ? range.map(Number) : [];
  const isGiven = range !== undefined && range !== null;
  return (isGiven && !Array.isArray(range)) || !lines.every(Number.isInteger)
    ? fail("Missing or invalid parameter: view_range")
    : lines;
}

const lineCount = (text: string): number => text.split("\n").length;

function numbered(text: string, from: number, to?: number): string {
  const first = Math.max(1, from);
  const shown = text.split("\n").slice(first - 1, to);
  return shown.map((line, i) => `${String(first + i).padStart(6)}\t${line}`).join("\n");
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
