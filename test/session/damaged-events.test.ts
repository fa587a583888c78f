import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { EventAnswer } from "../../src/heed.ts";
import { type SessionRecord, recordSession } from "../../src/here/records/session-state.ts";
import { findPlaces } from "../../src/machine/places.ts";
import { TemporaryHeed, rule } from "../home/temporary-heed.ts";

// Hosts send null for what they do not have, and objects of their own. An answer of `{}` allows a call: what guards and
// rules can do without must not silence them.

const GUARD = "guard: { command: git commit, flags: [--no-verify] }";

const place = TemporaryHeed.forEachTest();
beforeEach(() => {
  place.remember(rule("keep-hooks", "Never bypass the hooks", [GUARD]));
});

const answer = (
  event: Record<string, unknown>,
  options: unknown = { deadlineMs: 15_000 },
): Promise<EventAnswer> => {
  const whole = { session: "s1", cwd: place.project, client: "test", ...event };
  return (place.heed.session.answer as (...args: unknown[]) => Promise<EventAnswer>)(whole, options);
};

const COMMAND = { command: "git commit --no-verify" };
const ring: Record<string, unknown> = { ...COMMAND };
ring["self"] = ring;
ring["list"] = [ring];
const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`k${i}`, i]));
/** Objects that hold the same twice at each level: small, and endless when they are copied. */
function doubled(levels: number): object {
  let inner: object = many;
  for (let level = 0; level < levels; level += 1) inner = { a: inner, b: inner };
  return inner;
}

const DAMAGED: [what: string, changes: Record<string, unknown>][] = [
  ["agentId null", { agentId: null }],
  ["agentId a number", { agentId: 7 }],
  ["transcriptPath null", { transcriptPath: null }],
  ["cwd missing", { cwd: undefined }],
  ["cwd null", { cwd: null }],
  ["cwd no path", { cwd: "a\0b" }],
  ["client missing", { client: undefined }],
  ["client null", { client: null }],
  ["session missing", { session: undefined }],
  ["session null", { session: null }],
];

describe("a call that a guard denies stays denied", () => {
  it.each<[string, Record<string, unknown>]>([
    ...DAMAGED,
    ["a function in the input", { input: { ...COMMAND, run: () => 1 } }],
    ["a bigint", { input: { ...COMMAND, timeout: 10n } }],
    ["a symbol", { input: { ...COMMAND, odd: Symbol("odd") } }],
    ["a cycle", { input: ring }],
    ["a toJSON of its own", { input: { ...COMMAND, toJSON: () => "x" } }],
    ["nesting without end", { input: { deep: doubled(40), ...COMMAND } }],
    ["a list of words with one that is none", { input: { command: ["git", "commit", "--no-verify", 10n] } }],
  ])("with %s", async (_what, changes) => {
    const { decision } = await answer({ kind: "tool-use", tool: "Bash", input: COMMAND, ...changes });
    expect(decision).toMatchObject({ action: "deny" });
  });
});

describe("with a line in the session's log that heed did not write so", () => {
  it.each([
    { kind: "noticed", what: 7 },
    { kind: "duty", rule: "x" },
    { kind: "duty", rule: "x", steps: [null] },
    { kind: "guarded" },
    { kind: "opening" },
    { kind: "injected", isBlock: true, memories: [null] },
  ])("%j", async (line) => {
    await answer({ kind: "session-start", source: "startup" });
    recordSession(findPlaces(place.env), "s1", [line as unknown as SessionRecord]);
    const { decision } = await answer({ kind: "tool-use", tool: "Bash", input: COMMAND });
    expect(decision).toMatchObject({ action: "deny" });
    const { context } = await answer({ kind: "session-start", source: "clear" });
    expect(context).toContain("Never bypass the hooks");
  });
});

it.each<[string, unknown]>([
  ["withoutMemory", null],
  ["withoutMemory", [null]],
  ["folders", 7],
])("and where the list beside the index has as %s %j", async (key, value) => {
  await answer({ kind: "session-start", source: "startup" });
  await place.heed.close();
  const folder = join(place.home, "cache", "index");
  const lists = readdirSync(folder).filter((name) => name.endsWith(".seen.json"));
  expect(lists).not.toEqual([]);
  for (const name of lists) {
    const file = join(folder, name);
    const seen = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify({ ...seen, [key]: value }));
  }
  const { decision } = await place.shell(COMMAND.command, { session: "s2" }, place.open());
  expect(decision).toMatchObject({ action: "deny" });
});

it.each(['{"shown":null,"declined":7}', '{"shown":{"others":5}}'])(
  "rules are told where the notes on questions say %s",
  async (text) => {
    const cloned = "---\nname: cloned\ndescription: x\nmetadata:\n  type: feedback\n---\nx\n";
    place.write(".heed/config.yaml", "store: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C\n");
    place.write(".heed/feedback/cloned.md", cloned);
    place.write(join(place.state, "questions.json"), text);
    const { context } = await answer({ kind: "session-start", source: "startup" });
    expect(context).toContain("Never bypass the hooks");
  },
);

describe("a session that starts is told the rules", () => {
  it.each<[string, Record<string, unknown>]>([
    ...DAMAGED.filter(([what]) => what !== "agentId a number"),
    ["an unknown source", { source: "reload" }],
    ["no source", { source: undefined }],
    ["a source that is none", { source: null }],
  ])("with %s", async (_what, changes) => {
    const { context } = await answer({ kind: "session-start", source: "startup", ...changes });
    expect(context).toContain("Never bypass the hooks");
  });

  it("and so is a subagent without a type", async () => {
    const { context } = await answer({ kind: "subagent-start", agentId: null });
    expect(context).toContain("Never bypass the hooks");
  });
});

it("a failure of a tool that is not named recalls by its error", async () => {
  place.remember({
    ...rule("pool-size", "EPOOL exhausted: raise pool_max in queue.toml"),
    type: "solution",
    body: "**Symptom:** EPOOL exhausted\n**Failed:** restarts\n**Solution:** raise pool_max in queue.toml\n**Why:** it was 2\n**How to apply:** on EPOOL",
  });
  const { context } = await answer({
    kind: "tool-failure",
    tool: null,
    input: null,
    error: "EPOOL exhausted in queue.toml",
  });
  expect(context).toContain("heed:pool-size");
});

describe("what only a mistake in a program can be is refused", () => {
  it.each<[string, Record<string, unknown>, unknown, string]>([
    ["no kind", {}, {}, "event.kind is missing: give one of session-start"],
    ["an unknown kind", { kind: "start" }, {}, 'event.kind is "start": give one of session-start'],
    ["a prompt without a text", { kind: "prompt", prompt: null }, {}, "event.prompt is null"],
    ["a tool use without a tool", { kind: "tool-use", input: COMMAND }, {}, "event.tool is missing"],
    ["an unknown field", { kind: "stop", text: "done" }, {}, "event.text is not known: give one of kind"],
    ["options that are none", { kind: "stop" }, 7, "options is 7"],
    ["a deadline before now", { kind: "stop" }, { deadlineMs: -1 }, "deadlineMs is -1"],
  ])("%s", async (_what, event, options, message) => {
    const refused = { code: "invalid-input", message: expect.stringContaining(message) as string };
    await expect(answer(event, options)).rejects.toMatchObject(refused);
  });
});
