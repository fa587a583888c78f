import type { Fields } from "./record-fields.ts";
import {
  agentBlockEvents,
  outcomeOf,
  placeEvents,
  recordAt,
  recordsAt,
  textAt,
  textOfContent,
  userEvents,
} from "./record-fields.ts";
import type { TranscriptEvent, TranscriptFormat } from "./transcript-event.ts";

/** Factory Droid's sessions (`sessions/<folder>/<id>.jsonl`): Claude's blocks, and hooks as messages of their own. */
export const droidFormat: TranscriptFormat = {
  client: "droid",
  recognises: (record) => record["type"] === "session_start" && typeof record["owner"] === "string",
  isNoise: (head) => head.includes('"hookEventName"') || head.includes('"type":"agent_turn_outcome"'),
  events(record) {
    if (record["type"] === "session_start") return placeEvents({ cwd: textAt(record, "cwd") });
    const message = recordAt(record, "message");
    if (record["type"] !== "message" || message === undefined) return [];
    const time = textAt(record, "timestamp");
    return message["role"] === "assistant"
      ? agentBlockEvents(recordsAt(message, "content"), time)
      : userMessageEvents(message, time, textAt(record, "id"));
  },
};

function userMessageEvents(message: Fields, time: string, id: string): TranscriptEvent[] {
  // What only the user sees is a hook's; a record named `context-…` is the client's own.
  if (message["visibility"] !== undefined || id.startsWith("context-")) return [];
  const blocks = recordsAt(message, "content");
  const text = textOfContent(blocks.filter((block) => block["type"] === "text"));
  return [
    ...userEvents(text, time, id),
    ...blocks.filter((block) => block["type"] === "tool_result").map((block) => resultEvent(block, time)),
  ];
}

function resultEvent(block: Fields, time: string): TranscriptEvent {
  const text = textOfContent(block["content"]);
  const outcome = /denied by the user|rejected by/i.test(text.slice(0, 200))
    ? "refused"
    : outcomeOf(block["is_error"] === true, text, /\[Process exited with code (\d+)\]\s*$/);
  return { kind: "result", id: textAt(block, "tool_use_id"), outcome, text, time };
}
