import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxHome } from "../sandbox-home.ts";

const SCRIPT = join(import.meta.dirname, "../../../plugin/dist/heed.cjs");

test.each([
  ["codex", { turn_id: "t1" }, "additionalContext"],
  ["gemini", { hook_event_name: "BeforeAgent" }, "systemMessage"],
])("a formula typed in %s is carried out by the hook's process, which says so", (client, more, key) => {
  const home = sandboxHome();
  const run = (prompt: string): string => {
    const event = { hook_event_name: "UserPromptSubmit", session_id: "s1", cwd: home.work, prompt, ...more };
    const { stdout } = spawnSync(process.execPath, [SCRIPT, "hook", "--client", client], {
      cwd: home.work,
      env: home.env,
      input: JSON.stringify(event),
      encoding: "utf8",
    });
    return stdout;
  };
  const answer = run("heed keep: never push on fridays");
  expect(answer).toContain(`"${key}"`);
  expect(answer).toContain("never push on fridays [heed:");
  expect(run("heed forget never-push-on-fridays")).toContain("Removed: never push on fridays");
});
