import type { PathFrame, Ternary } from "./entry-tests.ts";
import type { ShellCommand, ShellPipeline, ShellWord } from "./shell/shell-command.ts";
import { HOLE, knownWord, commandText, isKnown } from "./shell/shell-command.ts";
import { type CommandArguments, readArguments } from "./shell/read-arguments.ts";
import { gitSettings, globalOptions } from "./shell/run-inner.ts";
import { PROSE_KEY, SHELL_TOOLS } from "./tools.ts";
import { shellWord } from "../platform/shell-word.ts";

type InputCut = "entries" | "text";

/** How a duty of a guard stands in a session. */
export interface DutyState {
  /** The file that was changed since what is needed passed; undefined: none was. */
  file: string | undefined;
  /** Whether what is needed passed since; `unknown`: it ran, and nobody says with which result. */
  isProven: Ternary;
}

/** A tool use that is about to happen. */
export interface GuardCall extends PathFrame {
  tool: string;
  input: Readonly<Record<string, unknown>>;
  /** The branch that is checked out, where that is known. */
  branch?: string | undefined;
  /** The working tree of a folder, and its branch; absent: only that of the call is known. */
  treeOf?: ((folder: string) => { root: string; branch: string | undefined } | undefined) | undefined;
  /** Variables of the client's shell that concern heed's folders. */
  variables?: Readonly<Record<string, string>>;
  /** When deciding must end, by `performance.now()`; what is undecided then counts as unknown. */
  untilMs?: number | undefined;
  /** What was cut off from a large input: whole entries, or only the ends of long texts. */
  cut?: InputCut | undefined;
  /** Whether a file exists; absent: unknown. */
  exists?: ((path: string) => boolean) | undefined;
  /** The file itself, or all files below a folder; undefined if there are too many. */
  filesBelow?: ((path: string) => readonly string[] | undefined) | undefined;
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
const PATCH_KEYS = new Set(["patch", "diff", "input", "command", "cmd"]);
const WORDS_KEYS = new Set(["args", "argv", "arguments"]);
const TAKES_AWAY = /delete|remove|move|rename/i;
/** Tools whose names say that they only read. */
const LOOKS = /read|get|list|search|find|stat|info|view|tree|exists|show|count|grep/i;
/** Tools of code hosts; their paths are relative to the root of a repository. */
const CODE_HOST = /^mcp__.*(?:git(?:hub|lab|ea)|bitbucket|forgejo|codeberg)/i;
const MAX_PATHS = 200;
const CONTENT_KEYS = ["content", "new_string", "new_source", "newString"];
const COMMAND_KEYS = ["command", "cmd"];
const MAX_EDITS = 200;
const MAX_JSON_CHARS = 200_000;

/** A file that a call names; not sure if heed does not know the field. */
interface NamedPath {
  path: string;
  isSure: boolean;
  /** Where something is moved to. */
  isTarget?: boolean;
}

const TARGET_KEY = /^(?:dest\w*|dst|to|target|new_?\w*|output)$/i;

/** Whether a field names where something is put. */
export const isTargetKey = (key: string): boolean => TARGET_KEY.test(key);

/** The shell text of a call, where its tool runs one. A list of arguments, as some clients give, is joined again. */
export function shellTextOf({ tool, input }: GuardCall): string | undefined {
  if (!SHELL_TOOLS.has(tool)) return undefined;
  for (const key of COMMAND_KEYS) {
    const value = input[key];
    if (typeof value === "string") return value;
    if (Array.isArray(value) && value.every((word) => typeof word === "string"))
      return value.map(shellWord).join(" ");
  }
  return undefined;
}

/** The files that a call of another tool names, and the texts that it writes. */
export function callUnitOf({ tool, input, roots, home = "~" }: GuardCall): CallUnit {
  // Sure files come first, so that the limit cuts off unsure ones.
  const named = namedPaths(input, 4).sort((a, b) => Number(b.isSure) - Number(a.isSure));
  const [root] = CODE_HOST.test(tool) ? roots : [];
  const isBelow = (path: string): boolean => roots.some((one) => path.startsWith(`${one}/`));
  const atHome = (path: string): string => path.replace(/^(?:~|\$\{?HOME\}?)(?=\/|$)/, () => home);
  const paths = named.slice(0, MAX_PATHS).map(({ path, ...more }) => ({
    ...more,
    path: root === undefined || isBelow(path) ? atHome(path) : `${root}/${path.replace(/^\/+/, "")}`,
  }));
  const isOther = tool.startsWith("mcp__") && !LOOKS.test(tool.split("__").at(-1) ?? "");
  const reach = TAKES_AWAY.test(tool) ? "tree" : isOther ? "some" : "file";
  const use = (key: string): string => (typeof input[key] === "string" ? input[key] : "");
  const edits = Array.isArray(input["edits"]) ? (input["edits"] as unknown[]).slice(0, MAX_EDITS) : [];
  const contents = [input, ...edits].flatMap((edit) =>
    typeof edit === "object" && edit !== null
      ? CONTENT_KEYS.flatMap((key) => textsOf((edit as Record<string, unknown>)[key]))
      : [],
  );
  const isEmptied = input["content"] === "" || TAKES_AWAY.test(tool);
  const removed =
    tool === "apply_patch" || use("patch") !== "" ? removedByPatch(use("patch") || use("input")) : [];
  return {
    kind: "call",
    tool,
    input,
    // To an expression, line breaks and tabs are blanks.
    text: JSON.stringify(input)
      .slice(0, MAX_JSON_CHARS)
      .replace(/(?<!\\)\\[nrt]/g, " "),
    paths: [
      ...paths.map(({ path, isSure, isTarget }): TouchedPath => {
        const isGlob = isOther && /[*?]/.test(path);
        const isGone = removed.includes(path) || (isEmptied && isTarget !== true);
        return {
          word: { ...knownWord(path), isGlob },
          reach: isGlob ? "file" : reach,
          isUnsure: !isSure,
          isGone,
        };
      }),
      // The names beyond the limit are unknown.
      ...(paths.length < named.length ? [{ word: knownWord(HOLE), reach: "file" as const }] : []),
    ],
    contents: tool === "apply_patch" ? [addedBy(input)] : contents,
  };
}

function useOf(key: string): "path" | "folder" | "patch" | "words" | "prose" | undefined {
  const name = key.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  if (FOLDER_KEY.test(name)) return "folder";
  if (PATH_KEY.test(name)) return "path";
  if (PATCH_KEYS.has(name)) return "patch";
  return PROSE_KEY.test(name) ? "prose" : WORDS_KEYS.has(name) ? "words" : undefined;
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
  if (named.length === 0) return folders.map((path) => ({ path, isSure: true }));
  const relative = named.filter(({ path }) => !path.startsWith("/"));
  return [
    ...named,
    ...folders.flatMap((folder) =>
      relative.map(({ path, isSure }) => ({ path: `${folder}/${path}`, isSure })),
    ),
  ];
}

function pathsIn(text: string, use: ReturnType<typeof useOf>): NamedPath[] {
  if (text === "" || use === "prose") return [];
  if (use === "path" || use === "folder") return [{ path: plainPath(text), isSure: true }];
  const patched = use === "patch" ? patchedFiles(text) : [];
  if (patched.length > 0) return patched.map((path) => ({ path, isSure: true }));
  // Another field may hold a path; a text of several words does not.
  const tokens = use !== undefined ? text.split(/\s+/, MAX_PATHS) : /\s/.test(text) ? [] : [text];
  return tokens.flatMap((path) => (/[./]/.test(path) ? [{ path: plainPath(path), isSure: false }] : []));
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

function textsOf(value: unknown): string[] {
  return typeof value === "string" && value !== "" ? [value] : [];
}

/** The files that a patch names: a diff, or the format that Codex's tool takes. */
function patchedFiles(text: string): string[] {
  const heads =
    /^(?:\*\*\* (?:Add File|Update File|Delete File|Move to): |(?:\+\+\+|---|rename to) (?:[ab]\/)?)(\S.*)$/gm;
  return [...text.matchAll(heads)].flatMap(([, path = ""]) => (path === "/dev/null" ? [] : [path.trim()]));
}

/** The files that a patch removes, or moves to another name. */
function removedByPatch(text: string): string[] {
  const heads =
    /^\*\*\* Delete File: (\S.*)$|^\*\*\* Update File: (\S.*)\n\*\*\* Move to|^--- (?:a\/)?(\S+).*\n\+\+\+ \/dev\/null/gm;
  return [...text.matchAll(heads)].map(([, deleted, moved, old]) => (deleted ?? moved ?? old ?? "").trim());
}

function addedBy(input: Readonly<Record<string, unknown>>): string {
  const text = [...PATCH_KEYS].flatMap((key) => textsOf(input[key]))[0] ?? "";
  const added = text.split("\n").filter((line) => line.startsWith("+"));
  return added.map((line) => line.slice(1)).join("\n");
}

/** What a condition is checked against: a command or pipeline of a shell text, or a call of another tool. */
export type GuardUnit = CommandUnit | PipelineUnit | CallUnit;

/** A command that a shell text would run; a push of several branches is one for each of them. */
export interface CommandUnit {
  kind: "command";
  text: string;
  command: ShellCommand;
  args: CommandArguments;
  /** For git: the branch that it concerns, `*` for all. */
  branch: ShellWord | undefined;
  /** For git: the branch that is checked out where it works. */
  current: ShellWord;
  /** For `git push` and the like. */
  remote: ShellWord | undefined;
}

/** The commands of a pipeline together; only patterns are checked against them. */
interface PipelineUnit extends ShellPipeline {
  kind: "pipeline";
}

/** A call of a tool that runs no shell. */
export interface CallUnit {
  kind: "call";
  tool: string;
  input: Readonly<Record<string, unknown>>;
  /** The input as JSON text. */
  text: string;
  paths: readonly TouchedPath[];
  contents: readonly string[];
}

const ALL = knownWord("*");
const UNKNOWN = knownWord(HOLE);
const INCLUDES = /^include(?:if\..*)?\.path$/;
const CONFIG_FILES = /^(?:GIT_CONFIG_(?:GLOBAL|SYSTEM|PARAMETERS)|GIT_CONFIG|XDG_CONFIG_HOME|HOME)$/;

/** Makes the units of a command. @param current the branch that is checked out where it works. */
export function commandUnits(command: ShellCommand, current: ShellWord = UNKNOWN): CommandUnit[] {
  const args = readArguments(command.words);
  const unit = { kind: "command", text: commandText(command), command, args, current } as const;
  if (command.words[0]?.text !== "git") return [{ ...unit, branch: undefined, remote: undefined }];
  const settings = gitSettings(command);
  const isOpen =
    settings.some(({ name }) => INCLUDES.test(name)) ||
    command.environment.some(({ name }) => CONFIG_FILES.test(name)) ||
    globalOptions(command.words).options.some(({ option, value }) => isForeignFolder(option, value));
  const options = [
    ...args.options,
    ...settings.map(({ name, value }) => ({
      names: ["-c"],
      value: { ...value, text: `${name}=${value.text}` },
    })),
    ...(isOpen ? [{ names: ["-c"], value: UNKNOWN }] : []),
  ];
  const here = { ...unit, args: { ...args, options }, branch: current, remote: undefined };
  const [sub, first, ...rest] = args.operands;
  if (sub?.text === "branch")
    return (first ? [first, ...rest] : [current]).map((word) => ({ ...here, branch: word }));
  if (sub?.text !== "push" && sub?.text !== "send-pack") return [here];
  const has = (name: string): boolean => options.some((option) => option.names.includes(name));
  const isMirror =
    has("--mirror") || settings.some(({ name }) => /^remote\.(?:.*\.mirror$|--mirror)/.test(name));
  const set = settings.flatMap(({ name, value }) => (/^remote\..*\.push$/.test(name) ? [value] : []));
  const specs = rest.filter(({ text }) => text !== "tag");
  const named = first ?? options.find(({ names }) => names.includes("--repo"))?.value ?? UNKNOWN;
  const isElsewhere = settings.some(
    ({ name }) => name === `remote.${named.text}.url` || name.startsWith("url."),
  );
  const remote = isElsewhere ? UNKNOWN : named;
  if (isMirror || has("--all") || has("--branches"))
    return [
      {
        ...here,
        args: { ...args, options: isMirror ? [...options, FORCE, DELETE] : options },
        branch: ALL,
        remote,
      },
    ];
  const pushed = specs.length > 0 ? specs : set;
  const isMoved = settings.some(({ name }) => /^branch\.|^push\.default$/.test(name));
  // Tags alone are pushed to no branch.
  const pushedTo = specs.length === 0 && has("--tags") ? undefined : isMoved ? UNKNOWN : current;
  if (pushed.length === 0 || !pushedTo) return [{ ...here, branch: pushedTo, remote }];
  return pushed.map((spec) => ({
    ...here,
    args: {
      ...args,
      operands: [sub, remote, spec],
      // `+main` forces, `:main` deletes.
      options: [
        ...options,
        ...(spec.text.startsWith("+") ? [FORCE] : []),
        ...(/^\+?:./.test(spec.text) ? [DELETE] : []),
      ],
    },
    branch: targetOf(spec, current),
    remote,
  }));
}

/** An option that makes git use unknown programs or settings. */
function isForeignFolder(option: string, { text }: ShellWord): boolean {
  return option === "--exec-path" || (option === "--git-dir" && !/(?:^|\/)\.git\/?$/.test(text));
}

const FORCE = { names: ["-f", "--force"], value: undefined };
const DELETE = { names: ["-d", "--delete"], value: undefined };

function targetOf(spec: ShellWord, current: ShellWord): ShellWord {
  const target = spec.text.replace(/^\+/, "").split(":").at(-1) ?? "";
  if (!isKnown(spec)) return target.includes(HOLE) || spec.isMany ? UNKNOWN : knownWord(target);
  if (target === "HEAD" || target === "@") return current;
  if (target === "") return UNKNOWN;
  return target.includes("*") ? ALL : knownWord(target.replace(/^(?:refs\/)?heads\//, ""));
}

/** A path that a call touches: the file, all of a folder (`tree`), part of it (`some`), or a file in a folder (`maybe`). */
export interface TouchedPath {
  word: ShellWord;
  reach: "file" | "tree" | "some" | "maybe";
  /** Unknown whether the program changes it. */
  isUnsure?: boolean;
  /** It is removed, moved away or emptied. */
  isGone?: boolean;
}
