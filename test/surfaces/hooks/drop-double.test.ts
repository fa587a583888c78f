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
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test("the same event by another registration is a double", () => {
  const state = directory();
  expect(isDouble(PROMPT, "heed.cjs hook --client copilot", state)).toBe(false);
  expect(isDouble(PROMPT, "heed.cjs hook --unless-plugin", state)).toBe(true);
});

test("by the same registration it is a new event: a session that is resumed twice", () => {
  const state = directory();
  const start: SessionEvent = { ...base, kind: "session-start", source: "resume" };
  expect(isDouble(start, "a", state)).toBe(false);
  expect(isDouble(start, "a", state)).toBe(false);
  expect(isDouble(start, "b", state)).toBe(true);
});

test("another prompt, session, tool call or agent is another event", () => {
  const state = directory();
  const others: SessionEvent[] = [
    PROMPT,
    { ...base, kind: "prompt", prompt: "go on" },
    { ...base, session: "s2", kind: "prompt", prompt: "go" },
    { ...base, agentId: "a", kind: "prompt", prompt: "go" },
    { ...base, kind: "tool-use", tool: "Bash", input: { command: "ls" } },
    { ...base, kind: "tool-use", tool: "Bash", input: { command: "pwd" } },
    { ...base, kind: "stop", lastMessage: undefined },
  ];
  expect(others.map((event, at) => isDouble(event, `road ${at}`, state))).toEqual(others.map(() => false));
});

test("marks that say nothing any more go when a session starts", () => {
  const state = directory();
  const marks = (): string[] => readdirSync(join(state, "doubles"));
  isDouble(PROMPT, "a", state);
  const [old = ""] = marks();
  const past = new Date(Date.now() - 60_000);
  utimesSync(join(state, "doubles", old), past, past);
  isDouble({ ...PROMPT, prompt: "on" }, "a", state);
  expect(isDouble({ ...base, kind: "session-start", source: "startup" }, "a", state)).toBe(false);
  expect(marks()).toHaveLength(2);
  expect(marks()).not.toContain(old);
});

test("after a while it is a new event, and where nothing can be marked there are no doubles", () => {
  const state = directory();
  expect(isDouble(PROMPT, "a", state)).toBe(false);
  const [mark = ""] = readdirSync(join(state, "doubles"));
  const before = Date.now() / 1000 - 60;
  utimesSync(join(state, "doubles", mark), before, before);
  expect(isDouble(PROMPT, "b", state)).toBe(false);
  expect(isDouble(PROMPT, "a", "/dev/null/nowhere")).toBe(false);
});
