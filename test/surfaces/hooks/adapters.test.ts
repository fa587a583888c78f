import { describe, expect, test } from "vitest";
import { ADAPTERS, adapterOf } from "../../../src/surfaces/hooks/adapters/all-adapters.ts";
import type { Translated } from "../../../src/surfaces/hooks/translate-event.ts";
import { translateEvent } from "../../../src/surfaces/hooks/translate-event.ts";

function read(
  raw: unknown,
  env: Readonly<Record<string, string>> = {},
  more: { client?: string; event?: string } = {},
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
    { client: "vscode", kind: "session-start", source: "startup", session: "s" },
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
    "Cline's tool",
    {
      clineVersion: "3",
      hookName: "tool_call",
      workspaceRoots: ["/p"],
      preToolUse: { toolName: "run_commands", parameters: { commands: ["ls", "pwd"] } },
    },
    { client: "cline", kind: "tool-use", tool: "Bash", input: { command: "ls\npwd" }, reach: "late" },
  ],
  [
    "Droid's failed command",
    {
      transcript_path: "/h/.factory/sessions/-p/s.jsonl",
      ...named("PostToolUse", "Execute"),
      tool_response: "no such\n\n[Process exited with code 1]",
    },
    { client: "droid", kind: "tool-failure", tool: "Bash" },
  ],
  [
    "Kimi's prompt in parts, the first that can be answered",
    { ...named("UserPromptSubmit"), client_type: "kimi_code_cli", prompt: [{ type: "text", text: "go" }] },
    { client: "kimi", kind: "prompt", prompt: "go", reach: "late" },
  ],
  [
    "Goose",
    { ...tool("developer__shell"), event: "PreToolUse", working_dir: "/p" },
    { client: "goose", kind: "tool-use", tool: "Bash", cwd: "/p", reach: "none" },
  ],
  [
    "Crush",
    { ...tool("bash"), event: "PreToolUse", cwd: "/p" },
    { client: "crush", kind: "tool-use", tool: "Bash" },
    { CRUSH_EVENT: "PreToolUse" },
  ],
  [
    "Windsurf's command",
    {
      session_id: undefined,
      agent_action_name: "pre_run_command",
      trajectory_id: "t",
      tool_info: { command_line: "ls", cwd: "/p" },
    },
    { client: "windsurf", kind: "tool-use", input: { command_line: "ls", command: "ls", cwd: "/p" } },
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

  test("each is known by its name", () => {
    for (const { client } of ADAPTERS) expect(adapterOf({}, client, {}).client).toBe(client);
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
