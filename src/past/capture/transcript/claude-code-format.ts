import { asRecord } from "../../../machine/read-fields.ts";
import type { Fields } from "./record-fields.ts";
import {
  agentEvents,
  placeEvents,
  recordAt,
  recordsAt,
  textAt,
  textOfContent,
  userEvents,
} from "./record-fields.ts";
import type { ToolOutcome, TranscriptEvent, TranscriptFormat } from "./transcript-event.ts";

/** What the client answers for a tool that the person or a rule stopped. */
const REFUSED =
  /^(?:The user doesn't want to (?:proceed with this tool use|take this action)|\[Request interrupted by user|Permission (?:to use|for this action)|Claude requested permissions? to|This command requires approval|<tool_use_error>Sibling tool call errored|Sibling tool call errored)/;
const REFUSAL_WORDS = /(?:the user (?:said|provided the following reason[^:]*)):\s*/;

/** Claude Code's session files, subagents' too: one record a line, each block of a message its own record. */
export const claudeCodeFormat: TranscriptFormat = {
  client: "claude-code",
  recognises: (record) =>
    typeof record["sessionId"] === "string" &&
    typeof record["type"] === "string" &&
    (typeof record["uuid"] === "string" || record["type"] === "queue-operation"),
  events(record) {
    const type = textAt(record, "type");
    const time = textAt(record, "timestamp");
    const place = placeEvents({ cwd: textAt(record, "cwd"), branch: textAt(record, "gitBranch") });
    switch (type) {
      case "user":
        return [...place, ...userRecordEvents(record, time)];
      case "assistant":
        return [...place, ...assistantEvents(record, time)];
      case "system":
        return textAt(record, "subtype") === "compact_boundary" ? [{ kind: "compaction", time }] : [];
      case "queue-operation":
        // Typed while the agent worked; it may not come again as a record of its own.
        return textAt(record, "operation") === "enqueue"
          ? userEvents(textAt(record, "content"), time, `queue-${time}`)
          : [];
      case "attachment": {
        const attachment = recordAt(record, "attachment");
        return textAt(attachment, "type") === "queued_command"
          ? userEvents(textOfContent(attachment?.["prompt"]), time, textAt(record, "uuid"))
          : [];
      }
      default:
        return [];
    }
  },
};

function userRecordEvents(record: Fields, time: string): TranscriptEvent[] {
  if (record["isCompactSummary"] === true) return [{ kind: "compaction", time }];
  const content = recordAt(record, "message")?.["content"];
  const blocks = recordsAt(recordAt(record, "message"), "content");
  const results = blocks
    .filter((block) => block["type"] === "tool_result")
    .flatMap((block) => resultEvents(block, record, time));
  const isWritten =
    record["isMeta"] !== true &&
    record["isSidechain"] !== true &&
    record["isVisibleInTranscriptOnly"] !== true;
  const text =
    typeof content === "string"
      ? content
      : textOfContent(blocks.filter((block) => block["type"] === "text" && results.length === 0));
  return isWritten
    ? [...results, ...userEvents(text, time, textAt(record, "uuid"), textAt(record, "parentUuid"))]
    : results;
}

function resultEvents(block: Fields, record: Fields, time: string): TranscriptEvent[] {
  const text = textOfContent(block["content"]);
  const isInterrupted = asRecord(record["toolUseResult"])?.["interrupted"] === true;
  const outcome: ToolOutcome =
    REFUSED.test(text) || isInterrupted ? "refused" : block["is_error"] === true ? "failed" : "ok";
  const result: TranscriptEvent = {
    kind: "result",
    id: textAt(block, "tool_use_id"),
    outcome,
    text,
    time,
  };
  const words = outcome === "refused" ? REFUSAL_WORDS.exec(text) : null;
  if (!words || record["isSidechain"] === true) return [result];
  const said = text.slice(words.index + words[0].length);
  return [result, { kind: "user", text: said, time, id: `${textAt(record, "uuid")}-words` }];
}

function assistantEvents(record: Fields, time: string): TranscriptEvent[] {
  const message = recordAt(record, "message");
  const content = message?.["content"];
  if (typeof content === "string") return agentEvents(content, time);
  const isError = record["isApiErrorMessage"] === true;
  return recordsAt(message, "content").flatMap((block): TranscriptEvent[] => {
    if (block["type"] === "text") return isError ? [] : agentEvents(textAt(block, "text"), time);
    if (block["type"] !== "tool_use") return [];
    const input = recordAt(block, "input") ?? {};
    return [{ kind: "tool", id: textAt(block, "id"), tool: textAt(block, "name"), input, time }];
  });
}
