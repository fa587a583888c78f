import { describe, expect, test } from "vitest";
import { foldEvent } from "../../../../src/past/capture/fold-event.ts";
import {
  type SaidTurn,
  emptyConversation,
  emptyWork,
} from "../../../../src/here/records/past-conversations.ts";
import type { TranscriptEvent } from "../../../../src/past/capture/transcript/transcript-event.ts";
import { RecordReader } from "../../../../src/past/capture/transcript/record-reader.ts";

function read(lines: readonly unknown[]): { events: TranscriptEvent[]; reader: RecordReader } {
  const reader = new RecordReader();
  const events = lines.flatMap((line) => reader.readLine(Buffer.from(JSON.stringify(line))));
  return { events, reader };
}

/** What was said and done, without times. */
function gist(events: readonly TranscriptEvent[]): string[] {
  return events.flatMap((event) => {
    switch (event.kind) {
      case "user":
        return [`user: ${event.text}`];
      case "assistant":
        return [`agent: ${event.text}`];
      case "tool":
        return [`call ${event.id}: ${event.tool} ${JSON.stringify(event.input)}`];
      case "result":
        return [`${event.outcome} ${event.id}: ${event.text}`];
      default:
        return [];
    }
  });
}

const TIME = "2026-11-21T10:00:00.000Z";
const claude = (fields: object): object => ({
  parentUuid: "p",
  isSidechain: false,
  userType: "external",
  cwd: "/work/api",
  sessionId: "s",
  version: "2.1.330",
  gitBranch: "main",
  uuid: "u",
  timestamp: TIME,
  ...fields,
});
const said = (content: unknown, more: object = {}): object =>
  claude({ type: "user", message: { role: "user", content }, ...more });

describe("Claude Code", () => {
  test("messages, calls and results; meta records, summaries and subagents' tasks are no person's words", () => {
    const { events, reader } = read([
      { type: "file-history-snapshot", messageId: "m", snapshot: {} },
      said("Fix the build"),
      claude({ type: "progress", data: { message: { type: "user", message: { content: "inside" } } } }),
      claude({ type: "assistant", message: { content: [{ type: "thinking", thinking: "hm" }] } }),
      claude({ type: "assistant", message: { content: [{ type: "text", text: "On it." }] } }),
      claude({
        type: "assistant",
        message: { content: [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "make" } }] },
      }),
      said([
        {
          type: "tool_result",
          tool_use_id: "t1",
          is_error: true,
          content: [{ type: "text", text: "Exit code 2" }],
        },
      ]),
      said("<system-reminder>x</system-reminder>", { isMeta: true }),
      said("a task for an agent", { isSidechain: true }),
      said("summary of it all", { isCompactSummary: true }),
      { type: "a-kind-of-tomorrow", sessionId: "s", uuid: "x", anything: [1, 2] },
      said([{ type: "text", text: "Go on" }]),
    ]);
    expect(reader.client).toBe("claude-code");
    expect(gist(events)).toEqual([
      "user: Fix the build",
      "agent: On it.",
      'call t1: Bash {"command":"make"}',
      "failed t1: Exit code 2",
      "user: Go on",
    ]);
  });

  test("a call that the person stopped did not fail, and what they said with it is theirs", () => {
    const text =
      "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nnever push without asking";
    const { events } = read([
      said("Hello"),
      said([{ type: "tool_result", tool_use_id: "t", is_error: true, content: text }]),
    ]);
    expect(gist(events).slice(1)).toEqual([`refused t: ${text}`, "user: never push without asking"]);
  });

  test("what was typed while the agent worked is read where only the queue has it", () => {
    const { events } = read([
      said("Hello"),
      { type: "queue-operation", operation: "enqueue", timestamp: TIME, sessionId: "s", content: "use pnpm" },
      { type: "queue-operation", operation: "remove", timestamp: TIME, sessionId: "s" },
    ]);
    expect(gist(events)).toEqual(["user: Hello", "user: use pnpm"]);
  });
});

