import type { Fields } from "./record-fields.ts";
import { agentEvents, placeEvents, recordAt, textAt, userEvents } from "./record-fields.ts";
import type { TranscriptEvent, TranscriptFormat } from "./transcript-event.ts";

/** Rows of opencode's and Kilo's databases as records: a session, or a part of a message. */
export const opencodeFormat: TranscriptFormat = {
  client: "opencode",
  recognises: (record) => record["store"] === "opencode",
  events(record) {
    if (record["row"] === "session")
      return placeEvents({ cwd: textAt(record, "directory") }, typeof record["parent_id"] === "string");
    const data = recordAt(record, "data") ?? {};
    const atMs = record["time"];
    const time = typeof atMs === "number" && Number.isFinite(atMs) ? new Date(atMs).toISOString() : "";
    if (data["type"] === "tool") return toolEvents(data, time);
    const text = textAt(data, "text");
    // What a plugin put in is marked.
    if (data["type"] !== "text" || data["synthetic"] === true) return [];
    if (record["role"] === "assistant") return agentEvents(text, time);
    return userEvents(/^"([^"]*)"$/.exec(text)?.[1] ?? text, time, textAt(record, "id"));
  },
};

function toolEvents(data: Fields, time: string): TranscriptEvent[] {
  const state = recordAt(data, "state") ?? {};
  const [id, tool] = [textAt(data, "callID"), textAt(data, "tool")];
  const called: TranscriptEvent = { kind: "tool", id, tool, input: recordAt(state, "input") ?? {}, time };
  const status = textAt(state, "status");
  if (status !== "completed" && status !== "error") return [called];
  const exit = recordAt(state, "metadata")?.["exit"];
  const hasFailed = status === "error" || (typeof exit === "number" && exit !== 0);
  const text = textAt(state, "error") || textAt(state, "output");
  return [called, { kind: "result", id, outcome: hasFailed ? "failed" : "ok", text, time }];
}
