import { agent, at, call, recordsAt, textAt, textOfContent, user } from "./record-fields.ts";
import type { Fields, Said, ToolOutcome, TranscriptFormat } from "./transcript-event.ts";

/** What the client answers for a tool that the person or a rule stopped. */
const REFUSED =
  /^(?:The user doesn't want to (?:proceed with this tool use|take this action)|\[Request interrupted by user|Permission (?:to use|for this action)|Claude requested permissions? to|This command requires approval|<tool_use_error>Sibling tool call errored|Sibling tool call errored)/;
const REFUSAL_WORDS = /(?:the user (?:said|provided the following reason[^:]*)):\s*/;

/** Claude Code's session files, subagents' too: one record a line, each block of a message its own record. */
export const claudeCodeFormat: TranscriptFormat = {
  client: "claude-code",
  recognises: (record) =>
    textAt(record, "sessionId") !== "" &&
    textAt(record, "type") !== "" &&
    (typeof record["uuid"] === "string" || record["type"] === "queue-operation"),
  kindOf: (record) => textAt(record, "type"),
  rows: {
    user: (record) => [placeOf(record), ...userRecord(record)],
    assistant: (record) => [placeOf(record), ...assistantRecord(record)],
    // Typed while the agent worked; it may not come again as a record of its own.
    "queue-operation": (record) =>
      textAt(record, "operation") === "enqueue"
        ? [user(textAt(record, "content"), `queue-${textAt(record, "timestamp")}`)]
        : [],
    attachment: (record) =>
      textAt(record, "attachment.type") === "queued_command"
        ? [user(textOfContent(at(record, "attachment.prompt")), textAt(record, "uuid"))]
        : [],
  },
};

const placeOf = (record: Fields): Said => ({
  kind: "place",
  cwd: textAt(record, "cwd"),
  branch: textAt(record, "gitBranch"),
});

function userRecord(record: Fields): Said[] {
  const results = recordsAt(record, "message.content")
    .filter((block) => block["type"] === "tool_result")
    .flatMap((block) => resultEvents(block, record));
  const isWritten =
    results.length === 0 &&
    record["isCompactSummary"] !== true &&
    record["isMeta"] !== true &&
    record["isSidechain"] !== true &&
    record["isVisibleInTranscriptOnly"] !== true;
  const text = isWritten ? textOfContent(at(record, "message.content")) : "";
  return [...results, user(text, textAt(record, "uuid"), textAt(record, "parentUuid"))];
}

function resultEvents(block: Fields, record: Fields): Said[] {
  const text = textOfContent(block["content"]);
  const isRefused = REFUSED.test(text) || at(record, "toolUseResult.interrupted") === true;
  const outcome: ToolOutcome = isRefused ? "refused" : block["is_error"] === true ? "failed" : "ok";
  const result: Said = { kind: "result", id: textAt(block, "tool_use_id"), outcome, text };
  const words = isRefused && record["isSidechain"] !== true ? REFUSAL_WORDS.exec(text) : null;
  if (!words) return [result];
  return [result, user(text.slice(words.index + words[0].length), `${textAt(record, "uuid")}-words`)];
}

function assistantRecord(record: Fields): Said[] {
  const isError = record["isApiErrorMessage"] === true;
  return recordsAt(record, "message.content").flatMap((block): Said[] => {
    if (block["type"] === "text") return isError ? [] : [agent(textAt(block, "text"))];
    return block["type"] === "tool_use"
      ? [call(textAt(block, "id"), textAt(block, "name"), block["input"])]
      : [];
  });
}
