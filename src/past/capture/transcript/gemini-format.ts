import type { Fields } from "./record-fields.ts";
import {
  agentEvents,
  outcomeOf,
  placeEvents,
  recordAt,
  recordsAt,
  textAt,
  textOfContent,
  userEvents,
} from "./record-fields.ts";
import type { ToolOutcome, TranscriptEvent, TranscriptFormat } from "./transcript-event.ts";

const OUTCOMES: Readonly<Record<string, ToolOutcome>> = { error: "failed", cancelled: "refused" };

/**
 * Gemini CLI's chats: a head record, then one message a line, written again when its tool calls end. `$set`
 * records change the head or bring the first messages.
 */
export const geminiFormat: TranscriptFormat = {
  client: "gemini-cli",
  recognises: (record) =>
    typeof record["projectHash"] === "string" ||
    recordAt(record, "$set") !== undefined ||
    (textAt(record, "type") === "gemini" && typeof record["content"] === "string"),
  events(record) {
    if (typeof record["projectHash"] === "string") return placeEvents({}, record["kind"] === "subagent");
    const set = recordAt(record, "$set");
    return set ? recordsAt(set, "messages").flatMap(messageEvents) : messageEvents(record);
  },
};

function messageEvents(message: Fields): TranscriptEvent[] {
  const time = textAt(message, "timestamp");
  const text = textOfContent(message["content"]);
  if (message["type"] === "user") return userEvents(text, time, textAt(message, "id"));
  if (message["type"] !== "gemini") return [];
  return [...agentEvents(text, time), ...recordsAt(message, "toolCalls").flatMap(callEvents)];
}

function callEvents(call: Fields): TranscriptEvent[] {
  const [id = "", tool = "", time = "", status = ""] = ["id", "name", "timestamp", "status"].map((key) =>
    textAt(call, key),
  );
  if (tool === "") return [];
  const input = recordAt(call, "args") ?? {};
  const called: TranscriptEvent = { kind: "tool", id, tool, input, time };
  if (status !== "success" && OUTCOMES[status] === undefined) return [called];
  const response = recordsAt(call, "result")
    .map((part) => recordAt(recordAt(part, "functionResponse"), "response"))
    .find((found) => found !== undefined);
  const text =
    textAt(response, "error") || textAt(response, "output") || textOfContent(call["resultDisplay"]);
  const outcome = OUTCOMES[status] ?? outcomeOf(false, text, /(?:^|\n)Exit Code: (\d+)/);
  return [called, { kind: "result", id, outcome, text, time }];
}
