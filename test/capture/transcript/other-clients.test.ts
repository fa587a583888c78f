import { expect, test } from "vitest";
import { clineFormat } from "../../../src/capture/transcript/cline-format.ts";
import { opencodeFormat } from "../../../src/capture/transcript/opencode-format.ts";
import type { TranscriptEvent } from "../../../src/capture/transcript/transcript-event.ts";
import { TranscriptReader } from "../../../src/capture/transcript/transcript-reader.ts";

/** Records that the real clients wrote, shortened; in each the person says one thing, and one command fails. */
const TIME = "2026-11-22T17:34:11.844Z";
const MS = Date.parse(TIME);
const REFUSED = "Refused by a rule of the user that heed keeps: never print it. [heed:x]";

const GIST = [
  "in /p",
  "user: where is the board?",
  'call call_1: {"command":"npm test"}',
  "failed call_1: no test",
  "agent: DONE",
];

function gist(events: readonly TranscriptEvent[]): string[] {
  const lines = events.flatMap((event): string[] => {
    switch (event.kind) {
      case "place":
        return event.cwd === undefined ? [] : [`in ${event.cwd}`];
      case "user":
        return [`user: ${event.text}`];
      case "assistant":
        return [`agent: ${event.text}`];
      case "tool":
        return [`call ${event.id}: ${JSON.stringify({ command: event.input["command"] })}`];
      case "result":
        return [`${event.outcome} ${event.id}: ${event.text.split("\n")[0]}`];
      default:
        return ["compaction"];
    }
  });
  return [...new Set(lines)];
}

function read(lines: readonly object[]): { client: string | undefined; events: TranscriptEvent[] } {
  const events: TranscriptEvent[] = [];
  const reader = new TranscriptReader((event) => events.push(event));
  for (const line of lines) reader.push(Buffer.from(`${JSON.stringify(line)}\n`));
  return { client: reader.client, events };
}

const qwen = (fields: object): object => ({
  uuid: "u",
  sessionId: "s1",
  timestamp: TIME,
  cwd: "/p",
  version: "0.24.4",
  gitBranch: "main",
  ...fields,
});
const message = (role: string, ...parts: object[]): object => ({ message: { role, parts } });

const words = (text: string): object => ({ type: "text", text });
/** A message as Droid and Pi record it. */
const injected = (id: string, role: string, content: readonly object[], more: object = {}): object => ({
  type: "message",
  id,
  timestamp: TIME,
  message: { role, content, ...more },
});
const kimi = (type: string, fields: object): object => ({ type, agentId: "main", time: MS, ...fields });

const SAMPLES: readonly [client: string, lines: object[]][] = [
  [
    "qwen",
    [
      qwen({
        type: "user",
        provenance: "real_user",
        ...message(
          "user",
          { text: "where is the board?" },
          { text: "<qwen:user-prompt-submit-context>\nheed's own words\n</qwen:user-prompt-submit-context>" },
        ),
      }),
      qwen({ type: "system", provenance: "system", subtype: "ui_telemetry", systemPayload: {} }),
      qwen({
        type: "assistant",
        provenance: "assistant_output",
        ...message("model", {
          functionCall: { id: "call_1", name: "run_shell_command", args: { command: "npm test" } },
        }),
      }),
      qwen({
        type: "tool_result",
        provenance: "tool_result",
        ...message("user", {
          functionResponse: {
            id: "call_1",
            name: "run_shell_command",
            response: { output: "no test\nExit Code: 1" },
          },
        }),
      }),
      qwen({ type: "assistant", provenance: "assistant_output", ...message("model", { text: "DONE" }) }),
    ],
  ],
  [
    "droid",
    [
      { type: "session_start", id: "s1", title: "t", owner: "unknown", version: 2, cwd: "/p" },
      injected("h", "user", [], { visibility: "user_only", hookEventName: "SessionStart", hookResults: [] }),
      injected("context-1", "user", [words("<system-reminder>tools</system-reminder>")]),
      injected("1", "user", [words("where is the board?")], { interactionMode: "auto" }),
      injected("2", "assistant", [
        { type: "tool_use", id: "call_1", name: "Execute", input: { command: "npm test" } },
      ]),
      injected("3", "user", [
        { type: "tool_result", tool_use_id: "call_1", content: "no test\n\n[Process exited with code 1]" },
      ]),
      injected("4", "assistant", [words("DONE")]),
      { type: "agent_turn_outcome", turnId: "1", reason: "completed" },
    ],
  ],
  [
    "pi",
    [
      { type: "session", version: 3, id: "s1", timestamp: TIME, cwd: "/p" },
      { type: "model_change", id: "a", timestamp: TIME },
      injected("b", "user", [words("where is the board?")]),
      { type: "custom_message", customType: "heed", content: "heed's own words", id: "c", timestamp: TIME },
      injected("d", "assistant", [
        { type: "toolCall", id: "call_1", name: "bash", arguments: { command: "npm test" } },
      ]),
      injected("e", "toolResult", [words("no test")], {
        toolCallId: "call_1",
        toolName: "bash",
        isError: true,
      }),
      injected("f", "assistant", [words("DONE")]),
    ],
  ],
  [
    "kimi",
    [
      { type: "metadata", protocol_version: "1.5", created_at: MS },
      kimi("context.append_message", {
        message: { role: "user", content: [words("<hook_result>heed's own words</hook_result>")] },
      }),
      kimi("turn.prompt", { input: [words("where is the board?")], origin: { kind: "user" }, promptId: "m" }),
      kimi("context.append_loop_event", {
        event: {
          type: "tool.call",
          toolCallId: "call_1",
          name: "Bash",
          args: { command: "npm test" },
          display: { kind: "command", cwd: "/p" },
        },
      }),
      kimi("context.append_loop_event", {
        event: { type: "tool.result", toolCallId: "call_1", result: { output: "no test", isError: true } },
      }),
      kimi("context.append_loop_event", { event: { type: "content.part", part: words("DONE") } }),
    ],
  ],
];

