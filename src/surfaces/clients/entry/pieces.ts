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

/** A client's hooks, as its file writes them. */
interface HookStyle {
  /** `heed hook --client NAME`; absent where other clients run the same file. */
  client?: string;
  /** Keys above the events. */
  path: readonly string[];
  /** Events, each with the pattern of tools for which it is wanted; empty: all. */
  events: Readonly<Record<string, string>>;
  /** `groups`: Claude Code's nesting; `flat`: one object a hook. */
  shape: "groups" | "flat";
  /** In the client's unit: some take seconds, some milliseconds. */
  timeout: number;
  /** Further keys of each hook. */
  more?: object;
  /** Keys that come before the command; `{ type: "command" }` where a client wants it. */
  lead?: object;
}

/** heed's hooks as items of a client's lists, one an event. */
export function hookPieces(style: HookStyle, launch: Launch): Piece[] {
  const words = style.client === undefined ? [] : ["--client", style.client];
  const command = launchLine(launch, "hook", ...words);
  return Object.entries(style.events).map(([event, matcher]): Piece => {
    const hook = { ...style.lead, command, timeout: style.timeout, ...style.more };
    const wanted = matcher === "" ? {} : { matcher };
    const value = style.shape === "flat" ? { ...wanted, ...hook } : { ...wanted, hooks: [hook] };
    return { kind: "json-item", path: [...style.path, event], value };
  });
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
