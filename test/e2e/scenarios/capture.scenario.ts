import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Sandbox } from "../client/sandbox.ts";
import { processesOf } from "../client/sandbox-process.ts";
import { contextSince, occurrences, readByModel, requestFor } from "../expectations.ts";
import { test } from "../scenario.ts";

const CORRECTION = "No, never mock the clock in these tests, because it hid a real bug last time.";
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

test("a session is learnt from: rule, episode and solution reach the next one", async ({
  sandbox,
  session,
}) => {
  sandbox.write("tools/frobnicate", "#!/bin/sh\necho frobnicated\n");
  const bash = (command: string) => ({ name: "Bash", input: { command, description: "frobnicate" } });
  await session({
    prompts: [
      "Please frobnicate the fixtures of this project",
      CORRECTION,
      "/compact",
      "Thanks, that is all for today",
    ],
    allowedTools: ["Bash"],
    turns: [
      { text: "I will run it.", toolUse: [bash(FAILING)] },
      {
        text: "It is not on the PATH here; the repository has its own copy.",
        toolUse: [bash(WORKING)],
      },
      { text: "The fixtures are frobnicated." },
      { text: "Understood, the real clock it is." },
    ],
  });
  await captured(sandbox);
  const resumed = (await sandbox.heed("resume")).stdout;
  expect(resumed).toContain("Goal: Please frobnicate the fixtures of this project");
  const history = JSON.parse((await sandbox.heed("history", "--json", "frobnicate")).stdout) as {
    conversations: { passages: { kind: string; text: string }[] }[];
  };
  expect(history.conversations[0]?.passages.map(({ kind }) => kind)).toContain("fixed");

  // The correction was kept at the end of its turn, in the user's words, and is in force without a terminal.
  const inbox = JSON.parse((await sandbox.heed("inbox", "--json")).stdout) as { pending: unknown[] };
  expect(inbox.pending).toEqual([]);
  const kept = JSON.parse((await sandbox.heed("list", "--type", "feedback", "--json")).stdout) as {
    memories: { name: string; description: string }[];
  };
  expect(kept.memories).toHaveLength(1);
  const [corrected] = kept.memories;
  expect(corrected?.description).toContain("never mock the clock in these tests");

  const again = "Frobnicate the fixtures once more";
  const record = await session({
    prompts: [again],
    allowedTools: ["Bash"],
    turns: [{ toolUse: [bash(FAILING)] }, { text: "Then its own copy." }],
  });
  const first = readByModel(requestFor(again, record));
  expect(first).toContain(`heed:${corrected?.name}`);
  expect(first).toContain("Why: it hid a real bug last time");
  // The work of the session before was finished.
  expect(occurrences("<heed-episode", first)).toBe(0);
  const after = contextSince(again, record.main.at(-1)!);
  expect(after).toContain("**Solution:**");
  expect(after).toContain("tools/frobnicate --all");
});
