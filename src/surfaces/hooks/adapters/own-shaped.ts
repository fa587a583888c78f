import {
  CLAUDE_EVENTS,
  type Adapter,
  type EventKind,
  type Fields,
  fieldsIn,
  hasTranscriptIn,
  textIn,
} from "./adapter.ts";

/**
 * Copilot CLI, with event names as Claude Code writes them: under its own (`sessionStart`) the event does not say what
 * it is. Context counts at the top level alone; under `hookSpecificOutput` it is dropped without a word.
 */
export const copilot: Adapter = {
  client: "copilot",
  title: "Copilot CLI",
  isSpokenIn: (fields) =>
    textIn(fields, "initial_prompt") !== undefined || hasTranscriptIn(fields, "/.copilot/session-state/"),
  env: ["COPILOT_CLI"],
  events: CLAUDE_EVENTS,
  context: ["session-start", "prompt"],
  decides: "deny",
  runsOthersHooks: true,
  reply({ context, decision }) {
    if (decision)
      return {
        stdout: { permissionDecision: decision.action, permissionDecisionReason: decision.reason },
      };
    return context === undefined ? undefined : { stdout: { additionalContext: context } };
  },
  keepsTranscripts: true,
  seen: "live",
};

/** Crush: one event in all releases. An explicit allow would skip its own question, so heed never gives one. */
export const crush: Adapter = {
  client: "crush",
  title: "Crush",
  isSpokenIn: () => false,
  env: ["CRUSH_EVENT", "CRUSH_PROJECT_DIR"],
  events: { PreToolUse: "tool-use", PreCompact: "compaction", Stop: "stop" },
  read: (fields) => ({ ...fields, hook_event_name: fields["event"] ?? fields["hook_event_name"] }),
  context: ["tool-use"],
  decides: "deny",
  reply({ context, decision }) {
    if (decision) return { stdout: { version: 1, decision: "deny", reason: decision.reason } };
    return context === undefined ? undefined : { stdout: { version: 1, context } };
  },
  seen: "documents",
};

const CURSOR_EVENTS: Readonly<Record<string, EventKind>> = {
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
export const cursor: Adapter = {
  client: "cursor",
  title: "Cursor",
  isSpokenIn: (fields) =>
    textIn(fields, "cursor_version") !== undefined || textIn(fields, "generation_id") !== undefined,
  env: ["CURSOR_VERSION"],
  events: CURSOR_EVENTS,
  read: (fields) => ({
    ...fields,
    session_id: textIn(fields, "conversation_id") ?? fields["session_id"],
    cwd: textIn(fields, "cwd") ?? firstOf(fields["workspace_roots"]),
    error: textIn(fields, "error") ?? fields["error_message"],
  }),
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

/** Goose: hooks stop tools and tell heed what happens; nothing that they say reaches the model. */
export const goose: Adapter = {
  client: "goose",
  title: "Goose",
  isSpokenIn: (fields) =>
    textIn(fields, "event") !== undefined && textIn(fields, "working_dir") !== undefined,
  env: [],
  events: {
    SessionStart: "session-start",
    UserPromptSubmit: "prompt",
    PreToolUse: "tool-use",
    Stop: "stop",
    SessionEnd: "session-end",
  },
  read: (fields) => ({
    ...fields,
    hook_event_name: fields["event"],
    cwd: fields["working_dir"],
    prompt: fields["message"],
  }),
  context: [],
  decides: "deny",
  reply: ({ decision }) => decision && { stdout: { decision: "block", reason: decision.reason } },
  seen: "documents",
};

const TOOLS: Readonly<Record<string, string>> = {
  pre_run_command: "Bash",
  pre_write_code: "Edit",
  pre_read_code: "Read",
};
const WINDSURF_EVENTS: Readonly<Record<string, EventKind>> = {
  pre_user_prompt: "prompt",
  pre_run_command: "tool-use",
  pre_write_code: "tool-use",
  pre_read_code: "tool-use",
  pre_mcp_tool_use: "tool-use",
  post_cascade_response: "stop",
};

/** Windsurf (Devin Desktop): a refusal is exit code 2 with the reason on stderr; nothing else reaches the model. */
export const windsurf: Adapter = {
  client: "windsurf",
  title: "Windsurf",
  isSpokenIn: (fields) => textIn(fields, "agent_action_name") !== undefined,
  env: [],
  events: WINDSURF_EVENTS,
  read(fields) {
    const event = textIn(fields, "agent_action_name") ?? "";
    const info = fieldsIn(fields, "tool_info") ?? {};
    return {
      hook_event_name: event,
      session_id: fields["trajectory_id"],
      cwd: textIn(info, "cwd"),
      prompt: info["user_prompt"],
      tool_name: TOOLS[event] ?? mcpToolOf(info),
      tool_input: { ...info, ...(info["command_line"] !== undefined && { command: info["command_line"] }) },
      last_assistant_message: info["response"],
    };
  },
  context: [],
  decides: "deny",
  reply: ({ decision }) => decision && { stderr: decision.reason, exitCode: 2 },
  seen: "documents",
};

function mcpToolOf(info: Fields): string {
  return `mcp__${textIn(info, "mcp_server_name") ?? "server"}__${textIn(info, "mcp_tool_name") ?? "tool"}`;
}
