import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { TemporaryHeed } from "../home/temporary-heed.ts";

let sessionId = "s1";
const CUED = "please never push without running the tests";
const PLAIN = "make the button blue";

const home = TemporaryHeed.forEachTest();
beforeEach(() => {
  sessionId = "s1";
});

/** Whether the model is reminded with a prompt. */
async function say(prompt: string, isTyped = true): Promise<boolean> {
  const { context = "" } = await home.event({ kind: "prompt", prompt, session: sessionId, isTyped });
  const count = context.split("may hold something that later sessions need").length - 1;
  expect(count).toBeLessThan(2);
  return count === 1;
}

const stop = () => home.event({ kind: "stop", lastMessage: "Done.", session: sessionId });

let written = 0;
/** What the session's model writes; its quote is of what the user said last. */
async function write(quote: string): Promise<void> {
  const draft = { type: "feedback", statement: `${quote}, ${(written += 1)}`, quote };
  await home.heed.memories.write(draft, { kind: "model", client: "test", session: sessionId });
}

/** Each step: a prompt, an agent's turn that ends, or a write of the model. */
async function session(steps: readonly string[]): Promise<boolean[]> {
  const injected: boolean[] = [];
  let last = "";
  for (const step of steps)
    if (step === "STOP") await stop();
    else if (step === "WROTE") await write(last);
    else injected.push(await say((last = step)));
  return injected;
}

describe("the next prompt carries the line", () => {
  test.each<[string, string[], boolean]>([
    ["a cue stood in the turn before", [CUED, "STOP", PLAIN], true],
    ["in another language", ["bitte immer mit pnpm", "STOP", PLAIN], true],
    ["the model wrote in that turn", [CUED, "WROTE", "STOP", PLAIN], false],
    ["no cue stood in it", [PLAIN, "STOP", "and now green"], false],
    ["the cue stands in the prompt itself", [PLAIN, "STOP", CUED], false],
    ["a cue in a paste", ["look at this:\n```\nnever do that\n```", "STOP", PLAIN], false],
    ["the user had interrupted before", [PLAIN, "STOP", PLAIN, "no, the red one", "STOP", "thanks"], true],
    ["the same, and the model wrote", [PLAIN, "STOP", PLAIN, "no, red", "WROTE", "STOP", "thanks"], false],
    ["a client that tells no ends of turns", [PLAIN, "go on", "no, the red one", "thanks"], false],
  ])("%s", async (_, steps, isInjected) => {
    expect((await session(steps)).at(-1)).toBe(isInjected);
  });

  test("and never one that nobody typed", async () => {
    await session([CUED, "STOP"]);
    expect(await say(PLAIN, false)).toBe(false);
  });

  test("neither where heed is off nor where only rules are told", async () => {
    for (const mode of ["off", "rules"] as const) {
      await home.heed.setup.setMode(mode, { session: sessionId });
      expect(await session([CUED, "STOP", PLAIN])).toEqual([false, false]);
    }
  });
});

test("none where only the user may write", async () => {
  home.write(join(home.home, "config", "config.yaml"), "writes: me\n");
  expect(await session([CUED, "STOP", PLAIN])).toEqual([false, false]);
});

test("once in a session, and never where the model called a tool of heed's, whatever came of it", async () => {
  const cued = Array.from({ length: 30 }, () => [CUED, "STOP"]).flat();
  expect((await session(cued)).flatMap((isInjected, at) => (isInjected ? [at] : []))).toEqual([1]);
  for (const tool of ["mcp__plugin_heed_heed__memory_search", "mcp_heed_memory_write", "heed__memory_show"]) {
    sessionId = tool;
    await home.event({ kind: "tool-use", tool, input: {}, session: sessionId });
    expect([tool, ...(await session([CUED, "STOP", PLAIN]))]).toEqual([tool, false, false]);
  }
  sessionId = "subagent";
  const tool = "mcp__heed__memory_show";
  await home.event({ kind: "tool-use", tool, input: {}, session: sessionId, agentId: "a1" });
  expect(await session([CUED, "STOP", PLAIN])).toEqual([false, true]);
});

test("nor where a write failed because it held a secret", async () => {
  const secret = ["ghp", "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vWxY12"].join("_");
  const said = "remember the deploy token: ";
  await say(said + secret);
  await home.event({ kind: "tool-use", tool: "mcp__heed__memory_write", input: {}, session: sessionId });
  const draft = { type: "reference", statement: `The deploy token is ${secret}`, quote: said + secret };
  const written = await home.heed.memories.write(draft, {
    kind: "model",
    client: "test",
    session: sessionId,
  });
  expect(written).toMatchObject({
    outcome: "refused",
    refusals: [{ gate: "secret", reason: expect.stringContaining("it holds a secret") }],
  });
  await stop();
  expect(await say(PLAIN)).toBe(false);
});
