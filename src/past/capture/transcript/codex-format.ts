import { asRecord } from "../../../machine/read-fields.ts";
import type { Fields } from "./record-fields.ts";
import {
  agentEvents,
  argumentsOf,
  placeEvents,
  recordAt,
  textAt,
  textOfContent,
  userEvents,
} from "./record-fields.ts";
import type { ToolOutcome, TranscriptEvent, TranscriptFormat } from "./transcript-event.ts";

const KINDS = new Set(["session_meta", "response_item", "event_msg", "turn_context", "compacted"]);

/** Codex's rollout files: `{timestamp, type, payload}` a line. */
export const codexFormat: TranscriptFormat = {
  client: "codex",
  recognises: (record) => KINDS.has(textAt(record, "type")) && recordAt(record, "payload") !== undefined,
  events(record) {
    const payload = recordAt(record, "payload");
    const time = textAt(record, "timestamp");
    if (!payload) return [];
    switch (textAt(record, "type")) {
      case "session_meta": {
        const place = { cwd: textAt(payload, "cwd"), branch: textAt(recordAt(payload, "git"), "branch") };
        // `{"subagent": "review"}` or `{"subagent": {"thread_spawn": …}}`.
        return placeEvents(place, recordAt(payload, "source")?.["subagent"] !== undefined);
      }
      case "compacted":
        return [{ kind: "compaction", time }];
      case "event_msg":
        return eventMessage(payload, time);
      case "response_item":
        return responseItem(payload, time);
      default:
        return [];
    }
  },
};

function eventMessage(payload: Fields, time: string): TranscriptEvent[] {
  // What the person typed; the item of the same message holds what the client put around it as well.
  if (textAt(payload, "type") === "user_message")
    return userEvents(textAt(payload, "message"), time, `user-${time}`);
  return textAt(payload, "type") === "context_compacted" ? [{ kind: "compaction", time }] : [];
}

function responseItem(payload: Fields, time: string): TranscriptEvent[] {
  const id = textAt(payload, "call_id") || textAt(payload, "id");
  const called = (tool: string, input: Fields): TranscriptEvent[] => [
    { kind: "tool", id, tool, input, time },
  ];
  switch (textAt(payload, "type")) {
    case "message": {
      const text = textOfContent(payload["content"]);
      const role = textAt(payload, "role");
      if (role === "assistant") return agentEvents(text, time);
      return role === "user" ? userEvents(text, time, `item-${time}`) : [];
    }
    case "function_call":
      return called(textAt(payload, "name"), argumentsOf(payload["arguments"]));
    case "custom_tool_call":
      return called(textAt(payload, "name"), { input: textAt(payload, "input") });
    case "local_shell_call":
      return called("shell", recordAt(payload, "action") ?? {});
    case "function_call_output":
    case "custom_tool_call_output":
      return [{ kind: "result", id, ...readOutput(payload["output"]), time }];
    default:
      return [];
  }
}

/** The output of a call and its status: an exit code in the metadata or the head of the text, or `success`. */
function readOutput(output: unknown): { outcome: ToolOutcome; text: string } {
  const given = typeof output === "string" ? argumentsOf(output) : asRecord(output);
  const record = typeof output === "string" && given?.["input"] === output ? undefined : given;
  const text =
    typeof output === "string" && !record
      ? output
      : textAt(record, "output") || textOfContent(record?.["content"] ?? output);
  const code =
    recordAt(record, "metadata")?.["exit_code"] ??
    /^(?:[^\n]*\n){0,4}(?:Exit code:|Process exited with code) (-?\d+)/.exec(text)?.[1];
  const isFailed = code !== undefined ? Number(code) !== 0 : record?.["success"] === false;
  const isRefused = /^(?:exec command )?(?:rejected|aborted) by user/i.test(text);
  return { outcome: isRefused ? "refused" : isFailed ? "failed" : "ok", text };
}
