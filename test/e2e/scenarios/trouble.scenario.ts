import { describe, expect } from "vitest";
import { serversOf } from "../client/sandbox-process.ts";
import type { SessionRecord } from "../client/session.ts";
import { contextOf, requestFor } from "../expectations.ts";
import { placeInUserStore, rule } from "../memory-files.ts";
import { test } from "../scenario.ts";

/**
 * Longest wait, in milliseconds, for a request when something of heed is broken: the time limits of its hooks together
 * with the start of the client on a busy machine, and less than the 30 seconds after which the client gives up itself.
 */
const HARMLESS_MS = 20_000;
const OWN = rule("own-rule", "Own rules are in force");

/** The session went on: each prompt was answered in time, and nothing of the trouble was told to the model. */
function expectPrompts(record: SessionRecord, prompts: readonly string[]): void {
  for (const [index, prompt] of prompts.entries()) {
    const request = requestFor(prompt, record);
    expect(request.atMs - record.promptsSentAtMs[index]!).toBeLessThan(HARMLESS_MS);
    expect(contextOf(request)).not.toMatch(/\bat \S+ \(.*:\d+:\d+\)|ENOENT|EACCES|HeedError|node:internal/);
  }
  expect(record.events.filter((event) => event.type === "result" && event.is_error === true)).toEqual([]);
}

/** Moreover, the user saw nothing of it. */
function expectUnharmed(record: SessionRecord, prompts: readonly string[]): void {
  expectPrompts(record, prompts);
  // A hook that fails shows its stderr to the user in the middle of the work.
  expect(record.hooks.filter((hook) => hook.outcome === "error" || hook.stderr !== "")).toEqual([]);
}

describe("the session goes on", () => {
  test("when the server is killed", async ({ sandbox, session }) => {
    placeInUserStore(sandbox, OWN);
    const killed: number[] = [];
    const kill = (): void => {
      for (const { pid } of serversOf(sandbox.home)) {
        process.kill(pid, "SIGKILL");
        killed.push(pid);
      }
    };
    const record = await session({ prompts: ["one", { text: "two", before: kill }, "three"] });
    expect(killed).toHaveLength(1);
    // The client starts it again, and may first see that the connection is gone.
    const [torn, ...more] = record.hooks.filter((hook) => hook.outcome !== "success");
    expect(more).toEqual([]);
    expect(torn?.stderr ?? "Connection closed").toBe("Connection closed");
    expect(record.hooks.findLast((hook) => hook.event === "UserPromptSubmit")?.outcome).toBe("success");
    expectPrompts(record, ["one", "two", "three"]);
  });

  test("when the server hangs, which costs no more than its deadline", async ({ sandbox, session }) => {
    placeInUserStore(sandbox, OWN);
    const stopped: number[] = [];
    const stop = (): void => {
      for (const { pid } of serversOf(sandbox.home)) {
        process.kill(pid, "SIGSTOP");
        stopped.push(pid);
      }
    };
    const resume = (): { text: string } => {
      for (const pid of stopped) process.kill(pid, "SIGCONT");
      return { text: "ok" };
    };
    const record = await session({
      prompts: ["one", { text: "two", before: stop }],
      turns: [{ text: "ok" }, resume],
    });
    expect(stopped).toHaveLength(1);
    expectUnharmed(record, ["one", "two"]);
    expect(record.hooks.findLast((hook) => hook.event === "UserPromptSubmit")?.outcome).toBe("cancelled");
  });
});
