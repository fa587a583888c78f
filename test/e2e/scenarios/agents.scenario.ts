import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AGENT_CLIENTS } from "../agents/agent-clients.ts";
import { type AgentRun, FORBIDDEN, machineOf, PRINTS, runAgent } from "../agents/run-agent.ts";
import { occurrences } from "../expectations.ts";
import { placeInUserStore } from "../memory-files.ts";

const RULE = FORBIDDEN.statement;
const FACT = "the latency board is at https://grafana.example.com/d/lat-7";
const PROMPT = "where is the latency board?";
/** Some clients keep their sessions in a database. */
const hasSqlite = process.getBuiltinModule("node:sqlite" as "node:fs") !== undefined;

describe.each(AGENT_CLIENTS.map((client) => [client.name, client] as const))("%s", (name, client) => {
  let seen: AgentRun;
  const machine = machineOf(client, async (sandbox, modules) => {
    const board = { type: "reference", name: "latency-board", statement: FACT, body: FACT };
    placeInUserStore(sandbox, FORBIDDEN, board);
    await sandbox.heed("init", "--client", name);
    client.configure?.(sandbox);
    seen = await runAgent(sandbox, client, modules, { prompt: PROMPT, steps: [PRINTS] });
  });

  test("the rule is in the request, once", ({ skip }) => {
    machine(skip);
    const { requests, exit } = seen;
    const injected = requests.find(({ text }) => text.includes(RULE));
    expect(
      injected,
      `no request tells it\n${exit.stderr.slice(-2000)}\n${exit.stdout.slice(-2000)}`,
    ).toBeDefined();
    expect(occurrences(`- ${RULE}`, injected?.text ?? "")).toBe(1);
    expect(injected?.isAfterTool).toBe(false);
  });

  test("so is what is known here: the fact, by its line in the map or with the prompt", ({ skip }) => {
    machine(skip);
    expect(seen.requests.some(({ text }) => text.includes("lat-7"))).toBe(true);
  });

  test("a guarded call is denied, and the model reads the rule", ({ skip }) => {
    const isPrinted = existsSync(join(machine(skip).project, "printed.txt"));
    const after = seen.requests.find(({ isAfterTool }) => isAfterTool);
    expect(after?.text).toContain("[heed:no-forbidden]");
    expect(isPrinted).toBe(false);
  });

  test.skipIf(client.hasServer === false)("the server's tools are offered", ({ skip }) => {
    machine(skip);
    expect(seen.requests.some(({ text }) => text.includes("memory_search"))).toBe(true);
  });

  test("its transcript is read: the prompt is found in past conversations", async ({ skip }) => {
    const sandbox = machine(skip);
    skip(client.hasHistory === false, "heed reads no transcript of it");
    skip(client.hasDatabase === true && !hasSqlite, `Node ${process.versions.node} has no SQLite`);
    // The end of the session has started it already, or nothing has: clients differ.
    await sandbox.tryHeed("capture");
    const found = async (): Promise<string> =>
      (await sandbox.heed("history", "latency board", "--json")).stdout;
    await expect.poll(found, { timeout: 30_000, interval: 500 }).toContain("where is the latency board");
  });

  test("nothing went wrong in heed, and uninit leaves nothing of it", async ({ skip }) => {
    const sandbox = machine(skip);
    const log = join(sandbox.env["XDG_STATE_HOME"] ?? "", "heed", "heed.log");
    const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
    expect(lines.filter((line) => line !== "" && !line.includes("has no SQLite"))).toEqual([]);
    await sandbox.heed("uninit");
    const again = await sandbox.heed("uninit", "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ clients: [] });
  });
});
