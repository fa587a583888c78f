/** The rule and the guard that a throwaway home holds, and the call that the guard forbids. */
export const SAMPLE_RULE = "never print the word sesame";
const FORBIDDEN_COMMAND = "echo sesame";

/** A message of a client's, with the event where the message does not name it. */
export interface SampleEvent {
  raw: object;
  event?: string;
}

const base = (cwd: string): object => ({ session_id: "doctor", cwd });
const named = (name: string, more: object = {}): ((cwd: string) => SampleEvent) => {
  return (cwd) => ({ raw: { ...base(cwd), hook_event_name: name, ...more } });
};
const SHELL = { tool_input: { command: FORBIDDEN_COMMAND } };

/** What opens a context in a client's own shape, and what asks before a tool; as real clients write them, shortened. */
interface Samples {
  /** Absent where nothing that a hook says reaches the model. */
  opening?: (cwd: string) => SampleEvent;
  tool: (cwd: string) => SampleEvent;
}

const claudeShaped: Samples = {
  opening: named("SessionStart", { source: "startup" }),
  tool: named("PreToolUse", { tool_name: "Bash", ...SHELL }),
};
const cline = (cwd: string): SampleEvent => ({
  raw: {
    clineVersion: "",
    hookName: "tool_call",
    sessionContext: { rootSessionId: "doctor" },
    workspaceRoots: [cwd],
    parent_agent_id: null,
    tool_call: { name: "run_commands", input: { commands: [FORBIDDEN_COMMAND] } },
  },
  event: "PreToolUse",
});
const cursor =
  (name: string, more: object) =>
  (cwd: string): SampleEvent => ({
    raw: {
      conversation_id: "doctor",
      generation_id: "1",
      cursor_version: "2.0",
      workspace_roots: [cwd],
      hook_event_name: name,
      ...more,
    },
  });

/** By client; those that are not here have no hooks. */
export const SAMPLES: Readonly<Record<string, Samples>> = {
  "claude-code": claudeShaped,
  codex: {
    opening: named("SessionStart", {
      source: "startup",
      transcript_path: "/.codex/sessions/rollout-doctor.jsonl",
    }),
    tool: named("PreToolUse", { turn_id: "1", tool_name: "Bash", ...SHELL }),
  },
  gemini: {
    opening: named("SessionStart", { source: "startup", transcript_path: "/.gemini/tmp/p/chats/s.jsonl" }),
    tool: named("BeforeTool", { tool_name: "run_shell_command", ...SHELL }),
  },
  copilot: claudeShaped,
  vscode: {
    opening: (cwd) => ({ raw: { sessionId: "doctor", cwd, hookEventName: "SessionStart", source: "new" } }),
    tool: (cwd) => ({
      raw: { sessionId: "doctor", cwd, hookEventName: "PreToolUse", tool_name: "run_in_terminal", ...SHELL },
    }),
  },
  cursor: {
    opening: cursor("sessionStart", {}),
    tool: cursor("preToolUse", { tool_name: "Shell", ...SHELL }),
  },
  qwen: {
    opening: named("SessionStart", { source: "startup", transcript_path: "/.qwen/projects/p/chats/s.jsonl" }),
    tool: named("PreToolUse", {
      transcript_path: "/.qwen/projects/p/chats/s.jsonl",
      tool_name: "run_shell_command",
      ...SHELL,
    }),
  },
  opencode: { ...claudeShaped, tool: named("PreToolUse", { tool_name: "bash", ...SHELL }) },
  kilo: { ...claudeShaped, tool: named("PreToolUse", { tool_name: "bash", ...SHELL }) },
  pi: { ...claudeShaped, tool: named("PreToolUse", { tool_name: "bash", ...SHELL }) },
  amp: claudeShaped,
  cline: { opening: cline, tool: cline },
  droid: {
    opening: named("SessionStart", { source: "startup", transcript_path: "/.factory/sessions/p/s.jsonl" }),
    tool: named("PreToolUse", {
      transcript_path: "/.factory/sessions/p/s.jsonl",
      tool_name: "Execute",
      ...SHELL,
    }),
  },
  kimi: {
    opening: named("UserPromptSubmit", {
      client_type: "kimi",
      prompt: [{ type: "text", text: "hello there" }],
    }),
    tool: named("PreToolUse", { client_type: "kimi", tool_name: "Shell", ...SHELL }),
  },
  goose: {
    tool: (cwd) => ({
      raw: {
        event: "PreToolUse",
        session_id: "doctor",
        working_dir: cwd,
        tool_name: "developer__shell",
        ...SHELL,
      },
    }),
  },
  crush: {
    opening: (cwd) => ({ raw: { ...base(cwd), event: "PreToolUse", tool_name: "bash", ...SHELL } }),
    tool: (cwd) => ({ raw: { ...base(cwd), event: "PreToolUse", tool_name: "bash", ...SHELL } }),
  },
  windsurf: {
    tool: (cwd) => ({
      raw: {
        agent_action_name: "pre_run_command",
        trajectory_id: "doctor",
        tool_info: { command_line: FORBIDDEN_COMMAND, cwd },
      },
    }),
  },
};
