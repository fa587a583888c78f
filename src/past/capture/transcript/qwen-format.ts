import type { Fields } from "./record-fields.ts";
import {
  agentEvents,
  outcomeOf,
  placeEvents,
  recordAt,
  recordsAt,
  textAt,
  userEvents,
} from "./record-fields.ts";
import type { TranscriptEvent, TranscriptFormat } from "./transcript-event.ts";

/** Hooks and the client add to a message in parts of its own, under the client's tags. */
const TYPED_TEXT = /^\s*<qwen:/;

/** Qwen Code's chats (`projects/<folder>/chats/<session>.jsonl`): a record a line, Gemini's parts in each. */
export const qwenFormat: TranscriptFormat = {
  client: "qwen",
  recognises: (record) =>
    typeof record["provenance"] === "string" && recordAt(record, "message")?.["parts"] !== undefined,
  events(record) {
    const time = textAt(record, "timestamp");
    const parts = recordsAt(recordAt(record, "message"), "parts");
    const text = parts
      .map((part) => textAt(part, "text"))
      .filter((one) => one !== "" && !TYPED_TEXT.test(one))
      .join("\n");
    switch (textAt(record, "type")) {
      case "user":
        return [
          ...placeOf(record),
          ...userEvents(text, time, textAt(record, "uuid"), textAt(record, "parentUuid")),
        ];
      case "assistant":
        return [
          ...agentEvents(text, time),
          ...parts.flatMap((part) => callEvents(recordAt(part, "functionCall"), time)),
        ];
      case "tool_result":
        return parts.flatMap((part) => resultEvents(recordAt(part, "functionResponse"), time));
      case "system":
        return textAt(record, "subtype").startsWith("compact") ? [{ kind: "compaction", time }] : [];
      default:
        return [];
    }
  },
};

function placeOf(record: Fields): TranscriptEvent[] {
  const place = { cwd: textAt(record, "cwd"), branch: textAt(record, "gitBranch") };
  return placeEvents(place, record["isSidechain"] === true);
}

function callEvents(call: Fields | undefined, time: string): TranscriptEvent[] {
  const tool = textAt(call, "name");
  return tool === ""
    ? []
    : [{ kind: "tool", id: textAt(call, "id"), tool, input: recordAt(call, "args") ?? {}, time }];
}

function resultEvents(result: Fields | undefined, time: string): TranscriptEvent[] {
  if (result === undefined) return [];
  const response = recordAt(result, "response");
  const error = textAt(response, "error");
  const text = error || textAt(response, "output");
  const outcome = outcomeOf(error !== "", text, /(?:^|\n)Exit Code: (\d+)/);
  return [{ kind: "result", id: textAt(result, "id"), outcome, text, time }];
}
