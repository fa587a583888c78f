import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { EXIT_OF_ERROR } from "../../../src/surfaces/cli/arguments/command.ts";
import { Machine } from "./run-heed.ts";

const machine = new Machine();
afterAll(() => machine.remove());

it("is 4 where it helps to try again", () => {
  expect([EXIT_OF_ERROR.locked, EXIT_OF_ERROR["changed-outside"]]).toEqual([4, 4]);
});

const WRITE = "write --type reference --name board 'board: https://grafana.example.com/d/b'";
it.each<[number, line: string, env?: Record<string, string>]>([
  [0, "init --yes"],
  [0, "list"],
  [0, WRITE],
  [1, "write --type reference 'token ghp_16C7e42F292c6912E7710c838347Ae178B4a'"],
  [2, "nosuch"],
  [3, "show nosuch"],
  [3, "undo nosuch"],
  [3, "why --receipt nosuch"],
  [3, "list --store nosuch"],
  [5, "export file/below"],
  [5, "write --type reference 'wiki: https://wiki.example.com'", { HEED_STATE_DIR: "/dev/null/state" }],
  [5, "sync https://127.0.0.1:9/nowhere.git"],
])("is %i for heed %s", async (expected, line, env = {}) => {
  writeFileSync(join(machine.work, "file"), "");
  const { exitCode, stderr } = await machine.run(line, { env });
  expect([exitCode, stderr]).toEqual([expected, expect.not.stringContaining("bug in heed")]);
});

it("is 5 in the built program too, whose bundles each have their own class of errors", async () => {
  writeFileSync(join(machine.work, "file"), "");
  const { exitCode, stderr } = await machine.spawn("export --format json file/below.json");
  expect([exitCode, stderr]).toEqual([5, expect.stringMatching(/^heed: cannot use .*file/)]);
});
