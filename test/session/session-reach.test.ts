import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const RULE = {
  type: "feedback",
  name: "no-force-push",
  statement: "never push with --force",
  body: "Never push with --force.\n**Why:** it lost work.\n**How to apply:** always.",
  metadata: ["guard: { tool: Bash, command: git push, flags: [--force], action: deny }"],
};

const made = TemporaryHeed.forEachTest();
beforeEach(() => void made.remember(RULE));

describe("a client to whose model nothing of an answer comes", () => {
  test("is told nothing, and what it was not told does not count as told", async () => {
    expect((await made.begin("s1", { reach: "none" })).context).toBeUndefined();
    const seen = await made.event({ kind: "session-start", source: "resume" });
    expect(seen.context).toContain("never push with --force");
  });

  test("is stopped by guards all the same", async () => {
    const { decision, context } = await made.shell("git push --force", { reach: "none" });
    expect(decision?.action).toBe("deny");
    expect(context).toBeUndefined();
  });
});

describe("a client that cannot be told anything at the start", () => {
  test("is told the rules with the first prompt, and once", async () => {
    const first = await made.event({ kind: "prompt", prompt: "what next?", reach: "late" });
    expect(first.context).toContain("never push with --force");
    const second = await made.event({ kind: "prompt", prompt: "and after that?", reach: "late" });
    expect(second.context ?? "").not.toContain("never push with --force");
  });

  test("is told them also where its session cannot be recorded", async () => {
    made.write(join(made.state, "sessions"), "not a folder");
    const { context } = await made.event({ kind: "prompt", prompt: "what next?", reach: "late" });
    expect(context).toContain("never push with --force");
  });
});

test("clients that do not show a server's instructions are told when to write", async () => {
  const start = async (client: string): Promise<string> =>
    (await made.begin(client, { client })).context ?? "";
  expect(await start("copilot")).toContain("Later sessions know nothing of this one");
  expect(await start("claude-code")).not.toContain("Later sessions");
});
