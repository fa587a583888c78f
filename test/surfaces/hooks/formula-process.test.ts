import { expect, test } from "vitest";
import { printedTo } from "../as-client.ts";
import { HEED, SandboxHome } from "../sandbox-home.ts";

test.each([
  ["codex", { turn_id: "t1" }, "additionalContext"],
  ["gemini", { hook_event_name: "BeforeAgent" }, "systemMessage"],
])("a formula typed in %s is carried out by the hook's process, which says so", async (client, more, key) => {
  const home = new SandboxHome();
  const run = (prompt: string): Promise<string> => {
    const event = home.event("UserPromptSubmit", { prompt, ...more });
    return printedTo([client], [HEED, "hook", "--client", client], { cwd: home.work, env: home.env }, event);
  };
  const answer = await run("heed keep: never push on fridays");
  expect(answer).toContain(`"${key}"`);
  expect(answer).toContain("never push on fridays [heed:");
  expect(await run("heed forget never-push-on-fridays")).toContain("removed: never push on fridays");
});
