import { mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SessionEvent } from "../../../src/heed.ts";
import { isDouble } from "../../../src/surfaces/hooks/drop-double.ts";

const base = { session: "s1", cwd: "/p", client: "copilot" };
const PROMPT: SessionEvent = { ...base, kind: "prompt", prompt: "go" };

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), "heed-double-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true, maxRetries: 10 }));
  return made;
}

test("the same event by another registration is a double, by the same one a new event", () => {
  const state = directory();
  expect(isDouble(PROMPT, "heed.cjs hook --client copilot", state)).toBe(false);
  expect(isDouble(PROMPT, "heed.cjs hook --unless-plugin", state)).toBe(true);
  // A session that is resumed twice.
  const start: SessionEvent = { ...base, kind: "session-start", source: "resume" };
  expect(["a", "a", "b"].map((road) => isDouble(start, road, state))).toEqual([false, false, true]);
});

test("another prompt, session, tool call or agent is another event", () => {
  const state = directory();
  const others: SessionEvent[] = [
    PROMPT,
    { ...PROMPT, prompt: "go on" },
    { ...PROMPT, session: "s2" },
    { ...PROMPT, agentId: "a" },
    { ...base, kind: "tool-use", tool: "Bash", input: { command: "ls" } },
    { ...base, kind: "tool-use", tool: "Bash", input: { command: "pwd" } },
    { ...base, kind: "stop", lastMessage: undefined },
  ];
  expect(others.map((event, at) => isDouble(event, `road ${at}`, state))).toEqual(others.map(() => false));
});

test("after a while it is a new event, marks go when a session starts, and without marks there are no doubles", () => {
  const state = directory();
  const marks = (): string[] => readdirSync(join(state, "doubles"));
  isDouble(PROMPT, "a", state);
  const [old = ""] = marks();
  const past = new Date(Date.now() - 60_000);
  utimesSync(join(state, "doubles", old), past, past);
  expect(isDouble(PROMPT, "b", state)).toBe(false);
  utimesSync(join(state, "doubles", old), past, past);
  isDouble({ ...base, kind: "session-start", source: "startup" }, "a", state);
  expect(marks()).not.toContain(old);
  expect(isDouble(PROMPT, "a", "/dev/null/nowhere")).toBe(false);
});
