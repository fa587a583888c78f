import { withOneCommand } from "../../../guard/tools.ts";
import {
  CLAUDE_EVENTS,
  type Adapter,
  type EventKind,
  type Fields,
  fieldsIn,
  contextAs,
  hasTranscriptIn,
  textIn,
} from "./adapter.ts";

/**
 * Copilot CLI, with event names as Claude Code writes them: under its own (`sessionStart`) the event does not say what
 * it is. Context counts at the top level alone; under `hookSpecificOutput` it is dropped without a word.
 */
export const copilot: Adapter = {
  client: "copilot",
  isSpokenIn: (fields) =>
    textIn(fields, "initial_prompt") !== undefined || hasTranscriptIn(fields, "/.copilot/session-state/"),
  env: ["COPILOT_CLI"],
  events: CLAUDE_EVENTS,
  context: ["session-start", "prompt"],
  decides: "deny",
  runsOthersHooks: true,
  reply({ context, decision }) {
    if (decision) return { permissionDecision: decision.action, permissionDecisionReason: decision.reason };
    return contextAs("additionalContext", { context });
  },
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
      return { permission: action, user_message: reason, agent_message: reason };
    }
    return contextAs("additional_context", { context });
  },
};

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? (value[0] as unknown) : undefined;
}

const CLINE_EVENTS: Readonly<Record<string, EventKind>> = {
  TaskStart: "session-start",
  TaskResume: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "tool-use",
  PreCompact: "compaction",
  TaskComplete: "stop",
  TaskCancel: "session-end",
  SessionShutdown: "session-end",
};

/** Names under which Cline's messages say what happened, where the hook's file name is not known. */
const CLINE_INTERNAL: Readonly<Record<string, string>> = {
  agent_start: "TaskStart",
  tool_call: "PreToolUse",
  agent_end: "TaskComplete",
  session_shutdown: "SessionShutdown",
};

/**
 * Cline. A refusal (`cancel`) ends the whole run there, so guards only tell. What is told at the start of a task is not
 * used by the command line; what is told at the first tool use is.
 */
export const cline: Adapter = {
  client: "cline",
  isSpokenIn: (fields) => typeof fields["clineVersion"] === "string",
  events: CLINE_EVENTS,
  read(fields) {
    const internal = textIn(fields, "hookName") ?? "";
    // The older field has a list as text.
    const call = fieldsIn(fields, "tool_call") ?? fieldsIn(fields, "preToolUse");
    const workspace = fieldsIn(fields, "workspaceInfo");
    const roots = fields["workspaceRoots"];
    const session = textIn(fieldsIn(fields, "sessionContext") ?? {}, "rootSessionId") ?? fields["taskId"];
    return {
      hook_event_name: CLINE_INTERNAL[internal] ?? internal,
      ...fields,
      session_id: session,
      transcript_path: typeof session === "string" ? transcriptOf(session) : undefined,
      // Every agent has an id, the main one too.
      agent_id: textIn(fields, "parent_agent_id") && fields["agent_id"],
      last_assistant_message: textIn(fieldsIn(fields, "turn") ?? {}, "outputText"),
      cwd: textIn(workspace ?? {}, "rootPath") ?? (Array.isArray(roots) ? (roots[0] as unknown) : undefined),
      source: internal === "TaskResume" ? "resume" : "startup",
      prompt: textIn(fieldsIn(fields, "userPromptSubmit") ?? {}, "prompt"),
      tool_name: call && (textIn(call, "toolName") ?? textIn(call, "tool") ?? textIn(call, "name")),
      tool_input: call && inputOf(call),
    };
  },
  context: ["tool-use"],
  decides: "none",
  reply: (answer) => contextAs("contextModification", answer, { cancel: false, errorMessage: "" }),
};

/** Where its command line keeps the messages of a session; its messages to hooks do not say it. */
function transcriptOf(session: string): string | undefined {
  const home = process.env["HOME"];
  if (home === undefined || !/^[\w-]+$/.test(session)) return undefined;
  return `${home}/.cline/data/sessions/${session}/${session}.messages.json`;
}

function inputOf(call: Fields): unknown {
  const input = call["parameters"] ?? call["input"];
  return typeof input === "object" && input !== null ? withOneCommand(input as Fields) : input;
}

/**
 * Clients that load JavaScript: heed's plugin in them asks this hook, in Claude Code's field names, and acts on a plain
 * answer. It names its client by `--client`.
 */
const pluginAdapter = (client: string): Adapter => ({
  client,
  events: CLAUDE_EVENTS,
  context: ["session-start", "prompt", "tool-failure"],
  decides: "deny",
  reply: ({ context, decision, notice }) => ({ context, deny: decision?.reason, notice }),
});

export const plugins: readonly Adapter[] = ["opencode", "kilo", "pi"].map(pluginAdapter);
