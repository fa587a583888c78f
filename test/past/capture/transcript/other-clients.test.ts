import { expect, test } from "vitest";
import { opencodeFormat } from "../../../../src/past/capture/transcript/opencode-format.ts";
import type { TranscriptEvent } from "../../../../src/past/capture/transcript/transcript-event.ts";
import { TranscriptReader } from "../../../../src/past/capture/transcript/transcript-reader.ts";

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
];

test.each(SAMPLES)(
  "%s: what the person said, what was done, and nothing of what heed told",
  (client, lines) => {
    const { client: injected, events } = read(lines);
    expect(injected).toBe(client);
    expect(gist(events)).toEqual(GIST);
  },
);

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
  const [, lines] = SAMPLES[0]!;
  const text = JSON.stringify(lines).replace("no test", REFUSED);
  const { events } = read(JSON.parse(text) as object[]);
  expect(events.find(({ kind }) => kind === "result")).toMatchObject({ outcome: "refused" });
});
