import type { EventAnswer, SessionEvent } from "../../../heed.ts";

export type EventKind = SessionEvent["kind"];

/** JSON of a client, not yet looked at. */
export type Fields = Readonly<Record<string, unknown>>;

export type Answer = { [Part in keyof EventAnswer]: EventAnswer[Part] | undefined };

/** One client's way of telling events and of taking answers: the one place that knows them. */
export interface Adapter {
  /** The client, as `heed init --client` and `heed hook --client` name it. */
  client: string;
  /** Fields that no other client's messages have, and parts of the paths where it alone keeps transcripts. */
  marks?: readonly string[];
  transcripts?: readonly string[];
  /** Another sign that a message is this client's. */
  isSpokenIn?(fields: Fields): boolean;
  /** Environment variables that this client, and no other, sets for its hooks. */
  env?: readonly string[];
  events: Readonly<Record<string, EventKind>>;
  read?(fields: Fields): Fields;
  /** Kinds of events whose context reaches the model. Told where it reaches nobody, a rule would count as told. */
  context: readonly EventKind[];
  /**
   * What becomes of a guard: `ask`: it was seen to ask its user as well (in which versions and modes:
   * `session/decide-stopped-call.ts`); `deny`: heed only refuses there.
   */
  decides: "ask" | "deny";
  /** Whether it says how a call of a tool (Claude Code's name) ended. Default: never. */
  tellsResult?(tool: string): boolean;
  /** An answer at the end of a turn sends the agent back to work: tried, or by its documents. Default: not known. */
  sendsBack?: boolean;
  /** Whether it also runs hooks that other clients' files name, or heed's plugin: one event may come twice. */
  runsOthersHooks?: boolean;
  /** The answer in its shape; only what `context` and `decides` allow is in it. Undefined: nothing to say. */
  reply(answer: Answer, event: { name: string; kind: EventKind }): Fields | undefined;
}

export function textIn(fields: Fields | undefined, key: string): string | undefined {
  const value = fields !== undefined && Object.hasOwn(fields, key) ? fields[key] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function fieldsIn(fields: Fields, key: string): Fields | undefined {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** The events of Claude Code that heed answers; several clients took the names over. */
const CLAUDE_EVENTS: Readonly<Record<string, EventKind>> = {
  SessionStart: "session-start",
  SubagentStart: "subagent-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "tool-use",
  PostToolUse: "tool-result",
  PostToolUseFailure: "tool-failure",
  PreCompact: "compaction",
  Stop: "stop",
  SessionEnd: "session-end",
};

/** The kinds of events in whose answer Claude Code takes context. */
const CLAUDE_CONTEXT: readonly EventKind[] = [
  "session-start",
  "subagent-start",
  "prompt",
  "tool-use",
  "tool-failure",
];

/** The shape that Claude Code defined and most others took over; `systemMessage` is a line for the user. */
function nestedReply(
  { context, decision, notice, sendBack }: Answer,
  event: { name: string },
): Fields | undefined {
  if ([context, notice, decision, sendBack].every((part) => part === undefined)) return undefined;
  return {
    ...(sendBack !== undefined && { decision: "block", reason: sendBack }),
    systemMessage: notice,
    ...((context !== undefined || decision !== undefined) && {
      hookSpecificOutput: {
        hookEventName: event.name,
        permissionDecision: decision?.action,
        permissionDecisionReason: decision?.reason,
        additionalContext: context,
      },
    }),
  };
}

/** The client that a registration names. */
export function clientIn(argv: readonly string[]): string | undefined {
  const at = argv.indexOf("--client");
  return at > 0 ? argv[at + 1] : undefined;
}

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
