import { asRecord } from "../../../machine/read-fields.ts";
import { agent, call, outcomeOf, recordsAt, textAt, user } from "./record-fields.ts";
import type { Fields, Said, TranscriptFormat } from "./transcript-event.ts";

/** GitHub Copilot CLI's event logs (`session-state/<id>/events.jsonl`): `{type, data, id, timestamp}` a line. */
export const copilotFormat: TranscriptFormat = {
  client: "copilot-cli",
  recognises: (record) =>
    asRecord(record["data"]) !== undefined &&
    /^(?:session|user|assistant|tool)\.\w+/.test(textAt(record, "type")),
  kindOf: (record) => textAt(record, "type"),
  rows: {
    "session.start": placeOf,
    "session.context_changed": placeOf,
    "user.message": (record) =>
      isTyped(record) ? [user(textAt(record, "data.content"), textAt(record, "id"))] : [],
    "assistant.message": (record) => [
      agent(textAt(record, "data.content")),
      ...recordsAt(record, "data.toolRequests").map((request) =>
        call(textAt(request, "toolCallId"), textAt(request, "name"), request["arguments"]),
      ),
    ],
    // The same call as in the message before, where that has it; the id tells.
    "tool.execution_start": ({ data }) =>
      textAt(data, "toolCallId") === ""
        ? []
        : [call(textAt(data, "toolCallId"), textAt(data, "toolName"), asRecord(data)?.["arguments"])],
    "tool.execution_complete": ({ data }) => {
      const text = textAt(data, "error.message", "error", "result.content", "result");
      const isRefused = /^(?:rejected|denied)$/.test(textAt(data, "error.code"));
      const hasFailed = asRecord(data)?.["success"] === false;
      const outcome = isRefused ? "refused" : outcomeOf(hasFailed, text, /<exited with exit code (\d+)>\s*$/);
      return [{ kind: "result", id: textAt(data, "toolCallId"), outcome, text }];
    },
  },
};

function placeOf({ data }: Fields): Said[] {
  const [cwd, branch] = ["cwd", "branch"].map((key) => textAt(data, `context.${key}`, key));
  return [{ kind: "place", cwd: cwd ?? "", branch: branch ?? "" }];
}

/** Messages of a subagent's parent or of an unattended run are not the person's. */
function isTyped({ data }: Fields): boolean {
  return (
    /^(?:user)?$/.test(textAt(data, "source")) &&
    asRecord(data)?.["isAutopilotContinuation"] !== true &&
    // In prompt mode the person's own message names a task too; it is delivered to a session that waits for it.
    (textAt(data, "parentAgentTaskId") === "" || textAt(data, "delivery") === "idle")
  );
}
