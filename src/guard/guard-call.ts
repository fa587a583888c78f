import type { PathFrame, Ternary } from "./entry-tests.ts";
import { type CommandArguments, globalOptions, readArguments } from "./shell/read-arguments.ts";
import type { ShellCommand, ShellWord, TouchedPath } from "./shell/shell-command.ts";
import { commandText, HOLE, isKnown, knownWord } from "./shell/shell-command.ts";
import type { CallUnit, CommandUnit } from "./guard.ts";
import { changedFiles } from "./file-effects.ts";
import { patchedFiles } from "./patch.ts";
import { CONTENT_KEY, PROSE_KEY, fileUseOf, isShellTool, textsBelow } from "./tools.ts";
import { shellWord } from "../machine/shell-word.ts";

/** How a duty of a guard stands in a session. */
export interface DutyState {
  /** The file that was changed since what is needed passed; undefined: none was. */
  file: string | undefined;
  /** Whether what is needed passed since; `unknown`: it ran, and nobody says with which result. */
  isProven: Ternary;
}

export interface GuardCall extends PathFrame {
  tool: string;
  input: Readonly<Record<string, unknown>>;
  branch?: string | undefined;
  /** The working tree of a folder, and its branch; absent: only that of the call is known. */
  treeOf?: ((folder: string) => { root: string; branch: string | undefined } | undefined) | undefined;
  /** Variables of the client's shell that concern heed's folders. */
  variables?: Readonly<Record<string, string>>;
  /** When deciding must end, by `performance.now()`; what is not looked at by then passes. */
  untilMs?: number | undefined;
  /** What was cut off from a large input: whole entries, or only the ends of long texts. */
  cut?: "entries" | "text" | undefined;
  /** Whether a file or folder exists; `/.` behind the path asks for a folder. Absent: unknown. */
  exists?: ((path: string) => boolean) | undefined;
  /** How the duties stand in the session, by guard, where anything was done about them; absent: nothing is known. */
  duties?: ReadonlyMap<object, DutyState> | undefined;
}

/** What a client reports about a tool use. */
export type ToolUse = Pick<GuardCall, "tool" | "input" | "cut" | "untilMs">;

/** Fields in which tools name files, whatever their spelling: `file_path`, `relativePath`, `destination`, `files[].path`. */
const PATH_KEY =
  /(?:^|_)(?:path(?:s|name)?|files?|file_?name|filepath|uris?|url|destination|dest|dst|source|src|target|output|out|save_as|notebook|from|to|location|resource|glob)$/;
const FOLDER_KEY =
  /(?:^|_)(?:dir|directory|folder|root|cwd|base|parent|workspace|workdir|base_path|root_path)$/;
const PATCH_KEY = /^(?:patch|diff|input|command|cmd)$/;
const TAKES_AWAY = /delete|remove|move|rename|trash|unlink/i;
const MAX_PATHS = 200;
const COMMAND_KEYS = ["command", "cmd"];
const MAX_JSON_CHARS = 200_000;

interface NamedPath {
  path: string;
  isTarget?: boolean;
  isGone?: boolean;
}

export const TARGET_KEY: RegExp = /^(?:dest\w*|dst|to|target|new_?\w*|output)$/i;

/** The shell text of a call, where its tool runs one. A list of arguments, as some clients give, is joined again. */
export function shellTextOf({ tool, input }: GuardCall): string | undefined {
  if (!isShellTool(tool)) return undefined;
  for (const key of COMMAND_KEYS) {
    const value = input[key];
    if (typeof value === "string") return value;
    if (Array.isArray(value) && value.every((word) => typeof word === "string"))
      return value.map(shellWord).join(" ");
  }
  return undefined;
}

/** The files that a call of another tool names, and the texts that it writes. */
export function callUnitOf({ tool, input, cwd, home = "~" }: GuardCall): CallUnit {
  const placed = (path: string): string => path.replace(/^(?:~|\$\{?HOME\}?)(?=\/|$)/, () => home);
  const named = namedPaths(input, 4);
  const patch = textsBelow(input, PATCH_KEY).find((text) => patchedFiles(text).length > 0);
  const use = fileUseOf(tool, input, patch !== undefined);
  const isTaken = input["content"] === "" || TAKES_AWAY.test(tool);
  const isAlone = named.every(({ isTarget }) => isTarget);
  const paths = named.slice(0, MAX_PATHS).map(({ path, isTarget, isGone }): TouchedPath => ({
    text: placed(path),
    isGlob: tool.startsWith("mcp__") && /[*?]/.test(path),
    isTree: TAKES_AWAY.test(tool),
    isGone: isGone === true || (isTaken && (isTarget !== true || isAlone)),
  }));
  return {
    kind: "call",
    tool,
    input,
    cwd,
    // To an expression, line breaks and tabs are blanks.
    text: JSON.stringify(input)
      .slice(0, MAX_JSON_CHARS)
      .replace(/(?<!\\)(?:\\[nrt])+/g, " "),
    paths,
    changed: use.isChange ? paths : [],
    contents: [...textsBelow(input, CONTENT_KEY), ...(patch === undefined ? [] : [addedBy(patch)])],
    ...use,
    // What names no file writes none: `mcp__chat__post`.
    names: named.length === 0 && tool.startsWith("mcp__") ? [tool] : use.names,
    patch,
  };
}

function useOf(key: string): "path" | "folder" | "patch" | "prose" | undefined {
  const name = key.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  if (FOLDER_KEY.test(name)) return "folder";
  if (PATH_KEY.test(name)) return "path";
  if (PATCH_KEY.test(name)) return "patch";
  return PROSE_KEY.test(name) ? "prose" : undefined;
}