test("Codex: messages, calls with their exit codes", () => {
  const record = (type: string, payload: object): object => ({ timestamp: TIME, type, payload });
  const item = (payload: object): object => record("response_item", payload);
  const call = (call_id: string, name: string, args: object): object =>
    item({ type: "function_call", name, arguments: JSON.stringify(args), call_id });
  const output = (call_id: string, text: string, type = "function_call_output"): object =>
    item({ type, call_id, output: text });
  const patch = "*** Begin Patch\n*** Update File: a.ts\n";
  const { events, reader } = read([
    record("session_meta", { id: "c", cwd: "/work/api", git: { branch: "main" } }),
    record("event_msg", { type: "user_message", message: "Run the tests" }),
    record("event_msg", { type: "token_count", info: {} }),
    item({ type: "reasoning", encrypted_content: "…" }),
    item({ type: "message", role: "assistant", content: [{ type: "output_text", text: "Running." }] }),
    call("f1", "shell", { command: ["bash", "-lc", "npm test"] }),
    output("f1", '{"output":"no such script","metadata":{"exit_code":1}}'),
    call("f2", "exec_command", { cmd: "npm run unit" }),
    output("f2", "Wall time: 1 s\nProcess exited with code 0\nOutput:\nok"),
    item({ type: "custom_tool_call", name: "apply_patch", input: patch, call_id: "f3" }),
    output("f3", "Exit code: 1\nfailed", "custom_tool_call_output"),
    output("f4", '{"error":"no such issue"}'),
  ]);
  expect(reader.client).toBe("codex");
  expect(gist(events)).toEqual([
    "user: Run the tests",
    "agent: Running.",
    'call f1: shell {"command":["bash","-lc","npm test"]}',
    "failed f1: no such script",
    'call f2: exec_command {"cmd":"npm run unit"}',
    "ok f2: Wall time: 1 s\nProcess exited with code 0\nOutput:\nok",
    'call f3: apply_patch {"input":"*** Begin Patch\\n*** Update File: a.ts\\n"}',
    "failed f3: Exit code: 1\nfailed",
    'ok f4: {"error":"no such issue"}',
  ]);
});

test("Gemini CLI: the head, messages, and calls that come with their results", () => {
  const call = (id: string, status: string, response: object): object => ({
    id,
    name: "run_shell_command",
    args: { command: "make" },
    status,
    timestamp: TIME,
    result: [{ functionResponse: { id, response } }],
  });
  const message = (type: string, content: unknown, ...toolCalls: object[]): object => ({
    id: "m",
    timestamp: TIME,
    type,
    content,
    ...(toolCalls.length > 0 && { toolCalls }),
  });
  const { events, reader } = read([
    { sessionId: "g", projectHash: "h", startTime: TIME },
    { $set: { messages: [message("user", [{ text: "<session_context>…" }])] } },
    { $set: { lastUpdated: TIME } },
    message("info", "linked"),
    message("user", [{ text: "Build it" }]),
    message("gemini", "", call("a", "error", { error: "boom" })),
    message("gemini", "Done.", call("b", "success", { output: "fine" }), call("c", "cancelled", {})),
  ]);
  expect(reader.client).toBe("gemini-cli");
  expect(gist(events)).toEqual([
    "user: <session_context>…",
    "user: Build it",
    'call a: run_shell_command {"command":"make"}',
    "failed a: boom",
    "agent: Done.",
    'call b: run_shell_command {"command":"make"}',
    "ok b: fine",
    'call c: run_shell_command {"command":"make"}',
    "refused c: ",
  ]);
});

test("Copilot CLI: typed messages, calls, results", () => {
  const event = (type: string, data: object): object => ({
    type,
    data,
    id: "i",
    timestamp: TIME,
    parentId: null,
  });
  const { events, reader } = read([
    event("session.start", { sessionId: "k", version: 1, context: { cwd: "/work/api", branch: "main" } }),
    event("user.message", { content: "Hello there" }),
    event("user.message", { content: "from an agent", parentAgentTaskId: "x" }),
    event("user.message", { content: "in prompt mode", parentAgentTaskId: "y", delivery: "idle" }),
    event("assistant.message", {
      messageId: "m",
      content: "Hi.",
      toolRequests: [{ toolCallId: "t", name: "bash", arguments: { command: "ls /x" } }],
    }),
    event("tool.execution_complete", { toolCallId: "t", success: false, error: { message: "no such file" } }),
    event("tool.execution_complete", {
      toolCallId: "u",
      success: true,
      result: { content: "bad\n<exited with exit code 3>" },
    }),
    // Some versions tell a call only when it starts, and write arguments and results as text.
    event("tool.execution_start", { toolCallId: "v", toolName: "bash", arguments: '{"command":"make"}' }),
    event("tool.execution_complete", { toolCallId: "v", success: true, result: "built" }),
  ]);
  expect(reader.client).toBe("copilot-cli");
  expect(gist(events)).toEqual([
    "user: Hello there",
    "user: in prompt mode",
    "agent: Hi.",
    'call t: bash {"command":"ls /x"}',
    "failed t: no such file",
    "failed u: bad\n<exited with exit code 3>",
    'call v: bash {"command":"make"}',
    "ok v: built",
  ]);
});

