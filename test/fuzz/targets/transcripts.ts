import { foldEvent } from "../../../src/past/capture/fold-event.ts";
import { emptyConversation, emptyWork } from "../../../src/here/records/past-conversations.ts";
import { FORMATS, RecordReader } from "../../../src/past/capture/transcript/record-reader.ts";
import { episodeTitle, renderEpisode } from "../../../src/past/capture-session.ts";
import { type FuzzTarget, must } from "../fuzz-target.ts";

const at = (second: number): object => ({
  sessionId: "s",
  timestamp: `2026-11-21T11:00:0${second}Z`,
  uuid: `u${second}`,
});
const says = (role: string, content: unknown, second: number): object => ({
  type: role,
  cwd: "/r",
  ...at(second),
  message: { role, content },
});
const CLAUDE = [
  says("user", "Never do that, because it broke", 0),
  says("assistant", [{ type: "tool_use", id: "t", name: "Bash", input: { command: "npm test" } }], 1),
  says("user", [{ type: "tool_result", tool_use_id: "t", content: "Exit code 1", is_error: true }], 2),
];
const CODEX = [
  { ...at(0), type: "session_meta", payload: { id: "s", cwd: "/r" } },
  ...[
    { type: "message", role: "user", content: [{ type: "input_text", text: "do it" }] },
    { type: "function_call", name: "shell", call_id: "c", arguments: '{"command":["ls"]}' },
  ].map((payload) => ({ ...at(1), type: "response_item", payload })),
];
const lines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** Transcripts: read as any client's; a record of bounded size that survives being kept. */
export const transcripts: FuzzTarget = {
  name: "transcripts",
  seeds: [
    lines(CLAUDE),
    lines(CODEX),
    lines([...CLAUDE, ...CODEX]),
    '{"sessionId":"x","messages":[{"type":"user","content":"hi"}]}\n',
  ],
  words: (
    '"type":¦"user"¦"assistant"¦"message":¦"content":¦"tool_use"¦"tool_result"¦"input":¦"payload":¦' +
    'null¦[]¦{}¦"timestamp":¦\n{¦}\n'
  ).split("¦"),
  check(input) {
    for (const client of [undefined, ...FORMATS.map((format) => format.client)]) {
      const session = { conversation: emptyConversation(), work: emptyWork() };
      const reader = new RecordReader(client);
      for (const line of input.split("\n"))
        for (const event of reader.readLine(Buffer.from(line))) foldEvent(session, event);
      const kept = JSON.stringify(session);
      must(kept.length < 2_000_000, `a bounded record: ${kept.length}`);
      must(episodeTitle(session, { branch: "main", diffStat: "" }).length < 1_000, "a title is a line");
      must(renderEpisode(session, { branch: "main", diffStat: "" }).length < 20_000, "an episode is bounded");
    }
  },
};
