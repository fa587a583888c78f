import type { Launch, Piece } from "./client.ts";
import { launchLine } from "./launch-line.ts";

/** A client's hooks, as its file writes them. */
export interface HookStyle {
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
