import { agent, at, call, outcomeOf, recordsAt, textAt, textOfContent, user } from "./record-fields.ts";
import type { Fields, Said, ToolOutcome, TranscriptFormat } from "./transcript-event.ts";

const OUTCOMES: Readonly<Record<string, ToolOutcome>> = { error: "failed", cancelled: "refused" };

/**
 * Gemini CLI's chats: a head record, then one message a line, written again when its tool calls end. `$set`
 * records change the head or bring the first messages.
 */
export const geminiFormat: TranscriptFormat = {
  client: "gemini-cli",
  recognises: (record) =>
    /^(?:head|\$set)$/.test(kindOf(record)) ||
    (kindOf(record) === "gemini" && typeof record["content"] === "string"),
  kindOf,
  rows: {
    head: (record) => [{ kind: "place", isSubagent: record["kind"] === "subagent" }],
    $set: (record) => recordsAt(record, "$set.messages").flatMap(messageEvents),
    user: messageEvents,
    gemini: messageEvents,
  },
};

function kindOf(record: Fields): string {
  if (typeof record["projectHash"] === "string") return "head";
  return record["$set"] === undefined ? textAt(record, "type") : "$set";
}

function messageEvents(message: Fields): Said[] {
  const time = textAt(message, "timestamp");
  const text = textOfContent(message["content"]);
  if (message["type"] === "user") return [{ ...user(text, textAt(message, "id")), time }];
  if (message["type"] !== "gemini") return [];
  return [{ ...agent(text), time }, ...recordsAt(message, "toolCalls").flatMap(callEvents)];
}

function callEvents(given: Fields): Said[] {
  const [id, time, status] = [textAt(given, "id"), textAt(given, "timestamp"), textAt(given, "status")];
  const called = { ...call(id, textAt(given, "name"), given["args"]), time };
  if (status !== "success" && OUTCOMES[status] === undefined) return [called];
  const response = recordsAt(given, "result")
    .map((part) => at(part, "functionResponse.response"))
    .find((found) => found !== undefined);
  const text = textAt(response, "error", "output") || textOfContent(given["resultDisplay"]);
  const outcome = OUTCOMES[status] ?? outcomeOf(false, text, /(?:^|\n)Exit Code: (\d+)/);
  return [called, { kind: "result", id, outcome, text, time }];
}
