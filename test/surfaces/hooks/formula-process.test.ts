import { expect, test } from "vitest";
import { printedTo } from "../as-client.ts";
import { HEED, sandboxHome } from "../sandbox-home.ts";

test.each([
  ["codex", { turn_id: "t1" }, "additionalContext"],
  ["gemini", { hook_event_name: "BeforeAgent" }, "systemMessage"],
])("a formula typed in %s is carried out by the hook's process, which says so", async (client, more, key) => {
  const home = sandboxHome();
  const run = (prompt: string): Promise<string> => {
    const event = { hook_event_name: "UserPromptSubmit", session_id: "s1", cwd: home.work, prompt, ...more };
    const options = { cwd: home.work, env: home.env };
    return printedTo([client], [HEED, "hook", "--client", client], options, JSON.stringify(event));
  };
  const answer = await run("heed keep: never push on fridays");
  expect(answer).toContain(`"${key}"`);
  expect(answer).toContain("never push on fridays [heed:");
  expect(await run("heed forget never-push-on-fridays")).toContain("removed: never push on fridays");
});