test.each(SAMPLES)(
  "%s: what the person said, what was done, and nothing of what heed told",
  (client, lines) => {
    const { client: injected, events } = read(lines);
    expect(injected).toBe(client);
    // Kimi tells the folder with the call.
    const wanted = client === "kimi" ? [GIST[1], GIST[0], ...GIST.slice(2)] : GIST;
    expect(gist(events)).toEqual(wanted);
  },
);

test("Cline: one file of messages, in which prompts are wrapped and hooks are told apart", () => {
  const message = (role: string, part: object): object => ({ id: "m", role, content: [part], ts: MS });
  const use = { type: "tool_use", id: "call_1", name: "run_commands", input: { commands: ["npm test"] } };
  const content = [{ query: "npm test", result: "no test", success: false }];
  const record = {
    version: 1,
    sessionId: "s1",
    messages: [
      message("user", words('<user_input mode="act">where is the board?</user_input>')),
      message("assistant", use),
      message("user", { type: "tool_result", tool_use_id: "call_1", name: "run_commands", content }),
      message("user", words('<hook_context source="PreToolUse">heed</hook_context>')),
      message("assistant", words("DONE")),
    ],
  };
  expect(clineFormat.recognises(record)).toBe(true);
  expect(gist(clineFormat.events(record))).toEqual(GIST.slice(1));
});

test("opencode: rows of its database; what plugins put in is marked there", () => {
  const part = (role: string, data: object): object => ({ store: "opencode", id: "p", time: MS, role, data });
  const rows = [
    { store: "opencode", row: "session", id: "s1", parent_id: null, directory: "/p" },
    part("user", { type: "text", text: '"where is the board?"' }),
    part("user", { type: "text", text: "heed's own words", synthetic: true }),
    part("assistant", { type: "step-start" }),
    part("assistant", {
      type: "tool",
      tool: "bash",
      callID: "call_1",
      state: {
        status: "completed",
        input: { command: "npm test" },
        output: "no test",
        metadata: { exit: 1 },
      },
    }),
    part("assistant", { type: "text", text: "DONE" }),
  ];
  expect(gist(rows.flatMap((row) => opencodeFormat.events(row as Record<string, unknown>)))).toEqual(GIST);
});

test("a call that heed refused is a refusal, not a failed command", () => {
  const [, lines] = SAMPLES.find(([client]) => client === "pi") as (typeof SAMPLES)[number];
  const text = JSON.stringify(lines).replace('"no test"', JSON.stringify(REFUSED));
  const { events } = read(JSON.parse(text) as object[]);
  expect(events.find(({ kind }) => kind === "result")).toMatchObject({ outcome: "refused" });
});
