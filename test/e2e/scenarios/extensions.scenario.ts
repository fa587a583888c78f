import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AGENT_CLIENTS } from "../agents/agent-clients.ts";
import { installAgentIfPossible, runAgent, sandboxFor, type AgentRun } from "../agents/run-agent.ts";
import { serveAddresses } from "../client/install-plugin.ts";
import type { Sandbox } from "../client/sandbox.ts";
import { occurrences } from "../expectations.ts";
import { placeInUserStore, rule } from "../memory-files.ts";

const RULE = "Never print the word FORBIDDEN";

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
  let sandbox: Sandbox;
  let seen: AgentRun | undefined;
  let modules = "";

  beforeAll(async () => {
    const installed = await installAgentIfPossible(client);
    if (installed === undefined) return;
    modules = installed;
    sandbox = sandboxFor(client, modules);
    const release = join(sandbox.root, "release");
    sandbox.git("clone", "--quiet", "--branch", "release", serveAddresses(sandbox), release);
    placeInUserStore(
      sandbox,
      rule("no-forbidden", RULE, ["guard: { tool: Bash, command: echo, args: [FORBIDDEN], action: deny }"]),
    );
    client.configure?.(sandbox);
    seen = await runAgent(sandbox, { ...client, prepare: () => install(release) }, modules, {
      prompt: "hello",
      steps: [{ shell: "echo FORBIDDEN > printed.txt" }],
    });
  }, 700_000);
  afterAll(() => sandbox?.remove());

  const run = (skip: (note: string) => void): AgentRun => {
    if (seen === undefined) skip(`${client.version} cannot be installed here`);
    return seen as AgentRun;
  };

  test("its server and its skill are offered, and its hooks put the rule into the first request, once", ({
    skip,
  }) => {
    const { requests, exit } = run(skip);
    const first = requests.find(({ text }) => text.includes("memory_search"));
    expect(first, `the server was not seen\n${exit.stderr.slice(-2000)}`).toBeDefined();
    expect(occurrences(RULE, first?.text ?? "")).toBe(1);
    expect(first?.text.includes("heed-memory"), "the skill is not offered").toBe(true);
  });

  test("its hooks deny a guarded call, and the model reads the rule", ({ skip }) => {
    const after = run(skip).requests.find(({ isAfterTool }) => isAfterTool);
    expect(occurrences("[heed:no-forbidden]", after?.text ?? "")).toBeGreaterThan(0);
    expect(existsSync(join(sandbox.project, "printed.txt"))).toBe(false);
  });

  test("connected by `heed init` as well, nothing is told twice", async ({ skip }) => {
    run(skip);
    await sandbox.heed("init", "--client", name);
    const again = await runAgent(sandbox, { ...client, prepare: () => [] }, modules, {
      prompt: "hello again",
      steps: [{ shell: "echo FORBIDDEN > printed.txt" }],
    });
    const first = again.requests.find(({ text }) => text.includes("memory_search"));
    expect(occurrences(RULE, first?.text ?? "")).toBe(1);
    expect(existsSync(join(sandbox.project, "printed.txt"))).toBe(false);
  });
});
