import type { CallUnit } from "./guard-unit.ts";
import type { PathFrame } from "./path-test.ts";
import { knownWord } from "./shell/shell-word.ts";
import { SHELL_TOOLS } from "./tool-names.ts";

/** A tool use that is about to happen. */
export interface GuardCall extends PathFrame {
  tool: string;
  input: Readonly<Record<string, unknown>>;
  /** The branch that is checked out, where that is known. */
  branch?: string | undefined;
  /** Whether a file is there; absent: nobody can say. */
  exists?: ((path: string) => boolean) | undefined;
}

/** Fields in which tools name files, whatever their spelling: `file_path`, `relativePath`, `destination`, `files[].path`. */
const PATH_KEY =
  /(?:^|_)(?:paths?|files?|filename|filepath|uris?|url|destination|dest|source|src|target|dir|directory|folder|notebook|from|to)$/;
/** Tools that take a file or folder away from where it is. */
const TAKES_AWAY = /delete|remove|move|rename/i;
const MAX_PATHS = 200;
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
  const paths = namedPaths(input, tool === "Bash" ? 0 : 3).slice(0, MAX_PATHS);
  const reach = TAKES_AWAY.test(tool) ? "tree" : "file";
  const edits = Array.isArray(input["edits"]) ? (input["edits"] as unknown[]).slice(0, MAX_EDITS) : [];
  const contents = [input, ...edits].flatMap((edit) =>
    typeof edit === "object" && edit !== null
      ? CONTENT_KEYS.flatMap((key) => textsOf((edit as Record<string, unknown>)[key]))
      : [],
  );
  return {
    kind: "call",
    text: JSON.stringify(input).slice(0, MAX_JSON_CHARS),
    paths: [...paths, ...(patch?.paths ?? [])].map((path) => ({ word: knownWord(path), reach })),
    contents: patch ? [patch.added] : contents,
  };
}

/** The paths among the fields of an input, and in lists and objects under fields that hold paths or their changes. */
function namedPaths(value: unknown, depth: number, isPath = false): string[] {
  if (typeof value === "string") return isPath && value !== "" ? [plainPath(value)] : [];
  if (typeof value !== "object" || value === null || depth < 0) return [];
  if (Array.isArray(value))
    return value.slice(0, MAX_PATHS).flatMap((item) => namedPaths(item, depth - 1, isPath));
  return Object.entries(value).flatMap(([key, item]) => {
    const name = key.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
    return namedPaths(item, depth - 1, PATH_KEY.test(name));
  });
}

function plainPath(text: string): string {
  if (!text.startsWith("file://")) return text;
  try {
    return decodeURIComponent(text.slice("file://".length));
  } catch {
    return text;
  }
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
