import { type Launch, type Piece, type ProtectedFolders, slashed } from "./client.ts";

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
  return {
    kind: "json-value",
    path: [key, "heed"],
    value: { ...before, ...serverCommand(launch), ...after },
  };
}

export interface HookStyle {
  /** `heed hook --client NAME`. */
  client: string;
  /** Keys above the events. Default: `hooks`. */
  path?: readonly string[];
  /** Events, each with the pattern of its tools (empty: all). Default: those of Claude Code's naming. */
  events?: Readonly<Record<string, string>>;
  /** One object a hook. Default: Claude Code's nesting, where each hook says that it is a command. */
  isFlat?: boolean;
  /** In the client's unit: seconds or milliseconds. Default: 10. */
  timeout?: number;
  name?: string;
}

export function hookPieces(style: HookStyle, launch: Launch): Piece[] {
  const { client, path = ["hooks"], events = CLAUDE_NAMED, isFlat = false, timeout = 10, name } = style;
  const command = launchLine(launch, "hook", "--client", client);
  return Object.entries(events).map(([event, matcher]): Piece => {
    const hook = { ...(!isFlat && { type: "command" }), ...(name && { name }), command, timeout };
    const value = { ...(matcher !== "" && { matcher }), ...(isFlat ? hook : { hooks: [hook] }) };
    return { kind: "json-item", path: [...path, event], value };
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
  const asked = [...stores.map(edit), "Edit(**/.heed/**)", ...more];
  return [
    { kind: "json-values", path: ["permissions", "deny"], values: records.map(edit) },
    { kind: "json-values", path: ["permissions", "ask"], values: asked },
  ];
}

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
