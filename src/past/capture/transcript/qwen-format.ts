import { agent, at, call, outcomeOf, recordsAt, textAt, user } from "./record-fields.ts";
import type { Fields, Said, TranscriptFormat } from "./transcript-event.ts";

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
