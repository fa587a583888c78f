import type { Fields } from "./record-fields.ts";
import {
  agentEvents,
  isoTimeOf,
  recordsAt,
  textAt,
  textOfContent,
  toolUseOf,
  userEvents,
} from "./record-fields.ts";
import type { TranscriptEvent, TranscriptFormat } from "./transcript-event.ts";

/** A prompt is wrapped, with the mode that it was given in. */
const PROMPT = /^\s*<user_input\b[^>\n]{0,200}>([\s\S]*?)<\/user_input>/;

/** Cline's sessions (`sessions/<id>/<id>.messages.json`): one JSON file, whose messages hold Claude's blocks. */
export const clineFormat: TranscriptFormat = {
  client: "cline",
  recognises: (record) =>
    Array.isArray(record["messages"]) &&
    typeof record["sessionId"] === "string" &&
    record["projectHash"] === undefined,
  isNoise: () => false,
  events: (record) => recordsAt(record, "messages").flatMap(messageEvents),
};

function messageEvents(message: Fields): TranscriptEvent[] {
  const time = isoTimeOf(message["ts"]);
  return recordsAt(message, "content").flatMap((block): TranscriptEvent[] => {
    const text = textAt(block, "text");
    switch (block["type"]) {
      case "text":
        return message["role"] === "assistant"
          ? agentEvents(text, time)
          : userEvents(PROMPT.exec(text)?.[1] ?? "", time, textAt(message, "id"));
      case "tool_use":
        return [callEvent(block, time)];
      case "tool_result":
        return [resultEvent(block, time)];
      default:
        return [];
    }
  });
}

/** Several commands in one call are one script. */
function callEvent(block: Fields, time: string): TranscriptEvent {
  const call = toolUseOf(block, time);
  const { commands } = call.input;
  const input = Array.isArray(commands)
    ? { ...call.input, command: commands.map(String).join("\n") }
    : call.input;
  return { ...call, tool: /^(?:run_commands|execute_command)$/.test(call.tool) ? "bash" : call.tool, input };
}

function resultEvent(block: Fields, time: string): TranscriptEvent {
  const parts = recordsAt(block, "content");
  const hasFailed = block["is_error"] === true || parts.some((part) => part["success"] === false);
  const texts = parts
    .map((part) => textAt(part, "result") || textAt(part, "error"))
    .filter((text) => text !== "");
  const text = texts.length > 0 ? texts.join("\n") : textOfContent(block["content"]);
  const outcome = hasFailed ? "failed" : "ok";
  return { kind: "result", id: textAt(block, "tool_use_id"), outcome, text, time };
}
