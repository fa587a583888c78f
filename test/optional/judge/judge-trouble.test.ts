import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { choosing, formsOf, JudgedMachine, KEY, PROMPT } from "./judged-machine.ts";

let machine: JudgedMachine;
beforeEach(async () => {
  machine = await JudgedMachine.make();
});

/** Every byte that heed keeps on this machine. */
function kept(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, "latin1"))
    .join("\n");
}

describe("trouble costs nothing but the judgement", () => {
  test.each<[string, JudgedMachine["server"]["answer"]]>([
    ["an error", { status: 500 }],
    ["too many calls", { status: 429 }],
    ["a redirect", { status: 302, location: "http://127.0.0.1:1/" }],
    ["nonsense", { text: "heed:staging-owner, surely" }],
    ["a body without end", { failure: "huge" }],
    ["a broken connection", { failure: "hang-up" }],
    ["silence", { failure: "silence" }],
  ])("%s: the prompt is told what it is told without a judge", async (_, answer) => {
    const plain = await machine.say(machine.home.heed, PROMPT, "plain");
    machine.configure({ deadline_ms: 1000, wait_ms: 300 });
    machine.server.answer = answer;
    const startedAt = performance.now();
    expect((await machine.say(machine.resident())).context).toBe(plain.context);
    expect(performance.now() - startedAt).toBeLessThan(3000);
    expect(machine.server.asked).toHaveLength(1);
  });

  test("after three failures in a row it is left alone", async () => {
    machine.configure();
    machine.server.answer = { status: 401 };
    const heed = machine.resident();
    for (let i = 0; i < 5; i++) await machine.say(heed, `${PROMPT} ${i}`, `s${i}`);
    expect(machine.server.asked).toHaveLength(3);
    expect(readFileSync(join(machine.home.state, "heed.log"), "utf8")).toContain(
      "left alone for 5 minutes: HTTP 401",
    );
  });

  test("the key and the server's words are in no file", async () => {
    machine.configure();
    const heed = machine.resident();
    const answers = [{ status: 401 }, { text: "sk-secret echoed" }, choosing("staging-owner")];
    for (const [i, answer] of answers.entries()) {
      machine.server.answer = answer;
      await machine.say(heed, PROMPT, `s${i}`);
    }
    await heed.close();
    expect(machine.server.asked.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
    const everything = kept(machine.home.home);
    expect(everything).toContain("nonsense");
    expect(everything).not.toContain(KEY);
    expect(everything).not.toContain("sk-secret");
  });
});

describe("a choice that comes when the prompt has gone on", () => {
  test("is told with the next tool use of the main context, once", async () => {
    machine.configure({ wait_ms: 0 });
    machine.server.answer = { ...choosing("night-order"), delayMs: 50 };
    const heed = machine.resident();
    expect((await machine.say(heed)).context).not.toContain("NIGHT-BODY");
    await expect.poll(async () => (await heed.setup.judge.status()).ledger.outcomes).toEqual({ chosen: 1 });
    // What it leads to is made ready while nobody waits.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await machine.useTool(heed, "s1", "agent-1")).context).toBeUndefined();
    expect((await machine.useTool(heed, "another")).context).toBeUndefined();
    const late = await machine.useTool(heed);
    expect(late.context).toContain("NIGHT-BODY");
    // What the prompt was told before is not told again.
    expect(late.context).not.toContain("db-stage-2");
    expect(await formsOf(heed, late.receipt)).toMatchObject({ "night-order": "body" });
    expect((await machine.useTool(heed)).context).toBeUndefined();
    // It counts as told.
    expect((await machine.say(heed, `Again: ${PROMPT}`)).context ?? "").not.toContain("NIGHT-BODY");
  });

  test("is nothing to the prompt after it", async () => {
    machine.configure({ wait_ms: 0 });
    machine.server.answer = (question) =>
      question.request === PROMPT ? { ...choosing("night-order"), delayMs: 400 } : { text: '{"choose": []}' };
    const heed = machine.resident();
    await machine.say(heed);
    await machine.say(heed, "rename the variable x to total");
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect((await machine.useTool(heed)).context).toBeUndefined();
  });

  test("after two of them prompts wait no longer, until one is quick again", async () => {
    machine.configure({ wait_ms: 500, calls: 100 });
    const heed = machine.resident();
    const timed = async (session: string): Promise<number> => {
      const startedAt = performance.now();
      await machine.say(heed, PROMPT, session);
      return performance.now() - startedAt;
    };
    await timed("warm");
    machine.server.answer = { ...choosing("night-order"), delayMs: 700 };
    const held = [await timed("a"), await timed("b")];
    await new Promise((resolve) => setTimeout(resolve, 900));
    const unheld = await timed("c");
    await new Promise((resolve) => setTimeout(resolve, 900));
    for (const ms of held) expect(ms).toBeGreaterThan(450);
    expect(unheld).toBeLessThan(Math.min(...held));
    // Nobody waits for this one either, but it would have been in time.
    machine.server.answer = choosing("night-order");
    await timed("d");
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { receipt } = await machine.say(heed, PROMPT, "e");
    expect(await formsOf(heed, receipt)).toMatchObject({ "night-order": "body" });
  });
});

describe("the budget of a session", () => {
  test("of calls holds, also when the server is started anew; another session has its own", async () => {
    machine.configure({ calls: 2 });
    const first = machine.resident();
    for (const n of [1, 2]) await machine.say(first, `${PROMPT} ${n}`);
    await first.close();
    const second = machine.resident();
    for (const n of [3, 4]) await machine.say(second, `${PROMPT} ${n}`);
    expect(machine.server.asked).toHaveLength(2);
    await machine.say(second, PROMPT, "s2");
    expect(machine.server.asked).toHaveLength(3);
  });

  test("of tokens is not begun to be exceeded: a call that might not fit is not made", async () => {
    machine.configure({ tokens: 2200, deadline_ms: 100, wait_ms: 200 });
    machine.server.answer = { failure: "silence" };
    const heed = machine.resident();
    for (let i = 0; i < 2; i++) await machine.say(heed, `${PROMPT} ${i}`);
    // A call that never came back counts as the most that it could have cost.
    expect(machine.server.asked).toHaveLength(1);
    await machine.say(heed, PROMPT, "s2");
    expect(machine.server.asked).toHaveLength(2);
  });

  test("is in a ledger that status tells", async () => {
    machine.configure();
    const heed = machine.resident();
    machine.server.answer = choosing("staging-owner");
    await machine.say(heed);
    machine.server.answer = { status: 529 };
    await machine.say(heed, PROMPT, "s2");
    const { judge } = await heed.setup.status();
    expect(judge).toMatchObject({
      state: "on",
      judge: "openai m-1",
      budget: { calls: 30, tokens: 60_000 },
      ledger: {
        sessions: 2,
        calls: 2,
        outcomes: { chosen: 1, refused: 1 },
        inputTokens: 311,
        outputTokens: 12,
        isEstimated: false,
        last: { outcome: "refused", message: "HTTP 529: overloaded" },
      },
    });
  });
});
