import type { SessionEvent } from "../../../src/heed.ts";
import { ADAPTERS } from "../../../src/surfaces/hooks/adapters/all-adapters.ts";
import { renderAnswer } from "../../../src/surfaces/hooks/render-answer.ts";
import { translateEvent } from "../../../src/surfaces/hooks/read-event.ts";
import type { FuzzTarget } from "../fuzz-target.ts";
import { must } from "../fuzz-target.ts";

const base = { session_id: "s", cwd: "/r", transcript_path: "/t.jsonl" };

/** What a client gives a hook: an event of bounded size or none, and an answer that is JSON. */
export const hookInput: FuzzTarget = {
  name: "hooks",
  seeds: [
    { hook_event_name: "SessionStart", source: "startup" },
    { hook_event_name: "UserPromptSubmit", prompt: "what is it?" },
    {
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "ls", deep: { a: [1, { b: "c" }] } },
    },
    { hook_event_name: "PostToolUseFailure", tool_name: "Edit", tool_input: "{}", error: "no" },
    { hook_event_name: "Stop", last_assistant_message: "done [heed:x]" },
    { hook_event_name: "SessionEnd", reason: "other" },
  ].map((event) => JSON.stringify({ ...base, ...event })),
  words: (
    '"hook_event_name": "PreToolUse" "tool_input": {"a": [ ] } " null 1e400 "__proto__": ' +
    "${tool_input} \\ud800"
  ).split(" "),
  cases: 150,
  check(input) {
    let raw: unknown;
    try {
      raw = JSON.parse(input);
    } catch {
      return;
    }
    for (const { client } of ADAPTERS) {
      const translated = translateEvent(raw, { client, env: {}, cwd: "/", whose: () => ({}) });
      must((JSON.stringify(translated?.event) ?? "").length < 4_000_000, "a bounded event");
      const { session = "", cwd = "" } = translated?.event ?? {};
      must(typeof session === "string" && typeof cwd === "string", "a session and a folder are texts");
    }
    for (const adapter of ADAPTERS) {
      for (const kind of ["session-start", "tool-use", "stop"] as const) {
        const event = { kind } as SessionEvent;
        const answer = {
          context: input,
          notice: input,
          decision: { action: "deny", reason: input },
        } as const;
        const said = renderAnswer(answer, { event, name: "Name", adapter });
        if (said !== "") JSON.parse(said);
        must(said.length < 400_000, "a bounded answer");
      }
    }
  },
};
