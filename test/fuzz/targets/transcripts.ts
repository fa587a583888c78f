import { foldEvent } from "../../../src/past/capture/fold-event.ts";
import { emptyConversation, emptyWork } from "../../../src/here/records/past-conversations.ts";
import { FORMATS, RecordReader } from "../../../src/past/capture/transcript/record-reader.ts";
import { episodeTitle, renderEpisode } from "../../../src/past/capture/render-episode.ts";
import { type FuzzTarget, must } from "../fuzz-target.ts";

const CLAUDE = [
  {
    type: "user",
    sessionId: "s",
    cwd: "/r",
    timestamp: "2026-11-21T11:00:00Z",
    uuid: "u1",
    message: { role: "user", content: "Never do that, because it broke" },
  },
  {
    type: "assistant",
    sessionId: "s",
    timestamp: "2026-11-21T11:00:01Z",
    uuid: "u2",
    message: {
      role: "assistant",
      content: [{ type: "tool_use", id: "t", name: "Bash", input: { command: "npm test" } }],
    },
  },
  {
    type: "user",
    sessionId: "s",
    timestamp: "2026-11-21T11:00:02Z",
    uuid: "u3",
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t", content: "Exit code 1", is_error: true }],
    },
  },
];
const CODEX = [
  { timestamp: "2026-11-21T11:00:00Z", type: "session_meta", payload: { id: "s", cwd: "/r" } },
  {
    timestamp: "2026-11-21T11:00:01Z",
    type: "response_item",
    payload: { type: "message", role: "user", content: [{ type: "input_text", text: "do it" }] },
  },
  {
    timestamp: "2026-11-21T11:00:02Z",
    type: "response_item",
    payload: { type: "function_call", name: "shell", call_id: "c", arguments: '{"command":["ls"]}' },
  },
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
        for (const event of reader.read(Buffer.from(line))) foldEvent(session, event);
      const kept = JSON.stringify(session);
      must(kept.length < 2_000_000, `a bounded record: ${kept.length}`);
      must(episodeTitle(session).length < 1_000, "a title is a line");
      must(renderEpisode(session, { branch: "main", diffStat: "" }).length < 20_000, "an episode is bounded");
    }
  },
};
