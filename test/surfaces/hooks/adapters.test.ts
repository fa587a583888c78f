import { describe, expect, test } from "vitest";
import type { EventAnswer, SessionEvent } from "../../../src/heed.ts";
import type { Adapter } from "../../../src/surfaces/hooks/adapters/adapter.ts";
import { ADAPTERS } from "../../../src/surfaces/hooks/adapters/all-adapters.ts";
import { renderAnswer } from "../../../src/surfaces/hooks/render-answer.ts";
import { type Translated, translateEvent } from "../../../src/surfaces/hooks/read-event.ts";

function read(
  raw: unknown,
  env: Readonly<Record<string, string>> = {},
  more: { client?: string } = {},
): Translated | undefined {
  return translateEvent(raw, { env, cwd: "/fallback", whose: () => ({}), ...more });
}

const tool = (name: string) => ({ tool_name: name, tool_input: { command: "ls" } });
/** The name of an event, and of the tool that runs `ls` in it. */
const named = (event: string, toolName?: string) => ({
  hook_event_name: event,
  ...(toolName !== undefined && tool(toolName)),
});
const CURSOR = { session_id: undefined, conversation_id: "c", cursor_version: "2.0" };

/** Messages as the clients write them, shortened and with the session `s`; what each becomes. */
const SAMPLES: readonly [what: string, raw: object, event: object, env?: Record<string, string>][] = [
  [
    "Codex's prompt",
    { turn_id: "t", cwd: "/p", hook_event_name: "UserPromptSubmit", prompt: "go" },
    { client: "codex", kind: "prompt", prompt: "go", cwd: "/p", session: "s" },
  ],
  [
    "Codex's start, which has no turn",
    {
      transcript_path: "/h/.codex/sessions/2026/rollout-x.jsonl",
      ...named("SessionStart"),
      source: "resume",
    },
    { client: "codex", kind: "session-start", source: "resume" },
  ],
  [
    "Gemini's prompt, behind the context that it was given",
    { ...named("BeforeAgent"), prompt: "<hook_context>heed's own words</hook_context>\n\nfix the test" },
    { client: "gemini", kind: "prompt", prompt: "fix the test" },
    { CLAUDE_PROJECT_DIR: "/p" },
  ],
  [
    "Gemini's shell",
    named("BeforeTool", "run_shell_command"),
    { client: "gemini", kind: "tool-use", tool: "Bash", input: { command: "ls" }, reach: "none" },
  ],
  [
    "Gemini's failed command",
    { ...named("AfterTool", "run_shell_command"), tool_response: { llmContent: "Output: no\nExit Code: 3" } },
    { client: "gemini", kind: "tool-failure", tool: "Bash", error: "Output: no\nExit Code: 3" },
  ],
  [
    "Qwen's prompt, in a shell of Gemini's",
    { transcript_path: "/h/.qwen/projects/-p/chats/s.jsonl", ...named("UserPromptSubmit"), prompt: "go" },
    { client: "qwen", kind: "prompt" },
    { GEMINI_SESSION_ID: "outer" },
  ],
  [
    "Copilot, by what it sets",
    named("PreToolUse", "Bash"),
    { client: "copilot", kind: "tool-use", tool: "Bash", reach: "none" },
    { COPILOT_CLI: "1", CLAUDE_PROJECT_DIR: "/p" },
  ],
  [
    "VS Code",
    { session_id: undefined, sessionId: "s", hookEventName: "SessionStart", cwd: "/p", source: "new" },
    { client: "vscode", kind: "session-start", session: "s" },
  ],
  [
    "VS Code's prompt, to which nothing can be told",
    { session_id: undefined, sessionId: "s", hookEventName: "UserPromptSubmit", prompt: "go" },
    { client: "vscode", kind: "prompt", reach: "none" },
  ],
  [
    "Cursor",
    { ...CURSOR, generation_id: "g", ...named("beforeSubmitPrompt"), workspace_roots: ["/p"], prompt: "go" },
    { client: "cursor", kind: "prompt", session: "c", cwd: "/p" },
  ],
  [
    "Cursor over Claude Code's file",
    { ...CURSOR, ...named("PreToolUse", "Shell") },
    { client: "cursor", kind: "tool-use", tool: "Bash" },
    { CLAUDE_PROJECT_DIR: "/p" },
  ],
  [
    "a message without a mark, as Claude Code's",
    { ...named("Stop"), last_assistant_message: "done" },
    { client: "claude-code", kind: "stop", lastMessage: "done" },
    { CLAUDE_PROJECT_DIR: "/p" },
  ],
];

test.each(SAMPLES)("%s", (_what, raw, event, env) => {
  expect(read({ session_id: "s", ...raw }, env)?.event).toMatchObject(event);
});

