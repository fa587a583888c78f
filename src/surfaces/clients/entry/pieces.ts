import type { Launch, Piece } from "./client.ts";

/** A command line for clients that give their hooks to a shell. */
export function launchLine({ command, args }: Launch, ...more: readonly string[]): string {
  return [command, ...args, ...more].map(shellWord).join(" ");
}

/** Double quotes are known to every shell that clients use. */
function shellWord(word: string): string {
  return /^[\w./:@\\-]+$/.test(word) ? word : `"${word.replace(/(["$`])/g, "\\$1")}"`;
}

/** The command of heed's server. */
export function serverCommand(
  { command, args }: Launch,
  ...more: readonly string[]
): {
  command: string;
  args: string[];
} {
  return { command, args: [...args, "mcp", ...more] };
}

/** heed's server as an entry of a JSON object, as nearly every client writes it. */
export function serverPiece(
  path: readonly string[],
  launch: Launch,
  {
    before = {},
    after = {},
    flags = [],
  }: { before?: object; after?: object; flags?: readonly string[] } = {},
): Piece {
  const value = { ...before, ...serverCommand(launch, ...flags), ...after };
  return { kind: "json-value", path: [...path, "heed"], value };
}

/** How a client wants its hooks written. */
export interface HookStyle {
  /** `heed hook --client NAME`. */
  client: string;
  /** Keys above the events. Default: `hooks`. */
  path?: readonly string[];
  /** Events, each with the pattern of tools for which it is wanted; empty: all. Default: those of Claude Code's naming. */
  events?: Readonly<Record<string, string>>;
  /** One object a hook. Default: Claude Code's nesting, where each hook says that it is a command. */
  isFlat?: boolean;
  /** In the client's unit: some take seconds, some milliseconds. Default: 10. */
  timeout?: number;
  name?: string;
}

/** heed's hooks as items of a client's lists, one an event. */
export function hookPieces(style: HookStyle, launch: Launch): Piece[] {
  const { client, path = ["hooks"], events = CLAUDE_NAMED, isFlat = false, timeout = 10, name } = style;
  const command = launchLine(launch, "hook", "--client", client);
  return Object.entries(events).map(([event, matcher]): Piece => {
    const hook = { ...(!isFlat && { type: "command" }), ...(name && { name }), command, timeout };
    const wanted = matcher === "" ? {} : { matcher };
    return {
      kind: "json-item",
      path: [...path, event],
      value: isFlat ? { ...wanted, ...hook } : { ...wanted, hooks: [hook] },
    };
  });
}

/** A JSON file that is heed's alone. */
export function jsonFile(value: unknown): Piece {
  return { kind: "file", text: `${JSON.stringify(value, null, 2)}\n` };
}

/** The events of Claude Code's naming, for every tool. */
export const CLAUDE_NAMED: Readonly<Record<string, string>> = {
  SessionStart: "",
  SubagentStart: "",
  UserPromptSubmit: "",
  PreToolUse: "",
  PreCompact: "",
  Stop: "",
  SessionEnd: "",
};

/** A text or list of texts in TOML; JSON's escapes are TOML's too. */
export function tomlValue(value: string | number | readonly string[]): string {
  return Array.isArray(value)
    ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]`
    : JSON.stringify(value);
}
