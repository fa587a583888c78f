import type { EventKind } from "./dialect.ts";

/** The events of Claude Code that heed answers; several clients took the names over. */
export const CLAUDE_EVENTS: Readonly<Record<string, EventKind>> = {
  SessionStart: "session-start",
  SubagentStart: "subagent-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "tool-use",
  PostToolUseFailure: "tool-failure",
  PreCompact: "compaction",
  Stop: "stop",
  SessionEnd: "session-end",
};

/** The kinds of events in whose answer Claude Code takes context. */
export const CLAUDE_CONTEXT: readonly EventKind[] = [
  "session-start",
  "subagent-start",
  "prompt",
  "tool-use",
  "tool-failure",
];
