import type { Dialect, EventKind } from "./dialect.ts";
import { textIn } from "./dialect.ts";

const EVENTS: Readonly<Record<string, EventKind>> = {
  sessionStart: "session-start",
  beforeSubmitPrompt: "prompt",
  preToolUse: "tool-use",
  postToolUseFailure: "tool-failure",
  preCompact: "compaction",
  stop: "stop",
  sessionEnd: "session-end",
  // As Claude Code's files name them, which it runs too.
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "tool-use",
  PreCompact: "compaction",
  Stop: "stop",
  SessionEnd: "session-end",
};

/** Cursor. Over 10,000 characters it drops the whole context. */
export const cursor: Dialect = {
  client: "cursor",
  title: "Cursor",
  isSpokenIn: (fields) =>
    textIn(fields, "cursor_version") !== undefined || textIn(fields, "generation_id") !== undefined,
  env: ["CURSOR_VERSION"],
  events: EVENTS,
  read: (fields) => ({
    ...fields,
    session_id: textIn(fields, "conversation_id") ?? fields["session_id"],
    cwd: textIn(fields, "cwd") ?? firstOf(fields["workspace_roots"]),
    error: textIn(fields, "error") ?? fields["error_message"],
  }),
  tools: { Shell: "Bash" },
  context: ["session-start", "prompt", "tool-use", "tool-failure"],
  decides: "deny",
  runsOthersHooks: true,
  reply({ context, decision }, { kind }) {
    if (kind === "tool-use" && decision) {
      const { action, reason } = decision;
      return { stdout: { permission: action, user_message: reason, agent_message: reason } };
    }
    return context === undefined ? undefined : { stdout: { additional_context: context } };
  },
  seen: "package",
  remarks: ["Facts on a prompt: in the engine since 1.0.18; the window's version may lag behind."],
};

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? (value[0] as unknown) : undefined;
}
