import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EventAnswer } from "../../src/heed.ts";
import { TemporaryHeed, rule } from "../home/temporary-heed.ts";

// Where nobody sits: what waits is listed once, nothing is asked, and a guard that would ask says no.
const place = TemporaryHeed.forEachTest();
const CLIENT = { client: "claude-code", clientVersion: "2.1.330", permissionMode: "default" } as const;
const model = (session: string) => ({ kind: "model", client: "claude-code", session }) as const;
const IDEA = {
  type: "feedback",
  name: "tabs",
  statement: "Always indent with tabs",
  scope: "everywhere",
} as const;
const NOBODY = /Nobody can (?:answer|allow it) in this run/;

const start = (session: string, isTyped = false): Promise<EventAnswer> =>
  place.begin(session, { isTyped, ...CLIENT });
const prompt = (session: string, isTyped = false): Promise<EventAnswer> =>
  place.event({ kind: "prompt", prompt: "build it, then push", session, isTyped, ...CLIENT });
const idea = async (session: string) => {
  await place.heed.setup.init("user");
  return place.heed.memories.write(
    { ...IDEA, body: `${IDEA.statement}.\n**Why:** habit.\n**How to apply:** always.` },
    model(session),
  );
};

it.each(["typed", "rules"])(
  "mode %s lists what waits, once, and a write that waits says so",
  async (mode) => {
    place.env["HEED_MODE"] = mode;
    await start("s1");
    await prompt("s1");
    const written = await idea("s1");
    expect(written).toMatchObject({ outcome: "pending" });
    expect("reason" in written && written.reason).toMatch(NOBODY);
    const { context = "", notice } = await start("s2");
    expect(notice).toBe(undefined);
    expect(context).toMatch(NOBODY);
    expect(context).toContain(IDEA.statement);
    expect((await prompt("s2")).context ?? "").not.toContain(IDEA.statement);
    const { waiting } = await place.heed.setup.status();
    expect(waiting).toEqual([expect.stringContaining(IDEA.statement)]);
  },
);

it.each([
  [false, "deny"],
  [true, "ask"],
] as const)("a guard with `ask`, with a user %s: %s", async (isTyped, action) => {
  place.remember(rule("push", "Ask before a push", ["guard: { command: git push, action: ask }"]));
  await start("s1", isTyped);
  await prompt("s1", isTyped);
  const { decision } = await place.shell("git push", CLIENT);
  expect(decision?.action).toBe(action);
  expect(decision?.reason).toContain("Ask before a push");
  expect(NOBODY.test(decision?.reason ?? "")).toBe(!isTyped);
  expect(decision?.reason).not.toContain("heed allow");
});

it("says what a session cost: characters by kind, of how many memories", async () => {
  place.remember(rule("push", "Ask before a push"));
  const { context = "" } = await start("s1");
  const { cost } = await place.heed.setup.status();
  expect(cost).toMatch(new RegExp(`^told ${context.length} characters: rule \\d+ \\(1\\), of 1 memory$`));
});

describe("a user's store by a key that may only read", () => {
  it("comes, is never pushed, and what a model writes waits", async () => {
    const remote = join(place.folder, "remote.git");
    place.git("init", "-q", "--bare", "-b", "main", remote);
    await place.heed.setup.init("user");
    await place.heed.memories.write(
      { type: "project", statement: "Deploys run at noon", scope: "everywhere" },
      { kind: "person" },
    );
    await place.heed.setup.sync({ remote });
    const head = (): string => place.git("-C", remote, "rev-parse", "main");
    const before = head();
    const there = new TemporaryHeed();
    try {
      await there.heed.setup.sync({ remote, isReadOnly: true });
      expect((await there.heed.memories.list()).map(({ statement }) => statement)).toEqual([
        "Deploys run at noon",
      ]);
      const fact = { type: "project", statement: "The board is green", scope: "everywhere" } as const;
      expect(await there.heed.memories.write(fact, model("s1"))).toMatchObject({ outcome: "pending" });
      await there.heed.memories.write({ ...fact, statement: "Mine alone" }, { kind: "person" });
      expect(await there.heed.setup.sync()).toMatchObject({ pushed: 0 });
      expect(head()).toBe(before);
      expect((await there.heed.setup.status()).writes).toBe("ask");
      expect(await there.heed.setup.sync({ remote })).toMatchObject({ pushed: 1 });
      expect((await there.heed.setup.status()).writes).toBe("model");
    } finally {
      await there.remove();
    }
  });
});
