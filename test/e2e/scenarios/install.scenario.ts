import { expect } from "vitest";
import { runClientCommand } from "../client/run-command.ts";
import { PLUGIN, REPOSITORY } from "../client/sandbox.ts";
import { contextOf, requestFor } from "../expectations.ts";
import { placeInUserStore, rule } from "../memory-files.ts";
import { test } from "../scenario.ts";

test("the plugin and the marketplace pass the client's strict validation", async ({ client, sandbox }) => {
  for (const folder of [PLUGIN, REPOSITORY]) {
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

test("people install it by two commands, and then it works", async ({ client, sandbox, session }) => {
  const added = await runClientCommand(sandbox, client, ["plugin", "marketplace", "add", REPOSITORY]);
  expect(added.exitCode, added.stdout + added.stderr).toBe(0);
  const installed = await runClientCommand(sandbox, client, ["plugin", "install", "heed@heed"]);
  expect(installed.exitCode, installed.stdout + installed.stderr).toBe(0);

  placeInUserStore(sandbox, rule("installed-rule", "Rules hold in an installed plugin too"));
  const record = await session({ plugins: [], prompts: ["hello"] });
  expect(record.init.plugins.map((plugin) => plugin.name)).toContain("heed");
  expect(contextOf(requestFor("hello", record))).toContain("Rules hold in an installed plugin too");
});
