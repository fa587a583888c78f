import type { Fields } from "./record-fields.ts";
import {
  agentEvents,
  isoTimeOf,
  placeEvents,
  recordAt,
  textAt,
  textOfContent,
  userEvents,
} from "./record-fields.ts";
import type { TranscriptEvent, TranscriptFormat } from "./transcript-event.ts";

/** Kimi Code's wire logs (`sessions/<folder>/session_<id>/agents/main/wire.jsonl`). */
export const kimiFormat: TranscriptFormat = {
  client: "kimi",
  recognises: (record) => record["type"] === "metadata" && typeof record["protocol_version"] === "string",
  isNoise: (head) =>
    /^\{"type":"(?:llm\.|usage\.|token_counting|profile\.|mcp\.|plugin\.|runtime\.|context\.append_message)/.test(
      head,
    ),
  events(record) {
    const time = isoTimeOf(record["time"]);
    switch (record["type"]) {
      // The prompt as it was typed; what goes into the context besides is another record.
      case "turn.prompt": {
        const isTyped = textAt(recordAt(record, "origin"), "kind") === "user";
        return isTyped ? userEvents(textOfContent(record["input"]), time, textAt(record, "promptId")) : [];
      }
      case "context.append_loop_event":
        return loopEvents(recordAt(record, "event") ?? {}, time);
      case "context.compacted":
        return [{ kind: "compaction", time }];
      default:
        return [];
    }
  },
};

function loopEvents(event: Fields, time: string): TranscriptEvent[] {
  const id = textAt(event, "toolCallId");
  switch (event["type"]) {
    case "tool.call": {
      const cwd = textAt(recordAt(event, "display"), "cwd");
      return [
        ...placeEvents({ cwd }),
        { kind: "tool", id, tool: textAt(event, "name"), input: recordAt(event, "args") ?? {}, time },
      ];
    }
    case "tool.result": {
      const result = recordAt(event, "result");
      const text = textAt(result, "output");
      return [{ kind: "result", id, outcome: result?.["isError"] === true ? "failed" : "ok", text, time }];
    }
    case "content.part": {
      const part = recordAt(event, "part");
      return part?.["type"] === "text" ? agentEvents(textAt(part, "text"), time) : [];
    }
    default:
      return [];
  }
}
