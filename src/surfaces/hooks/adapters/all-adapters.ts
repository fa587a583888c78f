import {
  CLAUDE_CONTEXT,
  CLAUDE_EVENTS,
  type Adapter,
  type EventKind,
  type Fields,
  fieldsIn,
  nestedReply,
  textIn,
} from "./adapter.ts";

/** What most clients took over from Claude Code. */
const CLAUDE_LIKE = {
  events: CLAUDE_EVENTS,
  context: CLAUDE_CONTEXT,
  decides: "deny",
  reply: nestedReply,
} as const;

/** Claude Code. PreCompact and SessionEnd refuse context (an error for the user); on Stop it would make the model go on. */
const claudeCode: Adapter = {
  ...CLAUDE_LIKE,
  client: "claude-code",
  // Nothing is its own: five other clients set CLAUDE_PROJECT_DIR and use its field names. What no mark tells is its.
  context: [...CLAUDE_CONTEXT, "tool-result"],
  decides: "ask",
  tellsResult: () => true,
  sendsBack: true,
};

/** Codex. A key that it does not know fails the whole hook; a question before a tool use counts as one. */
const codex: Adapter = {
  ...CLAUDE_LIKE,
  client: "codex",
  marks: ["turn_id"],
  transcripts: ["/.codex/sessions/", "/rollout-"],
  env: ["CODEX_MANAGED_BY_NPM", "CODEX_MANAGED_PACKAGE_ROOT"],
  context: ["session-start", "subagent-start", "prompt", "tool-use"],
  reply: (answer, event) => nestedReply({ ...answer, notice: undefined }, event),
  runsOthersHooks: true,
};

/** The agent of VS Code: it also runs Claude Code's and Copilot CLI's hooks. */
const vscode: Adapter = {
  ...CLAUDE_LIKE,
  client: "vscode",
  marks: ["hookEventName"],
  read: (fields) => ({
    ...fields,
    hook_event_name: fields["hookEventName"],
    session_id: fields["sessionId"],
  }),
  context: ["session-start", "subagent-start", "tool-use"],
  runsOthersHooks: true,
};

/** Gemini CLI. PreCompress also comes when nothing is compressed, so it says nothing. */
const gemini: Adapter = {
  ...CLAUDE_LIKE,
  client: "gemini",
  transcripts: ["/.gemini/tmp/"],
  isSpokenIn: (fields) => /^(?:Before|After)(?:Agent|Tool)$/.test(textIn(fields, "hook_event_name") ?? ""),
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
const qwen: Adapter = {
  ...CLAUDE_LIKE,
  client: "qwen",
  transcripts: ["/.qwen/projects/"],
  env: ["QWEN_CODE_SESSION_ID"],
};

/**
 * Copilot CLI, with event names as Claude Code writes them: under its own (`sessionStart`) the event does not say what
 * it is. Context counts at the top level alone; under `hookSpecificOutput` it is dropped without a word.
 */
const copilot: Adapter = {
  ...CLAUDE_LIKE,
  client: "copilot",
  marks: ["initial_prompt"],
  transcripts: ["/.copilot/session-state/"],
  env: ["COPILOT_CLI"],
  context: ["session-start", "prompt"],
  runsOthersHooks: true,
  reply({ context, decision }) {
    if (decision) return { permissionDecision: decision.action, permissionDecisionReason: decision.reason };
    return context === undefined ? undefined : { additionalContext: context };
  },
};

/** Its own, and those of Claude Code's files, which it runs too. */
const CURSOR_EVENTS: Readonly<Record<string, EventKind>> = {
  ...CLAUDE_EVENTS,
  sessionStart: "session-start",
  beforeSubmitPrompt: "prompt",
  preToolUse: "tool-use",
  postToolUseFailure: "tool-failure",
  preCompact: "compaction",
  stop: "stop",
  sessionEnd: "session-end",
};

/** Cursor. Over 10,000 characters it drops the whole context. */
const cursor: Adapter = {
  ...CLAUDE_LIKE,
  client: "cursor",
  marks: ["cursor_version", "generation_id"],
  env: ["CURSOR_VERSION"],
  events: CURSOR_EVENTS,
  read: (fields) => ({
    ...fields,
    session_id: textIn(fields, "conversation_id") ?? fields["session_id"],
    cwd: textIn(fields, "cwd") ?? firstOf(fields["workspace_roots"]),
    error: textIn(fields, "error") ?? fields["error_message"],
  }),
  context: ["session-start", "prompt", "tool-use", "tool-failure"],
  runsOthersHooks: true,
  reply({ context, decision }, { kind }) {
    if (kind === "tool-use" && decision) {
      const { action, reason } = decision;
      return { permission: action, user_message: reason, agent_message: reason };
    }
    return context === undefined ? undefined : { additional_context: context };
  },
};

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? (value[0] as unknown) : undefined;
}

/**
 * Clients that load JavaScript: heed's plugin in them asks this hook, in Claude Code's field names, and acts on a plain
 * answer. It names its client by `--client`.
 */
const plugins = ["opencode", "kilo", "pi"].map((client): Adapter => ({
  ...CLAUDE_LIKE,
  client,
  context: ["session-start", "prompt", "tool-failure"],
  reply: ({ context, decision, notice }) => ({ context, deny: decision?.reason, notice }),
}));

/** Every client whose hooks, plugins or extensions carry heed. */
export const ADAPTERS: readonly Adapter[] = [
  claudeCode,
  codex,
  gemini,
  copilot,
  vscode,
  cursor,
  qwen,
  ...plugins,
];

/**
 * The client that speaks: by its message first, as others run its hooks file too, then by its registration (`--client`),
 * then by its environment, which a client inherits from one that started it. Default: Claude Code.
 */
export function adapterOf(
  fields: Fields,
  named: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Adapter {
  const transcript = (textIn(fields, "transcript_path") ?? "").replaceAll("\\", "/");
  const isSpeaking = (adapter: Adapter): boolean =>
    adapter.marks?.some((mark) => textIn(fields, mark) !== undefined) === true ||
    adapter.transcripts?.some((folder) => transcript.includes(folder)) === true ||
    adapter.isSpokenIn?.(fields) === true;
  return (
    ADAPTERS.find(isSpeaking) ??
    ADAPTERS.find(({ client }) => client === named) ??
    ADAPTERS.find((adapter) => adapter.env?.some((name) => (env[name] ?? "") !== "")) ??
    claudeCode
  );
}
