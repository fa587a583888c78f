import type { CallUnit } from "./guard-unit.ts";
import type { PathFrame } from "./path-test.ts";
import { knownWord } from "./shell/shell-word.ts";
import { SHELL_TOOLS } from "./tool-names.ts";

/** A tool use that is about to happen. */
export interface GuardCall extends PathFrame {
  tool: string;
  input: Readonly<Record<string, unknown>>;
}

const PATH_KEYS = ["file_path", "notebook_path", "path", "filePath", "notebookPath"];
const CONTENT_KEYS = ["content", "new_string", "new_source", "newString"];
const COMMAND_KEYS = ["command", "cmd"];
const MAX_EDITS = 200;
const MAX_JSON_CHARS = 200_000;

/** The shell text of a call, where its tool runs one. A list of arguments, as some clients give, is joined again. */
export function shellTextOf({ tool, input }: GuardCall): string | undefined {
  if (!SHELL_TOOLS.has(tool)) return undefined;
  for (const key of COMMAND_KEYS) {
    const value = input[key];
    if (typeof value === "string") return value;
    if (Array.isArray(value) && value.every((word) => typeof word === "string"))
      return value.map(quote).join(" ");
  }
  return undefined;
}

/** What a call of another tool names and brings in. */
export function callUnitOf({ tool, input }: GuardCall): CallUnit {
  const patch = tool === "apply_patch" ? patchOf(input) : undefined;
  const paths = PATH_KEYS.flatMap((key) => textsOf(input[key]));
  const edits = Array.isArray(input["edits"]) ? (input["edits"] as unknown[]).slice(0, MAX_EDITS) : [];
  const contents = [input, ...edits].flatMap((edit) =>
    typeof edit === "object" && edit !== null
      ? CONTENT_KEYS.flatMap((key) => textsOf((edit as Record<string, unknown>)[key]))
      : [],
  );
  return {
    kind: "call",
    text: JSON.stringify(input).slice(0, MAX_JSON_CHARS),
    paths: [...paths, ...(patch?.paths ?? [])].map(knownWord),
    contents: patch ? [patch.added] : contents,
  };
}

function textsOf(value: unknown): string[] {
  return typeof value === "string" && value !== "" ? [value] : [];
}

/** Files and added lines of a patch in the format that Codex's tool of that name takes. */
function patchOf(input: Readonly<Record<string, unknown>>): { paths: string[]; added: string } | undefined {
  const text = [...COMMAND_KEYS, "input", "patch"].flatMap((key) => textsOf(input[key]))[0];
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  return {
    paths: lines.flatMap(
      (line) => /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/.exec(line)?.[1] ?? [],
    ),
    added: lines
      .filter((line) => line.startsWith("+"))
      .map((line) => line.slice(1))
      .join("\n"),
  };
}

function quote(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
