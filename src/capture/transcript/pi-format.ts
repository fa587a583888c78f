import type { Fields } from "./record-fields.ts";
import {
  agentEvents,
  placeEvents,
  recordAt,
  recordsAt,
  textAt,
  textOfContent,
  userEvents,
} from "./record-fields.ts";
import type { TranscriptEvent, TranscriptFormat } from "./transcript-event.ts";

/** pi's sessions (`sessions/--<folder>--/<time>_<id>.jsonl`): a tree in the order of writing. */
export const piFormat: TranscriptFormat = {
  client: "pi",
  recognises: (record) => record["type"] === "session" && typeof record["version"] === "number",
  // What extensions put in, heed's too, are records of their own.
  isNoise: (head) =>
    /^\{"type":"(?:custom|custom_message|model_change|thinking_level_change|label)"/.test(head),
  events(record) {
    const time = textAt(record, "timestamp");
    switch (record["type"]) {
      case "session":
        return placeEvents({ cwd: textAt(record, "cwd") });
      case "compaction":
        return [{ kind: "compaction", time }];
      case "message":
        return messageEvents(recordAt(record, "message") ?? {}, time, textAt(record, "id"));
      default:
        return [];
    }
  },
};

function messageEvents(message: Fields, time: string, id: string): TranscriptEvent[] {
  const text = textOfContent(message["content"]);
  switch (message["role"]) {
    case "user":
      return userEvents(text, time, id);
    case "assistant":
      return [
        ...agentEvents(text, time),
        ...recordsAt(message, "content")
          .filter((part) => part["type"] === "toolCall")
          .map((part): TranscriptEvent => {
            const input = recordAt(part, "arguments") ?? {};
            return { kind: "tool", id: textAt(part, "id"), tool: textAt(part, "name"), input, time };
          }),
      ];
    case "toolResult": {
      const outcome = message["isError"] === true ? "failed" : "ok";
      return [{ kind: "result", id: textAt(message, "toolCallId"), outcome, text, time }];
    }
    default:
      return [];
  }
}
