import {
  CLAUDE_CONTEXT,
  CLAUDE_EVENTS,
  type Adapter,
  type EventKind,
  type Fields,
  fieldsIn,
  hasTranscriptIn,
  nestedReply,
  nestedReplyAlone,
  textIn,
} from "./adapter.ts";

/** Claude Code. PreCompact and SessionEnd refuse context (an error for the user); on Stop it would make the model go on. */
export const claudeCode: Adapter = {
  client: "claude-code",
  title: "Claude Code",
  // Nothing is its own: five other clients set CLAUDE_PROJECT_DIR and use its field names. What no mark tells is its.
  isSpokenIn: () => false,
  env: [],
  events: CLAUDE_EVENTS,
  context: [...CLAUDE_CONTEXT, "tool-result"],
  decides: "ask",
  tellsResult: () => true,
  sendsBack: "live",
  reply: nestedReply,
  keepsTranscripts: true,
  seen: "live",
};

/** Codex. A key that it does not know fails the whole hook; a question before a tool use counts as one. */
export const codex: Adapter = {
  client: "codex",
  title: "Codex CLI",
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
  keepsTranscripts: true,
  seen: "live",
  remarks: [
    "New hooks wait until you trust them: type `/hooks` in Codex once.",
    "Context comes as a developer message, after the prompt.",
  ],
};

/** Factory Droid. It has no event for a failed call; the result of each one tells. */
export const droid: Adapter = {
  client: "droid",
  title: "Factory Droid",
  isSpokenIn: (fields) => hasTranscriptIn(fields, "/.factory/sessions/"),
  env: ["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR"],
  events: { ...CLAUDE_EVENTS, PostToolUse: "tool-failure" },
  read(fields) {
    const output = textIn(fields, "tool_response") ?? "";
    const hasFailed = /\[Process exited with code [1-9]\d*\]\s*$/.test(output);
    return { ...fields, ...(hasFailed && { error: output }) };
  },
  context: ["session-start", "prompt", "tool-use", "tool-failure"],
  decides: "deny",
  tellsResult: (tool) => tool === "Bash",
  reply: nestedReply,
  seen: "live",
  remarks: ["`droid exec` does not tell of prompts, so facts come there by the map and the tools alone."],
};

/** Kimi Code. It would show nested JSON on a prompt to the model as JSON, so context goes into `message`. */
export const kimi: Adapter = {
  client: "kimi",
  title: "Kimi Code",
  isSpokenIn: (fields) => (textIn(fields, "client_type") ?? "").startsWith("kimi"),
  env: [],
  // The start of a session has no channel to the model: rules and map come with the first prompt (see startsLate).
  events: CLAUDE_EVENTS,
  read: (fields) => ({ ...fields, prompt: promptOf(fields["prompt"]) }),
  context: ["prompt"],
  decides: "deny",
  reply(answer, event) {
    if (answer.decision) return nestedReplyAlone({ decision: answer.decision }, event);
    return answer.context === undefined ? undefined : { stdout: { message: answer.context } };
  },
  seen: "live",
};

function promptOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.flatMap((part: unknown) => textIn(part as Fields, "text") ?? []).join("\n");
}

/** The agent of VS Code: it also runs Claude Code's and Copilot CLI's hooks. */
export const vscode: Adapter = {
  client: "vscode",
  title: "VS Code",
  isSpokenIn: (fields) => textIn(fields, "hookEventName") !== undefined,
  env: [],
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
  seen: "documents",
};

const EVENTS: Readonly<Record<string, EventKind>> = {
  SessionStart: "session-start",
  BeforeAgent: "prompt",
  BeforeTool: "tool-use",
  AfterTool: "tool-failure",
  AfterAgent: "stop",
  SessionEnd: "session-end",
};

/** Gemini CLI. PreCompress also comes when nothing is compressed, so it says nothing. */
export const gemini: Adapter = {
  client: "gemini",
  title: "Gemini CLI",
  isSpokenIn: (fields) =>
    /^(?:Before|After)(?:Agent|Tool)$/.test(textIn(fields, "hook_event_name") ?? "") ||
    hasTranscriptIn(fields, "/.gemini/tmp/"),
  // Qwen Code, its fork, sets GEMINI_PROJECT_DIR too, but not this.
  env: ["GEMINI_SESSION_ID"],
  events: EVENTS,
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
  sendsBack: "documents",
  reply(answer, event) {
    const { decision, sendBack } = answer;
    if (sendBack !== undefined) return { stdout: { decision: "deny", reason: sendBack } };
    if (decision) return { stdout: { decision: decision.action, reason: decision.reason } };
    return nestedReply(answer, event);
  },
  runsOthersHooks: true,
  keepsTranscripts: true,
  seen: "live",
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
  title: "Qwen Code",
  isSpokenIn: (fields) => hasTranscriptIn(fields, "/.qwen/projects/"),
  env: ["QWEN_CODE_SESSION_ID"],
  events: CLAUDE_EVENTS,
  context: CLAUDE_CONTEXT,
  decides: "deny",
  reply: nestedReply,
  keepsTranscripts: true,
  seen: "live",
};
