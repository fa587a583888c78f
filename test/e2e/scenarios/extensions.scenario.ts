import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AGENT_CLIENTS } from "../agents/agent-clients.ts";
import { type AgentRun, FORBIDDEN, machineOf, PRINTS, runAgent } from "../agents/run-agent.ts";
import { serveAddresses } from "../client/install-plugin.ts";
import { occurrences } from "../expectations.ts";
import { placeInUserStore } from "../memory-files.ts";

const RULE = FORBIDDEN.statement;

/** What the guide says to type, by client. */
const INSTALLED: readonly (readonly [string, (release: string) => readonly string[][]])[] = [
  [
    "codex",
    () => [
      ["plugin", "marketplace", "add", "heed-memory/heed"],
      ["plugin", "add", "heed@heed"],
    ],
  ],
  // From a folder: it asks GitHub for a release, and runs git without the settings that send an address elsewhere.
  ["gemini", (release) => [["extensions", "install", release, "--consent"]]],
];

describe.each(INSTALLED)("%s, with heed as its plugin and without `heed init`", (name, install) => {
  const client = AGENT_CLIENTS.find((each) => each.name === name);
  if (client === undefined) throw new Error(`no client ${name}`);
  let seen: AgentRun;
  let modules = "";
  const machine = machineOf(client, async (sandbox, installed) => {
    modules = installed;
    const release = join(sandbox.root, "release");
    sandbox.git("clone", "--quiet", "--branch", "release", serveAddresses(sandbox), release);
    placeInUserStore(sandbox, FORBIDDEN);
    client.configure?.(sandbox);
    const first = { ...client, prepare: () => install(release) };
    seen = await runAgent(sandbox, first, modules, { prompt: "hello", steps: [PRINTS] });
  });

  test("its server and its skill are offered, and its hooks put the rule into the first request, once", ({
    skip,
  }) => {
    machine(skip);
    const { requests, exit } = seen;
    const first = requests.find(({ text }) => text.includes("memory_search"));
    expect(first, `the server was not seen\n${exit.stderr.slice(-2000)}`).toBeDefined();
    expect(occurrences(`- ${RULE}`, first?.text ?? "")).toBe(1);
    expect(first?.text.includes("heed-memory"), "the skill is not offered").toBe(true);
  });

  test("its hooks deny a guarded call, and the model reads the rule", ({ skip }) => {
    const sandbox = machine(skip);
    const after = seen.requests.find(({ isAfterTool }) => isAfterTool);
    expect(occurrences("[heed:no-forbidden]", after?.text ?? "")).toBeGreaterThan(0);
    expect(existsSync(join(sandbox.project, "printed.txt"))).toBe(false);
  });

  test("connected by `heed init` as well, nothing is told twice", async ({ skip }) => {
    const sandbox = machine(skip);
    await sandbox.heed("init", "--client", name);
    const second = { ...client, prepare: () => [] };
    const again = await runAgent(sandbox, second, modules, { prompt: "hello again", steps: [PRINTS] });
    const first = again.requests.find(({ text }) => text.includes("memory_search"));
    expect(occurrences(`- ${RULE}`, first?.text ?? "")).toBe(1);
    expect(existsSync(join(sandbox.project, "printed.txt"))).toBe(false);
  });
});
