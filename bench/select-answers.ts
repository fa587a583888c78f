import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainHandle } from "../src/memory/handle.ts";
import type { LabelledPrompt } from "./injection-data.ts";

/** Where requests to a model are written, and where its answers are read; neither: no model is asked. */
export interface SelectFolders {
  writeRequests: string | undefined;
  answers: string | undefined;
}

const TASK =
  "You are a coding agent at the beginning of a session. Below stand what your context holds and the user's request. " +
  'Answer with JSON alone: {"handles": [...]}, the handles of the lines that you would open with memory_show before you ' +
  "do anything else; an empty list when none is relevant to the request.";

/** What a model would be asked about one prompt, with the very map that a session holds. */
export function requestOf(label: LabelledPrompt, map: string): { id: string; prompt: string } {
  return { id: fileOf(label), prompt: `${TASK}\n\n${map}\n\n<request>\n${label.prompt}\n</request>` };
}

/** Writes the request, one JSON file each, where a folder for them is given. */
export function writeRequest({ writeRequests }: SelectFolders, label: LabelledPrompt, map: string): void {
  if (writeRequests === undefined || map === "") return;
  mkdirSync(writeRequests, { recursive: true });
  const request = requestOf(label, map);
  writeFileSync(join(writeRequests, `${request.id}.json`), `${JSON.stringify(request, null, 2)}\n`);
}

/**
 * The names that the answer chose: `{"handles": [...]}`, or `{"text": "..."}` with that JSON somewhere in it. Undefined
 * where there is no answer; throws where there is one that cannot be read.
 */
export function readAnswer({ answers }: SelectFolders, label: LabelledPrompt): string[] | undefined {
  if (answers === undefined) return undefined;
  const file = join(answers, `${fileOf(label)}.json`);
  if (!existsSync(file)) return undefined;
  const given = JSON.parse(readFileSync(file, "utf8")) as { handles?: unknown; text?: unknown };
  const handles =
    typeof given.text === "string"
      ? (JSON.parse(/\{[^]*\}/.exec(given.text)?.[0] ?? "{}") as { handles?: unknown }).handles
      : given.handles;
  if (!Array.isArray(handles)) throw new Error(`${file} has no list of handles`);
  return handles.flatMap((handle) => namesIn(plainHandle(String(handle))));
}

/** Answers to an older map give several names by braces: `runbook-{auth,billing}`. */
function namesIn(handle: string): string[] {
  const [, before = "", parts, behind = ""] = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(handle) ?? [];
  return parts?.split(",").map((part) => `${before}${part.trim()}${behind}`) ?? [handle];
}

function fileOf({ storeId, id }: LabelledPrompt): string {
  return `${storeId}-${id}`.replace(/[^\w.-]+/g, "_");
}
