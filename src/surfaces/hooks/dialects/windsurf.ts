import type { Dialect, EventKind, Fields } from "./dialect.ts";
import { fieldsIn, textIn } from "./dialect.ts";

const TOOLS: Readonly<Record<string, string>> = {
  pre_run_command: "Bash",
  pre_write_code: "Edit",
  pre_read_code: "Read",
};
const EVENTS: Readonly<Record<string, EventKind>> = {
  pre_user_prompt: "prompt",
  pre_run_command: "tool-use",
  pre_write_code: "tool-use",
  pre_read_code: "tool-use",
  pre_mcp_tool_use: "tool-use",
  post_cascade_response: "stop",
};

/** Windsurf (Devin Desktop): a refusal is exit code 2 with the reason on stderr; nothing else reaches the model. */
export const windsurf: Dialect = {
  client: "windsurf",
  title: "Windsurf",
  isSpokenIn: (fields) => textIn(fields, "agent_action_name") !== undefined,
  env: [],
  events: EVENTS,
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
