import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Sandbox } from "../client/sandbox.ts";
import { processesOf } from "../client/sandbox-process.ts";
import { occurrences, readByModel, requestFor } from "../expectations.ts";
import { test } from "../scenario.ts";

const FAILING = "frobnicate --all";
const WORKING = "sh ./tools/frobnicate --all";

/** Waits until all that the session left is captured and no process of it is left. */
async function captured(sandbox: Sandbox): Promise<void> {
  const queue = join(sandbox.env["XDG_STATE_HOME"] ?? "", "heed", "capture", "queue");
  for (let i = 0; i < 900; i++) {
    const isBusy = processesOf(sandbox.home).length > 0;
    if (!isBusy && existsSync(queue) && readdirSync(queue).length === 0) return;
    await sleep(100);
  }
  throw new Error("not captured within 90 s of the session's end");
}

test("a session is recorded: what was done, and which command won, is found afterwards", async ({
  sandbox,
  session,
}) => {
  sandbox.write("tools/frobnicate", "#!/bin/sh\necho frobnicated\n");
  const bash = (command: string) => ({ name: "Bash", input: { command, description: "frobnicate" } });
  await session({
    prompts: ["Please frobnicate the fixtures of this project", "/compact", "Thanks, that is all for today"],
    allowedTools: ["Bash"],
    turns: [
      { text: "I will run it.", toolUse: [bash(FAILING)] },
      { text: "It is not on the PATH here; the repository has its own copy.", toolUse: [bash(WORKING)] },
      { text: "The fixtures are frobnicated." },
    ],
  });
  await captured(sandbox);
  const history = JSON.parse((await sandbox.heed("history", "--json", "frobnicate")).stdout) as {
    conversations: { passages: { kind: string; text: string }[] }[];
  };
  expect(history.conversations[0]?.passages.map(({ kind }) => kind)).toContain("fixed");

  // A record is no memory: nothing of it is kept or waits.
  const { pending } = JSON.parse((await sandbox.heed("inbox", "--json")).stdout) as { pending: unknown[] };
  expect(pending).toEqual([]);
  const { memories } = JSON.parse((await sandbox.heed("list", "--json")).stdout) as {
    memories: { type: string }[];
  };
  expect(memories.filter(({ type }) => type !== "episode")).toEqual([]);

  const again = "Frobnicate the fixtures once more";
  const record = await session({ prompts: [again] });
  // The work of the session before was finished.
  expect(occurrences("<heed-episode", readByModel(requestFor(again, record)))).toBe(0);
});
