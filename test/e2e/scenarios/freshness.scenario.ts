import { describe, expect } from "vitest";
import type { Sandbox } from "../client/sandbox.ts";
import { contextSince, requestFor } from "../expectations.ts";
import type { HandWritten } from "../memory-files.ts";
import { placeInUserStore } from "../memory-files.ts";
import type { Stage } from "../scenario.ts";
import { testWith } from "../scenario.ts";

const ROUTES = Array.from({ length: 20 }, (_, i) => `export const route${i} = "/path/${i}";`).join("\n");
const ASKS = "May I change the order of the routing table of the payment service before the audit?";

/** Two claims: with one of them gone the memory is still told, marked. */
const ROUTING: HandWritten = {
  type: "project",
  name: "routing-table-frozen",
  description: "the order of the routing table of the payment service is frozen until the audit",
  body: "Ann froze the order of the routing table of the payment service in `src/routes.ts` until the audit (FACT-ROUTING).",
  metadata: [
    "tags: [routing, payment, audit]",
    "verified: 2026-11-01T00:00:00Z",
    'claims: ["path:src/routes.ts", "path:src/limits.ts"]',
  ],
};

function commit(sandbox: Sandbox, message: string): string {
  sandbox.git("add", "-A");
  sandbox.git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm", message);
  return sandbox.git("rev-parse", "--short=8", "HEAD").trim();
}

function begin(sandbox: Sandbox): void {
  sandbox.write("src/routes.ts", ROUTES);
  sandbox.write("src/limits.ts", "export const MAX_RETRIES = 5;\n");
  commit(sandbox, "routes");
  placeInUserStore(sandbox, ROUTING);
}

describe.each([
  { client: "current", way: "the plugin, with its resident server", isPlugin: true },
  { client: "older", way: "what heed init writes, an older client", isPlugin: false },
] as const)("what a memory names has moved: $way", ({ client, isPlugin }) => {
  const test = testWith(client);
  /** What comes with the prompt that the memory is relevant to. */
  const said = async ({ sandbox, session }: Pick<Stage, "sandbox" | "session">): Promise<string> => {
    if (!isPlugin) await sandbox.heed("init", "--client", "claude-code");
    const record = await session({ ...(!isPlugin && { plugins: [] }), prompts: [ASKS] });
    return contextSince(ASKS, requestFor(ASKS, record));
  };

  test("it arrives as it is while its claims hold", async ({ sandbox, session }) => {
    begin(sandbox);
    const context = await said({ sandbox, session });
    expect(context).toContain("FACT-ROUTING");
    expect(context).toContain("fresh: its 2 claims hold");
  });

  test("a renamed path: it arrives marked, with the new path", async ({ sandbox, session }) => {
    begin(sandbox);
    sandbox.git("mv", "src/routes.ts", "src/table.ts");
    const moved = commit(sandbox, "rename");
    const context = await said({ sandbox, session });
    expect(context).toContain(`check: src/routes.ts was renamed to src/table.ts (${moved}`);
    // What it says of the file holds at its new place.
    expect(context).toContain("FACT-ROUTING");
  });

  test("a path renamed on a branch that was squashed: the same", async ({ sandbox, session }) => {
    begin(sandbox);
    sandbox.git("switch", "-qc", "feature");
    sandbox.git("mv", "src/routes.ts", "src/first.ts");
    sandbox.write("src/first.ts", `${ROUTES}\n// one\n`);
    commit(sandbox, "first");
    sandbox.git("mv", "src/first.ts", "src/table.ts");
    sandbox.write("src/table.ts", `${ROUTES}\n// two\n`);
    commit(sandbox, "second");
    sandbox.git("switch", "-q", "main");
    sandbox.git("merge", "-q", "--squash", "feature");
    const squashed = commit(sandbox, "squashed");
    sandbox.git("branch", "-qD", "feature");
    const context = await said({ sandbox, session });
    expect(context).toContain(`check: src/routes.ts was renamed to src/table.ts (${squashed}`);
  });
});
