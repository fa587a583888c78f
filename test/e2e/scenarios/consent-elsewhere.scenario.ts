import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AGENT_CLIENTS } from "../agents/agent-clients.ts";
import { AgentTerminal } from "../agents/agent-terminal.ts";
import { installAgentIfPossible, sandboxFor } from "../agents/run-agent.ts";
import type { Sandbox } from "../client/sandbox.ts";
import { codeIn, rulesOf, waitingIn } from "../consent-steps.ts";
import { placeInUserStore, rule } from "../memory-files.ts";

const KEPT = "Use pnpm and never npm in here";
const [FIRST, SECOND] = ["Log in logfmt", "Name branches after their issue"];
const NO_MARKS = rule("no-marks", "Never touch a mark file", [
  'guard: { command: touch, paths: ["*.mark"], action: deny }',
]);
const writes = (statement: string) => ({ tool: "memory_write", args: { type: "feedback", statement } });
const nameOf = async (sandbox: Sandbox, statement: string): Promise<string | undefined> => {
  const { stdout } = await sandbox.heed("list", "--json");
  const { memories } = JSON.parse(stdout) as { memories: { name: string; statement: string }[] };
  return memories.find((one) => one.statement === statement)?.name;
};
const CLIENTS = AGENT_CLIENTS.filter(({ interactive }) => interactive !== undefined);

/** What is typed for heed counts in each client that reports its prompts, whatever its model does. */
test.for(CLIENTS)("formulas in $name", { timeout: 700_000 }, async (client, { skip }) => {
  const modules = (await installAgentIfPossible(client)) ?? "";
  skip(modules === "", `${client.version} cannot be installed here`);
  const sandbox = sandboxFor(client, modules);
  placeInUserStore(sandbox, NO_MARKS);
  await sandbox.heed("init", "--client", client.name);
  client.configure?.(sandbox);
  const user = await AgentTerminal.start(sandbox, client, modules);
  try {
    await user.say(`heed keep: ${KEPT}`);
    expect(await rulesOf(sandbox)).toContain(KEPT);

    const first = codeIn(await user.say("log well", writes(FIRST)));
    const second = codeIn((await user.say("name well", writes(SECOND))).replaceAll(first, ""));
    expect((await waitingIn(sandbox)).sort()).toEqual([FIRST, SECOND]);
    await user.say(`heed yes ${first}`);
    await user.say(`heed no ${second}`);
    expect(await waitingIn(sandbox)).toEqual([]);
    expect((await rulesOf(sandbox)).sort()).toEqual([FIRST, NO_MARKS.statement, KEPT].sort());

    const mark = { shell: "touch a.mark" };
    const stopped = await user.say("leave a mark", mark);
    expect(existsSync(join(sandbox.project, "a.mark"))).toBe(false);
    await user.say(`heed allow ${codeIn(stopped, "allow")}`);
    await user.say("again", mark);
    expect(existsSync(join(sandbox.project, "a.mark"))).toBe(true);

    await user.say(`heed forget ${await nameOf(sandbox, FIRST)}`);
    expect(await rulesOf(sandbox)).not.toContain(FIRST);
  } finally {
    await user.end();
    sandbox.remove();
  }
});
