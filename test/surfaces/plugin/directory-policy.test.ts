import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { McpProcess } from "../mcp/mcp-process.ts";
import { SandboxHome } from "../sandbox-home.ts";
import { ROOT } from "./manifests.ts";

// What the policy of Anthropic's plugin directory asks for, line by line: docs/packages.md.
const PLUGIN = join(ROOT, "plugin");
const { hooks } = JSON.parse(readFileSync(join(PLUGIN, "hooks/hooks.json"), "utf8")) as {
  hooks: Record<string, unknown>;
};
const TYPED = "words that nobody but the user has";

test("where there is no memory its hooks say nothing, and keep nothing of what they read", async () => {
  const home = new SandboxHome();
  const server = new McpProcess(home, "modern", ["claude"]);
  const opening = await server.open();
  const use = { tool_name: "Bash", tool_input: { command: `echo ${TYPED}` }, error: TYPED };
  const answerTo = (event: string, session: string): Promise<string> =>
    server.hook(event, { session_id: session, source: "startup", prompt: TYPED, ...use });
  const answers: string[] = [];
  for (const event of Object.keys(hooks)) answers.push(await answerTo(event, "s1"));
  expect(answers).toEqual(answers.map(() => "{}"));
  expect(existsSync(home.userStore)).toBe(false);
  const kept = readdirSync(home.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  expect(kept.filter((file) => readFileSync(file, "utf8").includes(TYPED))).toEqual([]);
  // The model still learns of the tools, and the first write makes the store.
  expect(opening["instructions"]).toContain("memory_write");
  await server.call("memory_write", {
    type: "reference",
    statement: "dashboards: https://grafana.example.com",
  });
  expect(existsSync(home.userStore)).toBe(true);
  // A start that a busy machine leaves no time says nothing.
  let session = 2;
  await expect
    .poll(() => answerTo("SessionStart", `s${session++}`), { timeout: 60_000 })
    .toContain("dashboards");
});

test("its README names each hook, and each thing that reaches the network with the way to turn it off", () => {
  const observed = /^## What it observes$([^]*?)^Memories are/m.exec(
    readFileSync(join(PLUGIN, "README.md"), "utf8"),
  );
  expect(Object.keys(hooks).filter((event) => !observed?.[1]?.includes(event))).toEqual([]);
  expect(observed?.[1]).toMatch(/learn off.*--team.*sync REMOTE/);
});
