import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AGENT_CLIENTS } from "../agents/agent-clients.ts";
import { installAgentIfPossible, runAgent, sandboxFor, type AgentRun } from "../agents/run-agent.ts";
import type { Sandbox } from "../client/sandbox.ts";
import { occurrences } from "../expectations.ts";
import { placeInUserStore, rule } from "../memory-files.ts";

const RULE = "Never print the word FORBIDDEN";
const FACT = "the latency board is at https://grafana.example.com/d/lat-7";
const PROMPT = "where is the latency board?";
/** Some clients keep their sessions in a database. */
const hasSqlite = process.getBuiltinModule("node:sqlite" as "node:fs") !== undefined;
/** `npm run e2e -- --all` asks for these too. */
const isAll = process.env["HEED_E2E_ALL"] === "1";

describe.each(AGENT_CLIENTS.map((client) => [client.name, client] as const))("%s", (name, client) => {
  const isSkipped = client.isNightly === true && !isAll;
  let sandbox: Sandbox;
  let seen: AgentRun | undefined;

  beforeAll(async () => {
    if (isSkipped) return;
    const modules = await installAgentIfPossible(client);
    if (modules === undefined) return;
    sandbox = sandboxFor(client, modules);
    placeInUserStore(
      sandbox,
      rule("no-forbidden", RULE, ["guard: { tool: Bash, command: echo, args: [FORBIDDEN], action: deny }"]),
      { type: "reference", name: "latency-board", statement: FACT, body: FACT },
    );
    await sandbox.heed("init", "--client", name);
    client.configure?.(sandbox);
    seen = await runAgent(sandbox, client, modules, {
      prompt: PROMPT,
      steps: [{ shell: "echo FORBIDDEN > printed.txt" }],
    });
  }, 700_000);
  afterAll(() => sandbox?.remove());

  /** What was seen; the test is skipped where the client could not be run. */
  const run = (skip: (note: string) => void): AgentRun => {
    if (isSkipped) skip("npm run e2e -- --all");
    if (seen === undefined) skip(`${client.version} cannot be installed here`);
    return seen as AgentRun;
  };

  test("the rule is in the request, once", ({ skip }) => {
    const { requests, exit } = run(skip);
    // Requests for a title and the like have no tools, or no system text.
    const injected = requests.find((request) =>
      client.injectedAt === "after a tool" ? request.isAfterTool : request.text.includes(RULE),
    );
    expect(
      injected,
      `no request tells it\n${exit.stderr.slice(-2000)}\n${exit.stdout.slice(-2000)}`,
    ).toBeDefined();
    expect(occurrences(`- ${RULE}`, injected?.text ?? "")).toBe(1);
    expect(injected?.isAfterTool).toBe(client.injectedAt === "after a tool");
  });

  test("so is what is known here: the fact, by its line in the map or with the prompt", ({ skip }) => {
    const injected = run(skip).requests.map(({ text }) => text);
    expect(injected.some((text) => text.includes("lat-7"))).toBe(true);
  });

  test("a guarded call is denied where that is possible, and the model reads the rule", ({ skip }) => {
    const { requests } = run(skip);
    const after = requests.find(({ isAfterTool }) => isAfterTool);
    expect(after?.text).toContain("[heed:no-forbidden]");
    const isPrinted = existsSync(join(sandbox.project, "printed.txt"));
    expect(isPrinted).toBe(!client.denies);
  });

  test.runIf(client.hasServer)("the server's tools are offered", ({ skip }) => {
    expect(run(skip).requests.some(({ text }) => text.includes("memory_search"))).toBe(true);
  });

  test("its transcript is read: the prompt is found in past conversations", async ({ skip }) => {
    run(skip);
    skip(client.hasDatabase === true && !hasSqlite, `Node ${process.versions.node} has no SQLite`);
    // The end of the session has started it already, or nothing has: clients differ.
    await sandbox.tryHeed("capture");
    const found = async (): Promise<string> =>
      (await sandbox.heed("history", "latency board", "--json")).stdout;
    await expect.poll(found, { timeout: 30_000, interval: 500 }).toContain("where is the latency board");
  });

  test("nothing went wrong in heed, and uninit leaves nothing of it", async ({ skip }) => {
    run(skip);
    const log = join(sandbox.env["XDG_STATE_HOME"] ?? "", "heed", "heed.log");
    const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
    expect(lines.filter((line) => line !== "" && !line.includes("has no SQLite"))).toEqual([]);
    await sandbox.heed("uninit");
    const again = await sandbox.heed("uninit", "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ clients: [] });
  });
});
