import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
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
  await machine.run("init");
  expect(statSync(root).mode & 0o777).toBe(0o700);
  expect((await machine.run("check")).stdout).not.toContain("permissions");
  // What somebody has opened on purpose is theirs to close.
  chmodSync(root, 0o750);
  await machine.run("init");
  expect(statSync(root).mode & 0o777).toBe(0o750);
  const { stdout } = await machine.run("check");
  expect(stdout).toContain("permissions");
  expect(stdout).toContain(`chmod 700 ${root}`);
});

test("all that heed keeps for itself is private", async () => {
  if (process.platform === "win32") return;
  const other = new Machine();
  const places = { HEED_STATE_DIR: "state", HEED_CACHE_DIR: "cache" };
  for (const [name, folder] of Object.entries(places)) other.variables[name] = join(other.home, folder);
  await other.run("init");
  await other.run("write --type=feedback 'never use --no-verify' --reason=x --how=y");
  await other.run("write --type=user 'the user likes vim'", { env: { CLAUDECODE: "1" } });
  for (const hook_event_name of ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd"]) {
    const event = { hook_event_name, session_id: "s1", cwd: other.work, source: "startup", reason: "other" };
    const input = {
      ...event,
      prompt: "never deploy on friday",
      tool_name: "Bash",
      tool_input: { command: "ls" },
    };
    await other.run("hook", { input: JSON.stringify(input) });
  }
  await other.run("search verify");
  const kept = Object.values(places).flatMap((folder) => {
    const root = join(other.home, folder);
    return [
      root,
      ...readdirSync(root, { recursive: true, encoding: "utf8" }).map((file) => join(root, file)),
    ];
  });
  expect(kept.length).toBeGreaterThan(15);
  const isOpen = (file: string): boolean =>
    ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
  expect(kept.filter(isOpen)).toEqual([]);
  other.remove();
});
