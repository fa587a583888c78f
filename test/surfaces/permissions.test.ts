import { chmodSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Machine } from "./cli/run-heed.ts";

const machine = new Machine();
afterAll(() => machine.remove());

test("a folder that others may look into becomes private when the store is made in it, and is told of later", async () => {
  if (process.platform === "win32") return;
  const root = join(machine.home, "memory");
  machine.variables["HEED_DIR"] = root;
  mkdirSync(root, { mode: 0o755 });
  await machine.run(["init"]);
  expect(statSync(root).mode & 0o777).toBe(0o700);
  expect((await machine.run(["check"])).stdout).not.toContain("permissions");
  // What somebody has opened on purpose is theirs to close.
  chmodSync(root, 0o750);
  const again = await machine.run(["init"]);
  expect(again.stdout).toContain(`may look into ${root}`);
  expect(statSync(root).mode & 0o777).toBe(0o750);
  const { stdout } = await machine.run(["check"]);
  expect(stdout).toContain("permissions");
  expect(stdout).toContain(`chmod 700 ${root}`);
});

test("a state folder that lies open is told of when a store is made", async () => {
  if (process.platform === "win32") return;
  const other = new Machine();
  const state = join(other.home, "open-state");
  other.variables["HEED_STATE_DIR"] = state;
  mkdirSync(state, { mode: 0o755 });
  const { stdout } = await other.run(["init", "--json"]);
  expect((JSON.parse(stdout) as { notes: string[] }).notes).toEqual([
    expect.stringContaining(`may look into ${state}: heed doctor --fix`),
  ]);
  chmodSync(state, 0o700);
  expect((await other.run(["init"])).stdout).not.toContain("may look into");
  other.remove();
});
