import { expect, it } from "vitest";
import { actingAs } from "../../../src/surfaces/cli/arguments/acting-as.ts";

it.each([
  [{}, "person", undefined],
  [{ CLAUDECODE: "1" }, "model", "claude-code"],
  [{ CODEX_SANDBOX: "seatbelt" }, "model", "codex"],
  [{ CODEX_SANDBOX_NETWORK_DISABLED: "1" }, "model", "codex"],
  [{ CURSOR_AGENT: "1" }, "model", "cursor"],
  [{ GEMINI_CLI: "1" }, "model", "gemini-cli"],
  [{ OPENCODE: "1" }, "model", "opencode"],
  [{ AI_AGENT: "Devin" }, "model", "devin"],
  [{ AGENT: "amp" }, "model", "amp"],
  // A person's own settings and terminals.
  [{ CODEX_HOME: "/home/me/.codex" }, "person", undefined],
  [{ CURSOR_TRACE_ID: "abc" }, "person", undefined],
  [{ CLAUDECODE: "0" }, "person", undefined],
  [{ CLAUDECODE: "" }, "person", undefined],
])("%j is a %s", (env, kind, client) => {
  const { actor } = actingAs(env);
  expect(actor.kind).toBe(kind);
  expect(actor.client).toBe(client);
});

it("knows the session of Claude Code, and names the variable that told", () => {
  expect(actingAs({ CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s1" })).toEqual({
    actor: { kind: "model", client: "claude-code", session: "s1" },
    variable: "CLAUDECODE",
  });
});
