import { recordAt, recordsAt, textAt, textOfContent } from "./record-fields.ts";
import type { TranscriptEvent, TranscriptFormat } from "./transcript-event.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Factory Droid's sessions (`sessions/<folder>/<id>.jsonl`): Claude's blocks, and hooks as messages of their own. */
export const droidFormat: TranscriptFormat = {
  client: "droid",
  recognises: (record) => record["type"] === "session_start" && typeof record["owner"] === "string",
  isNoise: (head) => head.includes('"hookEventName"') || head.includes('"type":"agent_turn_outcome"'),
  events(record) {
    if (record["type"] === "session_start") {
      const [cwd, session] = [textAt(record, "cwd"), textAt(record, "id")];
      return [{ kind: "place", ...(cwd && { cwd }), ...(session && { session }) }];
    }
    const message = recordAt(record, "message");
    if (record["type"] !== "message" || message === undefined) return [];
    const time = textAt(record, "timestamp");
    return message["role"] === "assistant"
      ? assistantEvents(message, time)
      : userEvents(message, time, textAt(record, "id"));
  },
};

function userEvents(message: Fields, time: string, id: string): TranscriptEvent[] {
  // What only the user sees is a hook's; a record named `context-…` is the client's own.
  if (message["visibility"] !== undefined || id.startsWith("context-")) return [];
  const blocks = recordsAt(message, "content");
  const text = textOfContent(blocks.filter((block) => block["type"] === "text"));
  return [
    ...(text.trim() === "" ? [] : [{ kind: "user", text, time, id } as const]),
    ...blocks.filter((block) => block["type"] === "tool_result").map((block) => resultEvent(block, time)),
  ];
}

function assistantEvents(message: Fields, time: string): TranscriptEvent[] {
  return recordsAt(message, "content").flatMap((block): TranscriptEvent[] => {
    const text = textAt(block, "text");
    if (block["type"] === "text") return text.trim() === "" ? [] : [{ kind: "assistant", text, time }];
    if (block["type"] !== "tool_use") return [];
    const input = recordAt(block, "input") ?? {};
    return [{ kind: "tool", id: textAt(block, "id"), tool: textAt(block, "name"), input, time }];
  });
}

function resultEvent(block: Fields, time: string): TranscriptEvent {
  const text = textOfContent(block["content"]);
  const exitCode = /\[Process exited with code (\d+)\]\s*$/.exec(text)?.[1];
  const hasFailed = block["is_error"] === true || (exitCode !== undefined && exitCode !== "0");
  const outcome = /denied by the user|rejected by/i.test(text.slice(0, 200))
    ? "refused"
    : hasFailed
      ? "failed"
      : "ok";
  return { kind: "result", id: textAt(block, "tool_use_id"), outcome, text, time };
}