describe("which client speaks", () => {
  const gemini = { hook_event_name: "BeforeAgent", prompt: "go" };

  test("the message goes before the name in the registration, that before the environment", () => {
    expect(read(gemini, { COPILOT_CLI: "1" }, { client: "codex" })?.adapter.client).toBe("gemini");
    const plain = { hook_event_name: "Stop" };
    expect(read(plain, { COPILOT_CLI: "1" }, { client: "qwen" })?.adapter.client).toBe("qwen");
    expect(read(plain, { COPILOT_CLI: "1" })?.adapter.client).toBe("copilot");
    expect(read(plain, { CLAUDE_PROJECT_DIR: "/p" }, { client: "emacs" })?.adapter.client).toBe(
      "claude-code",
    );
  });
});

describe("events of Claude Code", () => {
  const BASE = { session_id: "s1", cwd: "/work", transcript_path: "/t.jsonl" };
  const EVENT = { session: "s1", cwd: "/work", transcriptPath: "/t.jsonl", client: "claude-code" };
  const translate = (raw: unknown): SessionEvent | undefined => read(raw)?.event;
  const BASH = { tool_name: "Bash", tool_input: { command: "x" } };
  test.each([
    ["SessionStart", { source: "compact" }, { kind: "session-start", source: "compact" }],
    [
      "SubagentStart",
      { agent_id: "a1", agent_type: "Explore" },
      { kind: "subagent-start", agentType: "Explore", agentId: "a1" },
    ],
    ["UserPromptSubmit", { prompt: "fix it" }, { kind: "prompt", prompt: "fix it" }],
    ["PreToolUse", BASH, { kind: "tool-use", tool: "Bash", input: { command: "x" }, tellsResult: true }],
    ["PostToolUse", BASH, { kind: "tool-result", tool: "Bash", input: { command: "x" } }],
    [
      "PostToolUseFailure",
      { ...BASH, error: "Exit 3" },
      { kind: "tool-failure", tool: "Bash", input: { command: "x" }, error: "Exit 3" },
    ],
    ["PreCompact", { trigger: "auto" }, { kind: "compaction" }],
    ["Stop", {}, { kind: "stop", lastMessage: undefined, canSendBack: true }],
    [
      "Stop",
      { stop_hook_active: "true" },
      { kind: "stop", lastMessage: undefined, canSendBack: true, isContinued: true },
    ],
    ["SessionEnd", { reason: "clear" }, { kind: "session-end", reason: "clear" }],
  ])("%s %j", (name, raw, event) => {
    expect(translate({ ...BASE, hook_event_name: name, ...raw })).toMatchObject({ ...EVENT, ...event });
  });

  test("that heed has no answer to are none", () => {
    for (const name of ["PostToolUse", "Notification", "Unheard", "", "__proto__", "constructor"]) {
      expect(translate({ ...BASE, hook_event_name: name })).toBeUndefined();
    }
    // The client's own agents, for example for summaries.
    expect(translate({ ...BASE, hook_event_name: "SubagentStart", agent_type: "" })).toBeUndefined();
  });

  test("without a directory get the surface's own", () => {
    expect(translate({ hook_event_name: "Stop" })).toMatchObject({ cwd: "/fallback", session: "" });
    expect(translate({ hook_event_name: "Stop", cwd: "${cwd}" })).toMatchObject({ cwd: "/fallback" });
  });

  test("prompts that the client made itself are none", () => {
    const prompt = { ...BASE, hook_event_name: "UserPromptSubmit", prompt: "go on" };
    expect(translate({ ...prompt, source: "system" })).toBeUndefined();
    for (const source of ["user", ""]) expect(translate({ ...prompt, source })).toBeDefined();
  });

  test("hostile input does not reach into prototypes", () => {
    const input = JSON.parse('{"__proto__":{"polluted":1}}') as unknown;
    translate({ ...BASE, hook_event_name: "PreToolUse", tool_name: "Read", tool_input: input });
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("a prompt", () => {
  const prompt = (text: string): unknown => {
    const event = read({ hook_event_name: "UserPromptSubmit", prompt: text }, {}, { client: "qwen" })?.event;
    return event?.kind === "prompt" ? event.prompt : undefined;
  };

  test.each([
    ["<system-reminder>x</system-reminder>fix it", "fix it"],
    ["fix it\n<qwen:user-prompt-submit-context>heed</qwen:user-prompt-submit-context>", "fix it"],
    ['<user_input mode="act">fix it</user_input>', "fix it"],
    ['"fix it"', "fix it"],
    ['say "fix it"', 'say "fix it"'],
    ["<hook_context>without an end", undefined],
    ["<hook_context>all</hook_context>", undefined],
    ["", undefined],
    ["  fix it ", "  fix it "],
    ["why does <task> fail?", "why does <task> fail?"],
  ])("%j is %j", (text, said) => {
    expect(prompt(text)).toBe(said);
  });

  test("that a host joins from a whole conversation: the end of it", () => {
    expect(prompt(`${"old words ".repeat(40_000)}the question`)).toMatch(/the question$/);
  });
});

function said(name: string, answer: EventAnswer, client = "claude-code"): string {
  const adapter = ADAPTERS.find((one) => one.client === client) as Adapter;
  const event = { kind: adapter.events[name] } as SessionEvent;
  return renderAnswer(answer, { event, name, adapter });
}

const DENY = { decision: { action: "deny", reason: "the rule" } } as const;
const ASK = { decision: { action: "ask", reason: "the rule" } } as const;

describe("the answer to a hook of Claude Code", () => {
  test.each(["SessionStart", "SubagentStart", "UserPromptSubmit", "PreToolUse", "PostToolUseFailure"])(
    "carries context for %s under its name",
    (name) => {
      expect(JSON.parse(said(name, { context: "rules" }))).toEqual({
        hookSpecificOutput: { hookEventName: name, additionalContext: "rules" },
      });
    },
  );

  test.each(["PreCompact", "SessionEnd", "Stop"])("never carries context for %s", (name) => {
    expect(said(name, { context: "rules" })).toBe("");
    expect(JSON.parse(said(name, { context: "rules", notice: "kept" }))).toEqual({ systemMessage: "kept" });
  });

  test.each(["deny", "ask"] as const)("carries the decision on a tool use: %s", (action) => {
    const answer = { decision: { action, reason: "the rule" }, context: "more" };
    expect(JSON.parse(said("PreToolUse", answer))).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: action,
        permissionDecisionReason: "the rule",
        additionalContext: "more",
      },
    });
    expect(said("PostToolUseFailure", { decision: answer.decision })).toBe("");
  });

  test("is empty when there is nothing to tell", () => {
    expect(said("SessionStart", {})).toBe("");
    expect(said("SessionStart", { context: "", notice: "" })).toBe("");
  });
});

test.each(ADAPTERS)(
  "$client is never told more than every client takes whole, never half a character, and never to allow a call",
  ({ client, events }) => {
    const text = "x".repeat(9499) + "😀".repeat(400);
    for (const name of Object.keys(events)) {
      const answer = { context: text, notice: text, decision: { action: "deny", reason: text } } as const;
      const printed = said(name, answer, client);
      for (const one of printed.match(/x{100,}[^"]*/g) ?? []) expect(one.length).toBeLessThanOrEqual(9500);
      expect(printed).not.toContain("\\ud83d");
      // Some skip their own question then.
      expect(said(name, { context: "C", notice: "N" }, client)).not.toMatch(/allow|approve/);
    }
  },
);

const claudeShaped = (hookEventName: string, more: object = { additionalContext: "C" }) => ({
  hookSpecificOutput: { hookEventName, ...more },
});

/** Each shape by its literal: clients reject or drop what is a key off, some of them without a word. */
const CONTEXT: readonly [client: string, event: string, shape: object][] = [
  ["codex", "SessionStart", claudeShaped("SessionStart")],
  ["gemini", "BeforeAgent", claudeShaped("BeforeAgent")],
  ["qwen", "UserPromptSubmit", claudeShaped("UserPromptSubmit")],
  ["copilot", "SessionStart", { additionalContext: "C" }],
  ["copilot", "UserPromptSubmit", { additionalContext: "C" }],
  ["vscode", "SessionStart", claudeShaped("SessionStart")],
  ["cursor", "beforeSubmitPrompt", { additional_context: "C" }],
  ["opencode", "UserPromptSubmit", { context: "C" }],
  ["pi", "SessionStart", { context: "C" }],
];

test.each(CONTEXT)("%s is told at %s in its shape, alone", (client, event, shape) => {
  expect(JSON.parse(said(event, { context: "C" }, client))).toEqual(shape);
});

const REFUSAL = { permissionDecision: "deny", permissionDecisionReason: "the rule" };
const DENIED: readonly [client: string, event: string, shape: object][] = [
  ["codex", "PreToolUse", claudeShaped("PreToolUse", REFUSAL)],
  ["gemini", "BeforeTool", { decision: "deny", reason: "the rule" }],
  ["copilot", "PreToolUse", REFUSAL],
  ["cursor", "preToolUse", { permission: "deny", user_message: "the rule", agent_message: "the rule" }],
  ["opencode", "PreToolUse", { deny: "the rule" }],
];

test.each(DENIED)("%s is refused a call at %s in its shape", (client, event, shape) => {
  expect(JSON.parse(said(event, DENY, client))).toEqual(shape);
});

test("a client that cannot ask is not asked: the rule is told where anything can be", () => {
  expect(said("PreToolUse", ASK, "codex")).toContain('"additionalContext":"the rule"');
  expect(said("PreToolUse", ASK, "codex")).not.toContain("permissionDecision");
  expect(said("BeforeTool", ASK, "gemini")).toBe("");
  expect(said("PreToolUse", ASK, "claude-code")).toContain('"ask"');
});
