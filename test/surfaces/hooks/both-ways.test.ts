import { expect, test } from "vitest";
import { memoryFile } from "../../home/temporary-heed.ts";
import { McpProcess } from "../mcp/mcp-process.ts";
import { RULE, SandboxHome } from "../sandbox-home.ts";

const FACT = memoryFile({
  type: "project",
  name: "staging-database",
  statement: "the staging database is postgres 14 on host stg-db-2",
  body: "The staging database is postgres 14 on host stg-db-2, since 2026-05-02.",
  metadata: ["tags: [staging, database, postgres]"],
});

const EVENTS: Record<string, unknown>[] = [
  { hook_event_name: "SessionStart", source: "startup" },
  { hook_event_name: "SubagentStart", agent_id: "a1", agent_type: "Explore" },
  { hook_event_name: "UserPromptSubmit", prompt: 'on which host is the staging database? "stg" ${x}\n' },
  { hook_event_name: "UserPromptSubmit", prompt: "write a poem about the sea" },
  { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: 'npm publish --tag "${x}"\n' } },
  { hook_event_name: "PostToolUseFailure", tool_name: "Bash", tool_input: { command: "x" }, error: "Exit 3" },
  { hook_event_name: "PreCompact", trigger: "manual" },
  { hook_event_name: "SessionStart", source: "compact" },
  { hook_event_name: "Stop", last_assistant_message: "done" },
];

// A receipt's id and the code of a call are new each time; nothing else may differ.
/** A command that no client started is in a run without a user, which is told no way to allow a call. */
const withoutIds = (text: string): string =>
  text
    .replace(/01[0-9A-HJKMNP-TV-Z]{24}/g, "ID")
    .replace(/\\n\\n(?:Nobody can allow it|The whole call).*(?="\}\}$)/, "");

test("hooks say the same as commands and through the server", async () => {
  const homes = [new SandboxHome(), new SandboxHome()] as const;
  for (const home of homes) {
    home.write(
      "store/feedback/keep-the-lockfile.md",
      RULE.replace("type: feedback", "type: feedback\n  guard: { command: npm publish }"),
    );
    home.write("store/project/staging-database.md", FACT);
  }
  const [byCommand, byServer] = homes;
  const server = await McpProcess.opened(byServer, "modern", ["claude"]);
  const said: string[] = [];
  for (const { hook_event_name: name, ...event } of EVENTS) {
    const { stdout } = byCommand.run(["hook"], byCommand.event(String(name), event));
    // As the client fills the tool's input: everything as text.
    const asText = Object.entries(event).map(([key, value]) => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
    ]);
    const text = await server.hook(String(name), { agent_id: "", ...Object.fromEntries(asText) });
    expect(withoutIds(text === "{}" ? "" : text)).toBe(withoutIds(stdout));
    said.push(stdout);
  }
  expect(said[0]).toContain("never edit package-lock.json by hand");
  expect(said[1]).toContain("never edit package-lock.json by hand");
  expect(said[2]).toContain("stg-db-2");
  expect(said[3]).toBe("");
  expect(said[4]).toContain('"permissionDecision":"deny"');
});