/** Written by the real client, shortened. */
const QWEN = (
  [
    ["user", { text: "where is the board?" }],
    [
      "user",
      { text: "<qwen:user-prompt-submit-context>\nheed's own words\n</qwen:user-prompt-submit-context>" },
    ],
    ["system", {}],
    ["assistant", { functionCall: { id: "c", name: "run_shell_command", args: { command: "npm test" } } }],
    ["tool_result", { functionResponse: { id: "c", response: { output: "no test\nExit Code: 1" } } }],
    ["assistant", { text: "DONE" }],
  ] as const
).map(([type, part]) => ({
  uuid: "u",
  sessionId: "s1",
  timestamp: TIME,
  cwd: "/p",
  type,
  provenance: "x",
  message: { parts: [part] },
  ...(type === "system" && { subtype: "ui_telemetry" }),
}));

test("Qwen Code: what the person said, what was done, and nothing of what heed told", () => {
  const { events, reader } = read(QWEN);
  expect(reader.client).toBe("qwen");
  expect(events[0]).toMatchObject({ kind: "place", cwd: "/p" });
  expect(gist(events)).toEqual([
    "user: where is the board?",
    'call c: run_shell_command {"command":"npm test"}',
    "failed c: no test\nExit Code: 1",
    "agent: DONE",
  ]);
});

test("opencode: rows of its database; what plugins put in is marked there", () => {
  const state = { status: "completed", input: { command: "npm test" }, output: "no", metadata: { exit: 1 } };
  const rows = (
    [
      ["user", { type: "text", text: '"where is the board?"' }],
      ["user", { type: "text", text: "heed's own words", synthetic: true }],
      ["assistant", { type: "step-start" }],
      ["assistant", { type: "tool", tool: "bash", callID: "c", state }],
      ["assistant", { type: "text", text: "DONE" }],
    ] as const
  ).map(([role, data]) => ({ store: "opencode", id: "p", timestamp: TIME, role, data }));
  const session = { store: "opencode", row: "session", id: "s1", parent_id: null, directory: "/p" };
  const { events } = read([session, ...rows]);
  expect(events[0]).toMatchObject({ kind: "place", cwd: "/p" });
  expect(gist(events)).toEqual([
    "user: where is the board?",
    'call c: bash {"command":"npm test"}',
    "failed c: no",
    "agent: DONE",
  ]);
});

test("a call that heed refused is a refusal, not a failed command", () => {
  const refused = "Refused by a rule of the user that heed keeps: never print it. [heed:x]";
  const { events } = read([QWEN[0], JSON.parse(JSON.stringify(QWEN[4]).replace("no test", refused))]);
  expect(events.at(-1)).toMatchObject({ kind: "result", outcome: "refused" });
});

test.each([
  [
    "Codex",
    {
      timestamp: TIME,
      type: "session_meta",
      payload: { id: "c", cwd: "/w", source: { subagent: { x: 1 } } },
    },
    { timestamp: TIME, type: "event_msg", payload: { type: "user_message", message: "Never push to main." } },
  ],
  [
    "Gemini CLI",
    { sessionId: "g", projectHash: "p", kind: "subagent" },
    { id: "m", timestamp: TIME, type: "user", content: "Never push to main." },
  ],
])("%s: a transcript of a subagent holds no word of the person", (_agent, head, message) => {
  const fold = (lines: readonly object[]): SaidTurn[] => {
    const work = emptyWork();
    const session = { conversation: emptyConversation(), work };
    for (const event of read(lines).events) foldEvent(session, event);
    return work.turns;
  };
  expect(fold([head, message])).toEqual([]);
  const { source: _source, ...payload } = { source: "", ...(head as { payload?: object }).payload };
  const main = "payload" in head ? { ...head, payload } : { ...head, kind: "main" };
  expect(fold([main, message])).toHaveLength(1);
});
