import { beforeEach, describe, expect, test } from "vitest";
import type { EventAnswer } from "../../src/heed.ts";
import { TemporaryHeed, rule } from "../home/temporary-heed.ts";

const heed = TemporaryHeed.forEachTest();
beforeEach(() => {
  heed.remember(
    rule("tests-first", "Commit after the tests passed", [
      "guard: { before: git commit, needs: [npm test, npx vitest], after: src/** }",
    ]),
    rule("tests-at-end", "Run the tests before you are done", [
      "guard: { when: turn-end, needs: npm test, after: src/**, say: run npm test }",
    ]),
    rule("lint-at-end", "Lint before you are done", [
      "guard: { when: turn-end, needs: npm run lint, after: src/** }",
    ]),
  );
});

type Step = string | { tool: string; input: Record<string, unknown> };
const edit = (file: string): Step => ({ tool: "Edit", input: { file_path: `${heed.project}/${file}` } });

/** A call that ends as said; null: the client does not say how. */
async function call(step: Step, isOk: boolean | null = true): Promise<EventAnswer> {
  const { tool, input } = typeof step === "string" ? { tool: "Bash", input: { command: step } } : step;
  const more = isOk === null ? {} : { tellsResult: true };
  const answer = await heed.event({ kind: "tool-use", tool, input, ...more });
  if (answer.decision === undefined && isOk !== null)
    await heed.event(
      isOk ? { kind: "tool-result", tool, input } : { kind: "tool-failure", tool, input, error: "x" },
    );
  await heed.heed.session.receipts();
  return answer;
}
async function stop(more: object = { canSendBack: true }): Promise<EventAnswer> {
  const answer = await heed.event({ kind: "stop", lastMessage: "done", ...more });
  await heed.heed.session.receipts();
  return answer;
}
const prompt = (text = "go on"): Promise<EventAnswer> => heed.event({ kind: "prompt", prompt: text });

describe("a command that needs another one to have passed since the last edit", () => {
  const edited = (): [Step, boolean?] => [edit("src/a.ts")];
  test.each<[string, string, () => [Step, boolean?][]]>([
    ["nothing was changed", "allowed", () => []],
    ["a file was changed", "denied", () => [edited()]],
    ["a file elsewhere was changed", "allowed", () => [[edit("docs/a.md")]]],
    ["it passed", "allowed", () => [edited(), ["npm test"]]],
    ["it passed through npx", "allowed", () => [edited(), ["CI=1 npx vitest run"]]],
    ["it passed behind &&", "allowed", () => [edited(), ["cd . && npm test"]]],
    ["it failed", "denied", () => [edited(), ["npm test", false]]],
    ["it was changed again", "denied", () => [edited(), ["npm test"], edited()]],
    ["the shell changed it again", "denied", () => [edited(), ["npm test"], ["sed -i s/a/b/ src/a.ts"]]],
    ["the same call changed it afterwards", "denied", () => [["npm test && echo x > src/a.ts"]]],
    ["only the end of a pipe is known", "unknown", () => [edited(), ["npm test | tail -5"]]],
    ["it may have failed", "unknown", () => [edited(), ["npm test || true"]]],
    ["something ran after it", "unknown", () => [edited(), ["npm test; ls"]]],
    ["with pipefail", "allowed", () => [edited(), ["set -o pipefail; npm test | tail -5"]]],
    ["its help was shown", "denied", () => [edited(), ["npm test --help"]]],
  ])("%s: %s", async (_, expected, steps) => {
    for (const [step, isOk] of steps()) await call(step, isOk);
    const { decision, notice } = await call("git commit -m x");
    const said = decision ? "denied" : (notice ?? "").includes("cannot tell") ? "unknown" : "allowed";
    expect(said).toBe(expected);
    expect(decision?.reason ?? "It is too early: src/a.ts was changed").toContain(
      "It is too early: src/a.ts was changed",
    );
  });

  test.each([
    ["npm test && git commit -m x", undefined],
    ["npm test && git add -A && git commit -m x", undefined],
    ["npm test; git commit -m x", "deny"],
    ["npm test || git commit -m x", "deny"],
    ["npm test | cat && git commit -m x", "deny"],
    ["npm test && echo x > src/b.ts && git commit -m x", "deny"],
  ])("in one text: %s", async (command, expected) => {
    await call(edit("src/a.ts"));
    expect((await call(command)).decision?.action).toBe(expected);
  });

  test("where a client does not say how calls end, it cannot tell", async () => {
    await call(edit("src/a.ts"), null);
    expect((await call("git commit -m x", null)).decision?.action).toBe("deny");
    await call("npm test", null);
    const { decision, notice } = await call("git commit -m x", null);
    expect(decision).toBeUndefined();
    expect(notice).toContain("heed cannot tell whether npm test or npx vitest passed since");
  });
});

describe("the end of a turn", () => {
  test("is sent back once, for all reasons together; then the user is told", async () => {
    await prompt();
    await call(edit("src/a.ts"));
    const { sendBack, notice } = await stop();
    expect(sendBack).toMatch(
      /This turn is not over.*\n(.*\n)*Instead: run npm test\.\n.*src\/a.ts was changed, and npm test has not/,
    );
    expect(sendBack).toContain("npm run lint has not passed");
    expect(notice).toMatch(/^heed: sent back once: /);
    const { rules } = await heed.heed.guards.records();
    expect(rules.filter(({ stopped }) => stopped.times === 1).map(({ name }) => name)).toEqual([
      "lint-at-end",
      "tests-at-end",
    ]);
    await call("npm test");
    const again = await stop({ canSendBack: true, isContinued: true });
    expect(again.sendBack).toBeUndefined();
    expect(again.notice).toMatch(
      /although the agent was sent back once, and a rule is not kept: heed:lint-at-end: src/,
    );
  });

  test("passes where all passed, and where nothing was changed since the user's last words", async () => {
    await prompt();
    await call(edit("src/a.ts"));
    await call("npm test && npm run lint");
    expect(await stop()).toEqual({});
    await call(edit("src/a.ts"));
    expect((await stop()).sendBack).toBeDefined();
    await prompt("and now?");
    expect(await stop()).toEqual({});
  });

  test("in a client that cannot send it back, the user is told", async () => {
    await prompt();
    await call(edit("src/a.ts"));
    const { sendBack, notice } = await stop({});
    expect(sendBack).toBeUndefined();
    expect(notice).toMatch(/^heed: the turn ended, and a rule is not kept: /);
  });
});
