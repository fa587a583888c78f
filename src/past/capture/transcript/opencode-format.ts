import { at, agent, call, textAt, user } from "./record-fields.ts";
import type { TranscriptFormat } from "./transcript-event.ts";

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
