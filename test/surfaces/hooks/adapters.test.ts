import { describe, expect, test } from "vitest";
import type { EventAnswer, SessionEvent } from "../../../src/heed.ts";
import { type Adapter, ADAPTERS } from "../../../src/surfaces/hooks/adapters/all-adapters.ts";
import { renderAnswer } from "../../../src/surfaces/hooks/render-answer.ts";
import { type Translated, translateEvent } from "../../../src/surfaces/hooks/read-event.ts";

function read(
  raw: unknown,
  env: Readonly<Record<string, string>> = {},
  more: { client?: string } = {},
): Translated | undefined {
  return translateEvent(raw, { env, cwd: "/fallback", whose: () => ({}), ...more });
}

const at = (hook_event_name: string, more: object = {}) => ({ hook_event_name, ...more });
const prompt = (name = "UserPromptSubmit", text = "go") => at(name, { prompt: text });
const shell = (name: string, tool: string) => at(name, { tool_name: tool, tool_input: { command: "ls" } });
const LS = { tool: "Bash", input: { command: "ls" } };
const CLAUDE = { CLAUDE_PROJECT_DIR: "/p" };
const FAILED = "Output: no\nExit Code: 3";
const CURSOR = { session_id: undefined, conversation_id: "s", cursor_version: "2.0" };
const vscode = (hookEventName: string) => ({ session_id: undefined, sessionId: "s", hookEventName });

/** Messages as the clients write them, shortened and with the session `s`; whose each is, and what it becomes. */
const SAMPLES: readonly [what: string, whose: string, raw: object, event: object, env?: object][] = [
  ["Codex's prompt", "codex prompt", { turn_id: "t", cwd: "/p", ...prompt() }, { prompt: "go", cwd: "/p" }],
  [
    "Codex's start, which has no turn",
    "codex session-start",
    at("SessionStart", { transcript_path: "/h/.codex/sessions/2026/rollout-x.jsonl", source: "resume" }),
    { source: "resume" },
  ],
  [
    "Gemini's prompt, behind the context that it was given",
    "gemini prompt",
    prompt("BeforeAgent", "<hook_context>heed's own words</hook_context>\n\nfix the test"),
    { prompt: "fix the test" },
    CLAUDE,
  ],
  ["Gemini's shell", "gemini tool-use", shell("BeforeTool", "run_shell_command"), { ...LS, reach: "none" }],
  [
    "Gemini's failed command",
    "gemini tool-failure",
    { ...shell("AfterTool", "run_shell_command"), tool_response: { llmContent: FAILED } },
    { tool: "Bash", error: FAILED },
  ],
  [
    "Qwen's prompt, in a shell of Gemini's",
    "qwen prompt",
    { transcript_path: "/h/.qwen/projects/-p/chats/s.jsonl", ...prompt() },
    {},
    { GEMINI_SESSION_ID: "outer" },
  ],
  [
    "Copilot, by what it sets",
    "copilot tool-use",
    shell("PreToolUse", "Bash"),
    { tool: "Bash", reach: "none" },
    { COPILOT_CLI: "1", ...CLAUDE },
  ],
  ["VS Code", "vscode session-start", { ...vscode("SessionStart"), cwd: "/p", source: "new" }, {}],
  [
    "VS Code's prompt, to which nothing can be told",
    "vscode prompt",
    { ...vscode("UserPromptSubmit"), prompt: "go" },
    { reach: "none" },
  ],
  [
    "Cursor",
    "cursor prompt",
    { ...CURSOR, generation_id: "g", ...prompt("beforeSubmitPrompt"), workspace_roots: ["/p"] },
    { cwd: "/p" },
  ],
  [
    "Cursor over Claude Code's file",
    "cursor tool-use",
    { ...CURSOR, ...shell("PreToolUse", "Shell") },
    LS,
    CLAUDE,
  ],
  [
    "a message without a mark, as Claude Code's",
    "claude-code stop",
    at("Stop", { last_assistant_message: "done" }),
    { lastMessage: "done" },
    CLAUDE,
  ],
];

test.each(SAMPLES)("%s", (_what, whose, raw, event, env) => {
  const [client, kind] = whose.split(" ");
  const found = read({ session_id: "s", ...raw }, env as Record<string, string> | undefined);
  expect(found?.event).toMatchObject({ client, kind, session: "s", ...event });
});

