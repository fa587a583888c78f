import {
  CLAUDE_CONTEXT,
  CLAUDE_EVENTS,
  type Adapter,
  type Fields,
  contextAs,
  fieldsIn,
  hasTranscriptIn,
  nestedReply,
  nestedReplyAlone,
  textIn,
} from "./adapter.ts";

/** Claude Code. PreCompact and SessionEnd refuse context (an error for the user); on Stop it would make the model go on. */
export const claudeCode: Adapter = {
  client: "claude-code",
  // Nothing is its own: five other clients set CLAUDE_PROJECT_DIR and use its field names. What no mark tells is its.
  events: CLAUDE_EVENTS,
  context: [...CLAUDE_CONTEXT, "tool-result"],
  decides: "ask",
  tellsResult: () => true,
  sendsBack: true,
  reply: nestedReply,
};

/** Codex. A key that it does not know fails the whole hook; a question before a tool use counts as one. */
export const codex: Adapter = {
  client: "codex",
  isSpokenIn: (fields) =>
    textIn(fields, "turn_id") !== undefined ||
    hasTranscriptIn(fields, "/.codex/sessions/") ||
    hasTranscriptIn(fields, "/rollout-"),
  env: ["CODEX_MANAGED_BY_NPM", "CODEX_MANAGED_PACKAGE_ROOT"],
  events: CLAUDE_EVENTS,
  context: ["session-start", "subagent-start", "prompt", "tool-use"],
  decides: "deny",
  reply: nestedReplyAlone,
  runsOthersHooks: true,
};

/** Factory Droid. It has no event for a failed call; the result of each one tells. */
export const droid: Adapter = {
  client: "droid",
  isSpokenIn: (fields) => hasTranscriptIn(fields, "/.factory/sessions/"),
  env: ["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR"],
  events: { ...CLAUDE_EVENTS, PostToolUse: "tool-failure" },
  read(fields) {
    const output = textIn(fields, "tool_response") ?? "";
    const hasFailed = /\[Process exited with code [1-9]\d*\]\s*$/.test(output);
    return hasFailed ? { ...fields, error: output } : fields;
  },
  context: ["session-start", "prompt", "tool-use", "tool-failure"],
  decides: "deny",
  tellsResult: (tool) => tool === "Bash",
  reply: nestedReply,
};

/** Kimi Code. It would show nested JSON on a prompt to the model as JSON, so context goes into `message`. */
export const kimi: Adapter = {
  client: "kimi",
  isSpokenIn: (fields) => (textIn(fields, "client_type") ?? "").startsWith("kimi"),
  // The start of a session has no channel to the model: rules and map come with the first prompt (see startsLate).
  events: CLAUDE_EVENTS,
  read: (fields) => ({ ...fields, prompt: promptOf(fields["prompt"]) }),
  context: ["prompt"],
  decides: "deny",
  reply(answer, event) {
    if (answer.decision) return nestedReplyAlone({ decision: answer.decision }, event);
    return contextAs("message", answer);
  },
};

function promptOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.flatMap((part: unknown) => textIn(part as Fields, "text") ?? []).join("\n");
}

/** The agent of VS Code: it also runs Claude Code's and Copilot CLI's hooks. */
export const vscode: Adapter = {
  client: "vscode",
  isSpokenIn: (fields) => textIn(fields, "hookEventName") !== undefined,
  events: CLAUDE_EVENTS,
  read: (fields) => ({
    ...fields,
    hook_event_name: fields["hookEventName"],
    session_id: fields["sessionId"],
  }),
  context: ["session-start", "subagent-start", "tool-use"],
  decides: "deny",
  runsOthersHooks: true,
  reply: nestedReply,
};

/** Gemini CLI. PreCompress also comes when nothing is compressed, so it says nothing. */
export const gemini: Adapter = {
  client: "gemini",
  isSpokenIn: (fields) =>
    /^(?:Before|After)(?:Agent|Tool)$/.test(textIn(fields, "hook_event_name") ?? "") ||
    hasTranscriptIn(fields, "/.gemini/tmp/"),
  // Qwen Code, its fork, sets GEMINI_PROJECT_DIR too, but not this.
  env: ["GEMINI_SESSION_ID"],
  events: {
    SessionStart: "session-start",
    BeforeAgent: "prompt",
    BeforeTool: "tool-use",
    AfterTool: "tool-failure",
    AfterAgent: "stop",
    SessionEnd: "session-end",
  },
  read(fields) {
    const response = fieldsIn(fields, "tool_response");
    return {
      ...fields,
      last_assistant_message: fields["prompt_response"],
      ...(response && { error: failureOf(response) }),
    };
  },
  context: ["session-start", "prompt", "tool-failure"],
  decides: "deny",
  tellsResult: (tool) => tool === "Bash" || tool.startsWith("mcp_"),
  sendsBack: true,
  reply(answer, event) {
    const { decision, sendBack } = answer;
    if (sendBack !== undefined) return { decision: "deny", reason: sendBack };
    if (decision) return { decision: decision.action, reason: decision.reason };
    return nestedReply(answer, event);
  },
  runsOthersHooks: true,
};

/** The words of a failed call: an error, or the output of a command that ended with another code than 0. */
function failureOf(response: Fields): string | undefined {
  const error = response["error"];
  if (typeof error === "string") return error;
  const message = textIn(fieldsIn(response, "error") ?? {}, "message");
  const output = textIn(response, "llmContent") ?? "";
  return message ?? (/(?:^|\n)Exit Code: [1-9]/.test(output) ? output : undefined);
}

/** Qwen Code: Gemini CLI's tools under Claude Code's events. After each tool's result it sends an empty prompt. */
export const qwen: Adapter = {
  client: "qwen",
  isSpokenIn: (fields) => hasTranscriptIn(fields, "/.qwen/projects/"),
  env: ["QWEN_CODE_SESSION_ID"],
  events: CLAUDE_EVENTS,
  context: CLAUDE_CONTEXT,
  decides: "deny",
  reply: nestedReply,
};
