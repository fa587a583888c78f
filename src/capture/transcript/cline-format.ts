import { recordAt, recordsAt, textAt, textOfContent } from "./record-fields.ts";
import type { TranscriptEvent, TranscriptFormat } from "./transcript-event.ts";

type Fields = Readonly<Record<string, unknown>>;

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
  events(record) {
    const session = textAt(record, "sessionId");
    return [
      ...(session === "" ? [] : [{ kind: "place", session } as const]),
      ...recordsAt(record, "messages").flatMap(messageEvents),
    ];
  },
};

function messageEvents(message: Fields): TranscriptEvent[] {
  const time = typeof message["ts"] === "number" ? new Date(message["ts"]).toISOString() : "";
  return recordsAt(message, "content").flatMap((block): TranscriptEvent[] => {
    const text = textAt(block, "text");
    switch (block["type"]) {
      case "text": {
        if (message["role"] === "assistant")
          return text.trim() === "" ? [] : [{ kind: "assistant", text, time }];
        const said = PROMPT.exec(text)?.[1];
        return said === undefined ? [] : [{ kind: "user", text: said, time, id: textAt(message, "id") }];
      }
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
  const input = recordAt(block, "input") ?? {};
  const { commands } = input;
  const named = Array.isArray(commands) ? { ...input, command: commands.map(String).join("\n") } : input;
  const name = textAt(block, "name");
  const tool = /^(?:run_commands|execute_command)$/.test(name) ? "bash" : name;
  return { kind: "tool", id: textAt(block, "id"), tool, input: named, time };
}

function resultEvent(block: Fields, time: string): TranscriptEvent {
  const parts = recordsAt(block, "content");
  const hasFailed = block["is_error"] === true || parts.some((part) => part["success"] === false);
  const told = parts
    .map((part) => textAt(part, "result") || textAt(part, "error"))
    .filter((text) => text !== "");
  const text = told.length > 0 ? told.join("\n") : textOfContent(block["content"]);
  return {
    kind: "result",
    id: textAt(block, "tool_use_id"),
    outcome: hasFailed ? "failed" : "ok",
    text,
    time,
  };
}
