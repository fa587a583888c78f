import {
  type Fields,
  type Said,
  type ToolOutcome,
  type TranscriptFormat,
  agent,
  at,
  call,
  recordsAt,
  textAt,
  textOfContent,
  user,
  argumentsOf,
  outcomeOf,
} from "./transcript-event.ts";
import { asRecord } from "../../../machine/read-fields.ts";

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
    user: (record) => [claudePlaceOf(record), ...userRecord(record)],
    assistant: (record) => [claudePlaceOf(record), ...assistantRecord(record)],
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

const claudePlaceOf = (record: Fields): Said => ({
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

/** GitHub Copilot CLI's event logs (`session-state/<id>/events.jsonl`): `{type, data, id, timestamp}` a line. */
export const copilotFormat: TranscriptFormat = {
  client: "copilot-cli",
  recognises: (record) =>
    asRecord(record["data"]) !== undefined &&
    /^(?:session|user|assistant|tool)\.\w+/.test(textAt(record, "type")),
  kindOf: (record) => textAt(record, "type"),
  rows: {
    "session.start": copilotPlaceOf,
    "session.context_changed": copilotPlaceOf,
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

function copilotPlaceOf({ data }: Fields): Said[] {
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

/** Hooks and the client add to a message in parts of its own, under the client's tags. */
const ADDED_TEXT = /^\s*<qwen:/;

/** Qwen Code's chats (`projects/<folder>/chats/<session>.jsonl`): a record a line, Gemini's parts in each. */
export const qwenFormat: TranscriptFormat = {
  client: "qwen",
  recognises: (record) =>
    typeof record["provenance"] === "string" && at(record, "message.parts") !== undefined,
  kindOf: (record) => textAt(record, "type"),
  rows: {
    user: (record) => [
      {
        kind: "place",
        cwd: textAt(record, "cwd"),
        branch: textAt(record, "gitBranch"),
        isSubagent: record["isSidechain"] === true,
      },
      user(textOf(record), textAt(record, "uuid"), textAt(record, "parentUuid")),
    ],
    assistant: (record) => [
      agent(textOf(record)),
      ...partsAt(record, "functionCall").map((given) =>
        call(textAt(given, "id"), textAt(given, "name"), at(given, "args")),
      ),
    ],
    tool_result: (record) =>
      partsAt(record, "functionResponse").map((given): Said => {
        const text = textAt(given, "response.error", "response.output");
        const hasFailed = textAt(given, "response.error") !== "";
        const outcome = outcomeOf(hasFailed, text, /(?:^|\n)Exit Code: (\d+)/);
        return { kind: "result", id: textAt(given, "id"), outcome, text };
      }),
  },
};

const partsAt = (record: Fields, key: string): unknown[] =>
  recordsAt(record, "message.parts").flatMap((part) => part[key] ?? []);

function textOf(record: Fields): string {
  const texts = partsAt(record, "text").filter((text) => typeof text === "string");
  return texts.filter((text) => text !== "" && !ADDED_TEXT.test(text)).join("\n");
}

/** Rows of opencode's and Kilo's databases as records: a session, or a part of a message. */
export const opencodeFormat: TranscriptFormat = {
  client: "opencode",
  recognises: (record) => record["store"] === "opencode",
  kindOf: (record) => textAt(record, "row", "data.type"),
  rows: {
    session: (record) => [
      {
        kind: "place",
        cwd: textAt(record, "directory"),
        isSubagent: typeof record["parent_id"] === "string",
      },
    ],
    text(record) {
      // What a plugin put in is marked.
      if (at(record, "data.synthetic") === true) return [];
      const text = textAt(record, "data.text");
      if (record["role"] === "assistant") return [agent(text)];
      return [user(/^"([^"]*)"$/.exec(text)?.[1] ?? text, textAt(record, "id"))];
    },
    tool({ data }) {
      const id = textAt(data, "callID");
      const called = call(id, textAt(data, "tool"), at(data, "state.input"));
      const status = textAt(data, "state.status");
      if (status !== "completed" && status !== "error") return [called];
      const exit = at(data, "state.metadata.exit");
      const hasFailed = status === "error" || (typeof exit === "number" && exit !== 0);
      const text = textAt(data, "state.error", "state.output");
      return [called, { kind: "result", id, outcome: hasFailed ? "failed" : "ok", text }];
    },
  },
};
