import type { Environment } from "../../../machine/places.ts";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { posix, win32 } from "node:path";

/** How heed is started: by absolute paths for the user, by its name in a repository, which others read too. */
export interface Launch {
  command: string;
  args: readonly string[];
}

/** Folders of heed's that a model's own tools have nothing to write in; absolute. */
export interface ProtectedFolders {
  /** heed's record of the user's decisions: never written by a tool. */
  records: readonly string[];
  /** Memories that take force: the client asks first. */
  stores: readonly string[];
}

/** A value in a client's JSON file, at the end of a path of keys. */
export type JsonPiece =
  /** An object joins the one that is there, key by key; any other value stays as the user has it. */
  | { kind: "key"; path: readonly string[]; value: unknown; rest?: string }
  /** One of a list; a hook of heed's takes the place of the one before. */
  | { kind: "item"; path: readonly string[]; value: unknown };

export type Piece =
  | JsonPiece
  /** Tables at the end of a TOML file, all of a plan's between two comments. */
  | { kind: "toml"; text: string; table: readonly string[] }
  /** A file that is heed's alone. */
  | { kind: "file"; text: string }
  /** What the user adds: heed edits no such file. */
  | { kind: "by-hand"; text: string };

export interface FilePlan {
  file: string;
  pieces: readonly Piece[];
  /** The client's own rules about heed's folders: left out, and reported, where the file has no room for them. */
  rules?: readonly Piece[] | undefined;
  /** What `rules` are, for people. Default: rules about heed's folders. */
  rulesName?: string;
}

export interface Target {
  places: ClientPlaces;
  launch: Launch;
  /** For the user everywhere, or for the repository: then other people's machines read it too. */
  scope: "user" | "project";
  root: string;
  protectedFolders: ProtectedFolders;
  /** heed's folder for the starts of programs; absolute. */
  starts: string;
}

export interface Client {
  name: string;
  title: string;
  programs: readonly string[];
  /** Folders that only it makes. */
  folders: (places: ClientPlaces) => readonly string[];
  /** What is written for the user, or for a repository. Undefined: it has no files there. */
  plan: (target: Target) => FilePlan[] | undefined | Promise<FilePlan[] | undefined>;
  /** Its own permission rules about heed's folders, in the user's files. Absent: it has no rule for a path. */
  permissions?: (target: Target) => { file: string; rules: readonly Piece[] } | undefined;
  /** Guards check what its shells start (not on Windows). */
  checksStarts?: boolean;
  /** heed prints what to add, and writes nothing. */
  isPrinted?: boolean;
  /** What to do after, or to know. */
  notes?: readonly string[];
}

/** Directories in which clients keep their configuration, and how paths are joined there. */
export interface ClientPlaces {
  platform: NodeJS.Platform;
  home: string;
  /** `~/.config` and its equivalents. */
  config: string;
  /** Where programs with windows keep their data. */
  application: string;
  env: Environment;
  join: (...parts: readonly string[]) => string;
}

export function clientPlaces(env: Environment, platform: NodeJS.Platform = process.platform): ClientPlaces {
  const paths = platform === "win32" ? win32 : posix;
  const join = (...parts: readonly string[]): string => paths.join(...parts);
  const home = env["HOME"] || env["USERPROFILE"] || homedir();
  const config = env["XDG_CONFIG_HOME"] || join(home, ".config");
  const application =
    platform === "win32"
      ? env["APPDATA"] || join(home, "AppData", "Roaming")
      : platform === "darwin"
        ? join(home, "Library", "Application Support")
        : config;
  return { platform, home, config, application, env, join };
}

export function firstThere(...paths: readonly [string, ...string[]]): string {
  return paths.find((path) => existsSync(path)) ?? paths[0];
}

/** A path with `/` alone, as rules write it on every platform. */
export function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

/** First line of every file that is heed's alone; what begins with another is somebody else's. */
export const OWN_FILE_MARK = "Written by heed (heed init); heed uninit takes it out.";

/** A command line for clients that give their hooks to a shell. */
export function launchLine({ command, args }: Launch, ...more: readonly string[]): string {
  return [command, ...args, ...more].map(shellWord).join(" ");
}

/** Double quotes are known to every shell that clients use. */
function shellWord(word: string): string {
  return /^[\w./:@\\-]+$/.test(word) ? word : `"${word.replace(/(["$`])/g, "\\$1")}"`;
}

export function serverCommand(
  { command, args }: Launch,
  ...flags: readonly string[]
): { command: string; args: string[] } {
  return { command, args: [...args, "mcp", ...flags] };
}

/** heed's server as an entry of a JSON object, between `before` and `after`. */
export function serverPiece(key: string, launch: Launch, before: object = {}, after: object = {}): Piece {
  return { kind: "key", path: [key, "heed"], value: { ...before, ...serverCommand(launch), ...after } };
}

export interface HookStyle {
  client: string;
  /** Events, each with the pattern of its tools (empty: all). Default: those of Claude Code's naming. */
  events?: Readonly<Record<string, string>>;
  /** One object a hook. Default: Claude Code's nesting, where each hook says that it is a command. */
  isFlat?: boolean;
  /** In the client's unit: seconds or milliseconds. Default: 10. */
  timeout?: number;
  name?: string;
}

export function hookPieces(style: HookStyle, launch: Launch): Piece[] {
  const { client, events = CLAUDE_NAMED, isFlat = false, timeout = 10, name } = style;
  const command = launchLine(launch, "hook", "--client", client);
  return Object.entries(events).map(([event, matcher]): Piece => {
    const hook = { ...(!isFlat && { type: "command" }), ...(name && { name }), command, timeout };
    const value = { ...(matcher !== "" && { matcher }), ...(isFlat ? hook : { hooks: [hook] }) };
    return { kind: "item", path: ["hooks", event], value };
  });
}

export const CLAUDE_NAMED: Readonly<Record<string, string>> = {
  SessionStart: "",
  SubagentStart: "",
  UserPromptSubmit: "",
  PreToolUse: "",
  PreCompact: "",
  Stop: "",
  SessionEnd: "",
};

/** `permissions.deny` for records, `permissions.ask` for stores and any repository's `.heed`. */
export function editRulePieces(
  { records, stores }: ProtectedFolders,
  home: string,
  more: readonly string[] = [],
): Piece[] {
  const edit = (folder: string): string => `Edit(${rulePath(folder, home)}/**)`;
  return [
    ...itemPieces(["permissions", "deny"], records.map(edit)),
    ...itemPieces(["permissions", "ask"], [...stores.map(edit), "Edit(**/.heed/**)", ...more]),
  ];
}

export const itemPieces = (path: readonly string[], values: readonly string[]): Piece[] =>
  values.map((value) => ({ kind: "item", path, value }));

/** A folder as Claude Code's rules name it: `~/…` below home, else `//…` from the root. */
function rulePath(folder: string, home: string): string {
  const path = slashed(folder).replace(/^([A-Za-z]):/, (_, drive: string) => `/${drive.toLowerCase()}`);
  const base = `${slashed(home)}/`;
  return path.startsWith(base) ? `~/${path.slice(base.length)}` : `/${path}`;
}

/** A text or list of texts in TOML; JSON's escapes are TOML's too. */
export function tomlValue(value: string | readonly string[]): string {
  return Array.isArray(value) ? `[${value.map(tomlValue).join(", ")}]` : JSON.stringify(value);
}

/** Why heed leaves a client's file as it is. */
export class EditRefusal extends Error {
  constructor(why: string) {
    super(why);
    this.name = "EditRefusal";
  }
}
