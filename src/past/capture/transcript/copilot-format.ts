import type { Fields } from "./record-fields.ts";
import {
  agentEvents,
  argumentsOf,
  outcomeOf,
  placeEvents,
  recordAt,
  recordsAt,
  textAt,
  userEvents,
} from "./record-fields.ts";
import type { TranscriptEvent, TranscriptFormat } from "./transcript-event.ts";

/** GitHub Copilot CLI's event logs (`session-state/<id>/events.jsonl`): `{type, data, id, timestamp}` a line. */
export const copilotFormat: TranscriptFormat = {
  client: "copilot-cli",
  recognises: (record) =>
    recordAt(record, "data") !== undefined &&
    /^(?:session|user|assistant|tool)\.\w+/.test(textAt(record, "type")),
  events(record) {
    const data = recordAt(record, "data") ?? {};
    const time = textAt(record, "timestamp");
    switch (textAt(record, "type")) {
      case "session.start":
      case "session.context_changed":
        return placeOf(recordAt(data, "context") ?? data);
      case "session.compaction_complete":
        return [{ kind: "compaction", time }];
      case "user.message":
        return isTyped(data) ? userEvents(textAt(data, "content"), time, textAt(record, "id")) : [];
      case "assistant.message":
        return assistantEvents(data, time);
      case "tool.execution_start": {
        // The same call as in the message before, where that has it; the id tells.
        const [id, tool] = [textAt(data, "toolCallId"), textAt(data, "toolName")];
        const input = argumentsOf(data["arguments"]);
        return id === "" || tool === "" ? [] : [{ kind: "tool", id, tool, input, time }];
      }
      case "tool.execution_complete":
        return [resultEvent(data, time)];
      default:
        return [];
    }
  },
};

function placeOf(context: Fields): TranscriptEvent[] {
  return placeEvents({ cwd: textAt(context, "cwd"), branch: textAt(context, "branch") });
}

/** Messages of a subagent's parent or of an unattended run are not the person's. */
function isTyped(data: Fields): boolean {
  const source = textAt(data, "source");
  return (
    (source === "" || source === "user") &&
    data["isAutopilotContinuation"] !== true &&
    // In prompt mode the person's own message names a task too; it is delivered to a session that waits for it.
    (textAt(data, "parentAgentTaskId") === "" || textAt(data, "delivery") === "idle")
  );
}

function assistantEvents(data: Fields, time: string): TranscriptEvent[] {
  const calls = recordsAt(data, "toolRequests").map((request): TranscriptEvent => ({
    kind: "tool",
    id: textAt(request, "toolCallId"),
    tool: textAt(request, "name"),
    input: argumentsOf(request["arguments"]),
    time,
  }));
  return [...agentEvents(textAt(data, "content"), time), ...calls];
}

function resultEvent(data: Fields, time: string): TranscriptEvent {
  const error = recordAt(data, "error");
  const text =
    textAt(error, "message") ||
    textAt(data, "error") ||
    textAt(recordAt(data, "result"), "content") ||
    textAt(data, "result");
  const isRefused = textAt(error, "code") === "rejected" || textAt(error, "code") === "denied";
  const ended = outcomeOf(data["success"] === false, text, /<exited with exit code (\d+)>\s*$/);
  const outcome = isRefused ? "refused" : ended;
  return { kind: "result", id: textAt(data, "toolCallId"), outcome, text, time };
}
