import { mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { SessionEvent } from "../../../src/heed.ts";
import { isDouble } from "../../../src/surfaces/hooks/read-event.ts";

const base = { session: "s1", cwd: "/p", client: "copilot" };
const PROMPT: SessionEvent = { ...base, kind: "prompt", prompt: "go" };
const START: SessionEvent = { ...base, kind: "session-start", source: "resume" };
let state = "";

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "heed-double-"));
  onTestFinished(() => rmSync(state, { recursive: true, force: true, maxRetries: 10 }));
});

test("the same event by another registration is a double, by the same one, or another one, a new event", () => {
  const doubles = (event: SessionEvent): boolean[] =>
    ["hook --client copilot", "hook --client copilot", "hook"].map((road) => isDouble(event, road, state));
  for (const event of [
    PROMPT,
    // A session that is resumed twice.
    START,
    { ...PROMPT, prompt: "go on" },
    { ...PROMPT, session: "s2" },
    { ...PROMPT, agentId: "a" },
    { ...base, kind: "tool-use", tool: "Bash", input: { command: "ls" } },
    { ...base, kind: "tool-use", tool: "Bash", input: { command: "pwd" } },
    { ...base, kind: "stop", lastMessage: undefined },
  ] as const)
    expect(doubles(event)).toEqual([false, false, true]);
});

test("after a while it is a new event, marks go when a session starts, and without marks there are no doubles", () => {
  const marks = (): string[] => readdirSync(join(state, "doubles"));
  isDouble(PROMPT, "a", state);
  const [old = ""] = marks();
  const past = new Date(Date.now() - 60_000);
  utimesSync(join(state, "doubles", old), past, past);
  expect(isDouble(PROMPT, "b", state)).toBe(false);
  utimesSync(join(state, "doubles", old), past, past);
  isDouble(START, "a", state);
  expect(marks()).not.toContain(old);
  expect(isDouble(PROMPT, "a", "/dev/null/nowhere")).toBe(false);
});