test("the message goes before the name in the registration, that before the environment", () => {
  const clientOf = (raw: object, env: Record<string, string>, client?: string): string | undefined =>
    read(raw, env, client === undefined ? {} : { client })?.adapter.client;
  expect(clientOf(prompt("BeforeAgent"), { COPILOT_CLI: "1" }, "codex")).toBe("gemini");
  expect(clientOf(at("Stop"), { COPILOT_CLI: "1" }, "qwen")).toBe("qwen");
  expect(clientOf(at("Stop"), { COPILOT_CLI: "1" })).toBe("copilot");
  expect(clientOf(at("Stop"), CLAUDE, "emacs")).toBe("claude-code");
});

describe("events of Claude Code", () => {
  const BASE = { session_id: "s1", cwd: "/work", transcript_path: "/t.jsonl" };
  const EVENT = { session: "s1", cwd: "/work", transcriptPath: "/t.jsonl", client: "claude-code" };
  const translate = (raw: unknown): SessionEvent | undefined => read(raw)?.event;
  const BASH = { tool_name: "Bash", tool_input: { command: "ls" } };
  const STOPPED = { lastMessage: undefined, canSendBack: true };
  test.each([
    ["SessionStart", { source: "compact" }, "session-start", { source: "compact" }],
    ["SubagentStart", { agent_id: "a", agent_type: "X" }, "subagent-start", { agentType: "X", agentId: "a" }],
    ["UserPromptSubmit", { prompt: "fix it" }, "prompt", { prompt: "fix it" }],
    ["PreToolUse", BASH, "tool-use", { ...LS, tellsResult: true }],
    ["PostToolUse", BASH, "tool-result", LS],
    ["PostToolUseFailure", { ...BASH, error: "Exit 3" }, "tool-failure", { ...LS, error: "Exit 3" }],
    ["PreCompact", { trigger: "auto" }, "compaction", {}],
    ["Stop", {}, "stop", STOPPED],
    ["Stop", { stop_hook_active: "true" }, "stop", { ...STOPPED, isContinued: true }],
    ["SessionEnd", { reason: "clear" }, "session-end", { reason: "clear" }],
  ])("%s %j", (name, raw, kind, event) => {
    expect(translate({ ...BASE, ...at(name, raw) })).toMatchObject({ ...EVENT, kind, ...event });
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
    expect(translate({ ...BASE, ...prompt(), source: "system" })).toBeUndefined();
    for (const source of ["user", ""]) expect(translate({ ...BASE, ...prompt(), source })).toBeDefined();
  });

  test("hostile input does not reach into prototypes", () => {
    translate({ ...BASE, ...at("PreToolUse", { tool_input: JSON.parse('{"__proto__":{"polluted":1}}') }) });
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("a prompt", () => {
  const typed = (text: string): unknown => {
    const event = read(prompt("UserPromptSubmit", text), {}, { client: "qwen" })?.event;
    return event?.kind === "prompt" ? event.prompt : undefined;
  };

  test.each([
    ["<system-reminder>x</system-reminder>fix it", "fix it"],
    ["fix it\n<qwen:user-prompt-submit-context>heed</qwen:user-prompt-submit-context>", "fix it"],
    ['"fix it"', "fix it"],
    ['say "fix it"', 'say "fix it"'],
    ["<hook_context>without an end", undefined],
    ["<hook_context>all</hook_context>", undefined],
    ["", undefined],
    ["  fix it ", "  fix it "],
    ["why does <task> fail?", "why does <task> fail?"],
  ])("%j is %j", (text, said) => {
    expect(typed(text)).toBe(said);
  });

  test("that a host joins from a whole conversation: the end of it", () => {
    expect(typed(`${"old words ".repeat(40_000)}the question`)).toMatch(/the question$/);
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
  ...["SessionStart", "SubagentStart", "UserPromptSubmit", "PreToolUse", "PostToolUseFailure"].map(
    (event): [string, string, object] => ["claude-code", event, claudeShaped(event)],
  ),
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
  expect(said(event, { context: "", notice: "" }, client)).toBe("");
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
