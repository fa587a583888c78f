import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { AGENT_CLIENTS } from "../agents/agent-clients.ts";
import type { AgentStep } from "../agents/agent-protocols.ts";
import { type AgentRun, machineOf, runAgent } from "../agents/run-agent.ts";
import type { Sandbox } from "../client/sandbox.ts";

const FACT = "The billing board is at https://boards.example.com/billing";

const TRIED = AGENT_CLIENTS.flatMap((client) =>
  client.permissions === undefined ? [] : [[client.name, client, client.permissions] as const],
);

/** The client's own rules, with heed's hooks taken away: what is refused here is refused by the client. */
describe.each(TRIED)("%s", (name, client, permissions) => {
  const { allowAll, withoutHooks, readsCommands = false } = permissions;
  let modules = "";
  const ready = machineOf(client, async (sandbox, installed) => {
    modules = installed;
    sandbox.write(join(sandbox.userStore, "config.yaml"), "# mine\n");
    allowAll?.(sandbox);
    await sandbox.heed("init", "--client", name);
    client.configure?.(sandbox);
    withoutHooks(sandbox);
  });
  const run = (box: Sandbox, ...steps: AgentStep[]): Promise<AgentRun> =>
    runAgent(box, { ...client, ...permissions.fileTool }, modules, { prompt: `remember: ${FACT}`, steps });
  const shell = (box: Sandbox, command: string): Promise<AgentRun> =>
    runAgent(box, client, modules, { prompt: "go on", steps: [{ shell: command }] });
  const places = (box: Sandbox): Record<string, string> => ({
    "a record": join(box.env["XDG_STATE_HOME"] ?? "", "heed", "planted.json"),
    "heed's configuration": join(box.env["XDG_CONFIG_HOME"] ?? "", "heed", "planted.yaml"),
    "the user's store": join(box.userStore, "feedback", "planted.md"),
    "a repository's store": join(box.project, ".heed", "feedback", "planted.md"),
  });

  test("an ordinary edit passes, and heed's own server writes", async ({ skip }) => {
    const box = ready(skip);
    const file = join(box.project, "src", "plain.txt");
    await run(
      box,
      { write: file, text: "plain" },
      { tool: "memory_write", args: { type: "reference", statement: FACT, quote: FACT } },
    );
    expect(readFileSync(file, "utf8")).toContain("plain");
    expect((await box.heed("list")).stdout).toContain("billing");
  });

  test.for(["a record", "heed's configuration", "the user's store", "a repository's store"])(
    "its file tool does not write %s",
    async (what, { skip }) => {
      const box = ready(skip);
      const file = places(box)[what] as string;
      const { requests, exit } = await run(box, { write: file, text: "planted" });
      expect(existsSync(file), exit.stdout.slice(-2000)).toBe(false);
      expect(requests.length).toBeGreaterThan(0);
    },
  );

  test.runIf(readsCommands)(
    "nor does its shell, where the client sees what a command works on",
    async ({ skip }) => {
      const box = ready(skip);
      const file = places(box)["a record"] as string;
      await shell(box, `cp README.md ${file}`);
      await shell(box, `rm -rf ${dirname(file)}`);
      expect([existsSync(file), existsSync(dirname(file))]).toEqual([false, true]);
    },
  );

  test("once heed is taken out, it does", async ({ skip }) => {
    const box = ready(skip);
    await box.heed("uninit", name);
    for (const file of Object.values(places(box))) {
      await run(box, { write: file, text: "planted" });
      expect(existsSync(file), file).toBe(true);
    }
    if (!readsCommands) return;
    const copy = `${places(box)["a record"]}.md`;
    await shell(box, `cp README.md ${copy}`);
    expect(existsSync(copy)).toBe(true);
  });
});
