import { join } from "node:path";
import { expect } from "vitest";
import { installPlugin } from "../client/install-plugin.ts";
import { runClientCommand } from "../client/run-command.ts";
import { PLUGIN, REPOSITORY } from "../client/sandbox.ts";
import { contextOf, requestFor } from "../expectations.ts";
import { placeInUserStore, rule } from "../memory-files.ts";
import { test } from "../scenario.ts";

test("the plugin and the marketplace pass the client's strict validation", async ({ client, sandbox }) => {
  // The marketplace as a file: beside it are the Gemini extension's hooks, whose events this client does not know.
  for (const folder of [PLUGIN, join(REPOSITORY, ".claude-plugin/marketplace.json")]) {
    const { exitCode, stdout, stderr } = await runClientCommand(sandbox, client, [
      "plugin",
      "validate",
      "--strict",
      folder,
    ]);
    expect(stdout + stderr).toMatch(/passed/i);
    expect(exitCode).toBe(0);
  }
});

test.for([
  ["the address", "https://github.com/heed-memory/heed.git"],
  ["the branch of the address", "https://github.com/heed-memory/heed.git#release"],
  ["the branch of a copy", "https://git.example.com/heed.git#release"],
] as const)(
  "people install it from %s, and then it works",
  async ([, from], { client, sandbox, session }) => {
    await installPlugin(sandbox, client, from);
    placeInUserStore(sandbox, rule("installed-rule", "Rules hold in an installed plugin too"));
    const record = await session({ plugins: [], prompts: ["hello"] });
    const plugins = record.events.flatMap((event) => event.plugins ?? []);
    expect(plugins.map(({ name }) => name)).toContain("heed");
    expect(contextOf(requestFor("hello", record))).toContain("Rules hold in an installed plugin too");
  },
);