function namedPaths(value: unknown, depth: number, use?: ReturnType<typeof useOf>): NamedPath[] {
  if (typeof value === "string") {
    // Lists and objects are given as text too.
    const inner = use !== "prose" && /^\s*[[{]/.test(value) ? parsed(value) : undefined;
    return inner === undefined ? pathsIn(value, use) : namedPaths(inner, depth - 1, use);
  }
  if (typeof value !== "object" || value === null || depth < 0) return [];
  if (Array.isArray(value))
    return value.slice(0, MAX_PATHS).flatMap((item) => namedPaths(item, depth - 1, use));
  const fields = Object.entries(value).slice(0, MAX_PATHS);
  const named = fields.flatMap(([key, item]) => [
    // `changes: { "file:///x": … }`
    ...(/[./]/.test(key) ? pathsIn(key, "path") : []),
    ...(useOf(key) === "folder" ? [] : namedPaths(item, depth - 1, useOf(key))).map((one) =>
      TARGET_KEY.test(key) ? { ...one, isTarget: true } : one,
    ),
  ]);
  const folders = fields.flatMap(([key, item]) =>
    useOf(key) === "folder" && typeof item === "string" ? [plainPath(item)] : [],
  );
  if (named.length === 0) return folders.map((path) => ({ path }));
  const below = ({ path, ...more }: NamedPath): NamedPath[] =>
    path.startsWith("/") ? [] : folders.map((folder) => ({ ...more, path: `${folder}/${path}` }));
  return [...named, ...named.flatMap(below)];
}

function pathsIn(text: string, use: ReturnType<typeof useOf>): NamedPath[] {
  if (text === "") return [];
  if (use === "path" || use === "folder") return [{ path: plainPath(text) }];
  return use === "patch" ? patchedFiles(text) : [];
}

function plainPath(text: string): string {
  if (!text.startsWith("file://")) return text.includes("/") ? text : text.replaceAll("\\", "/");
  try {
    return decodeURIComponent(text.slice("file://".length));
  } catch {
    return text;
  }
}

function parsed(json: string): unknown {
  if (json.length > MAX_JSON_CHARS) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function addedBy(patch: string): string {
  const added = patch.split("\n").filter((line) => line.startsWith("+"));
  return added.map((line) => line.slice(1)).join("\n");
}

const ALL = knownWord("*");

/** Makes the units of a command. @param current the branch that is checked out where it works, where that is known. */
export function commandUnits(
  command: ShellCommand,
  exists: GuardCall["exists"],
  current?: string,
): CommandUnit[] {
  const args = readArguments(command.words);
  const program = command.words[0]?.text ?? "";
  const unit = {
    ...command,
    kind: "command" as const,
    text: commandText(command),
    program,
    args,
    branch: undefined,
    remote: undefined,
  };
  const changed = changedFiles(unit, exists);
  if (program !== "git") return [{ ...unit, changed }];
  const options = [...args.options, ...gitSettings(command)];
  const branch = current === undefined ? undefined : knownWord(current);
  const here: CommandUnit = { ...unit, changed, args: { ...args, options }, branch };
  const [sub, first, ...rest] = args.operands;
  if (sub?.text === "branch" && first) return [first, ...rest].map((branch) => ({ ...here, branch }));
  if (sub?.text !== "push") return [here];
  const has = (name: string): boolean => options.some(({ names }) => names.includes(name));
  const remote = first ?? options.find(({ names }) => names.includes("--repo"))?.value;
  const push = (branch: ShellWord | undefined, added = [] as typeof options, operands = args.operands) => ({
    ...here,
    args: { ...here.args, operands, options: [...options, ...added] },
    branch,
    remote,
  });
  if (has("--mirror")) return [push(ALL, [FORCE, DELETE])];
  if (has("--all") || has("--branches")) return [push(ALL)];
  const specs = rest.filter(({ text }) => text !== "tag");
  // Tags alone are pushed to no branch.
  if (specs.length === 0) return [push(has("--tags") ? undefined : here.branch)];
  return specs.map((spec) => {
    // `+main` forces, `:main` deletes.
    const isForced = spec.text.startsWith("+") ? [FORCE] : [];
    const isDeleting = /^\+?:./.test(spec.text) ? [DELETE] : [];
    return push(targetOf(spec, here.branch), [...isForced, ...isDeleting], [sub, remote ?? ALL, spec]);
  });
}

function gitSettings({ words, environment }: ShellCommand): CommandArguments["options"] {
  const valueOf = (name: string): ShellWord =>
    environment.findLast((one) => one.name === name)?.value ?? knownWord(HOLE);
  const given = globalOptions(words).options.flatMap(({ names, value }) => {
    const [key = "", variable = ""] = value?.text.split("=") ?? [];
    return names.includes("--config-env") ? [`${key}=${valueOf(variable).text}`] : [];
  });
  const set = environment.flatMap(({ name, value }) =>
    /^GIT_CONFIG_KEY_\d+$/.test(name) ? `${value.text}=${valueOf(name.replace("KEY", "VALUE")).text}` : [],
  );
  return [...given, ...set].map((text) => ({ names: ["-c"], value: knownWord(text) }));
}

const FORCE = { names: ["-f", "--force"], value: undefined };
const DELETE = { names: ["-d", "--delete"], value: undefined };

/** The branch to which a refspec pushes; undefined where the text does not tell. */
function targetOf(spec: ShellWord, current: ShellWord | undefined): ShellWord | undefined {
  const target = spec.text.replace(/^\+/, "").split(":").at(-1) ?? "";
  if (target === "HEAD" || target === "@") return current;
  if (target === "" || !isKnown(spec)) return target === "" ? undefined : spec;
  return target.includes("*") ? ALL : knownWord(target.replace(/^(?:refs\/)?heads\//, ""));
}
