import { asRecord } from "../../../machine/read-fields.ts";
import { agent, argumentsOf, at, call, textAt, textOfContent, user } from "./record-fields.ts";
import type { Fields, Said, TranscriptFormat } from "./transcript-event.ts";

const KINDS = new Set(["session_meta", "response_item", "event_msg", "turn_context", "compacted"]);

/** Codex's rollout files: `{timestamp, type, payload}` a line. */
export const codexFormat: TranscriptFormat = {
  client: "codex",
  recognises: (record) => KINDS.has(textAt(record, "type")) && asRecord(record["payload"]) !== undefined,
  kindOf: (record) =>
    /^(?:response_item|event_msg)$/.test(textAt(record, "type"))
      ? textAt(record, "payload.type")
      : textAt(record, "type"),
  rows: {
    session_meta: (record) => [
      {
        kind: "place",
        cwd: textAt(record, "payload.cwd"),
        branch: textAt(record, "payload.git.branch"),
        // `{"subagent": "review"}` or `{"subagent": {"thread_spawn": …}}`.
        isSubagent: at(record, "payload.source.subagent") !== undefined,
      },
    ],
    // What the person typed; the item of the same message holds what the client put around it as well.
    user_message: (record) => [
      user(textAt(record, "payload.message"), `user-${textAt(record, "timestamp")}`),
    ],
    message: (record) => {
      const text = textOfContent(at(record, "payload.content"));
      const role = textAt(record, "payload.role");
      if (role === "assistant") return [agent(text)];
      return role === "user" ? [user(text, `item-${textAt(record, "timestamp")}`)] : [];
    },
    function_call: (record) => [called(record, at(record, "payload.arguments"))],
    custom_tool_call: (record) => [called(record, { input: textAt(record, "payload.input") })],
    local_shell_call: (record) => [call(idOf(record), "shell", at(record, "payload.action"))],
    function_call_output: (record) => [resultOf(record)],
    custom_tool_call_output: (record) => [resultOf(record)],
  },
};

const idOf = (record: Fields): string => textAt(record, "payload.call_id", "payload.id");

const called = (record: Fields, input: unknown): Said =>
  call(idOf(record), textAt(record, "payload.name"), input);

/** The output of a call and its status: an exit code in the metadata or the head of the text, or `success`. */
function resultOf(item: Fields): Said {
  const output = at(item, "payload.output");
  const given = typeof output === "string" ? argumentsOf(output) : asRecord(output);
  const record = given?.["input"] === output ? undefined : given;
  const text = textAt(record, "output") || textOfContent(record?.["content"] ?? output);
  const code =
    at(record, "metadata.exit_code") ??
    /^(?:[^\n]*\n){0,4}(?:Exit code:|Process exited with code) (-?\d+)/.exec(text)?.[1];
  const isFailed = code === undefined ? record?.["success"] === false : Number(code) !== 0;
  const isRefused = /^(?:exec command )?(?:rejected|aborted) by user/i.test(text);
  return {
    kind: "result",
    id: idOf(item),
    outcome: isRefused ? "refused" : isFailed ? "failed" : "ok",
    text,
  };
}
