import { describe, expect, test } from "vitest";
import { TemporaryHeed } from "../../home/temporary-heed.ts";
import { propose } from "./propose.ts";

const MODEL = { kind: "model", client: "claude-code", session: "s1" } as const;
const CODE = /heed yes ([a-z0-9]{5})/;

const there = TemporaryHeed.withUserStore();

const type = (prompt: string, more: { isTyped?: boolean; agentId?: string } = {}) =>
  there.event({ kind: "prompt", prompt, ...more });
const names = async (): Promise<string[]> => (await there.heed.memories.list()).map(({ name }) => name);

describe("heed keep", () => {
  test("is a rule of this repository, in force for the next session, and says so to user and model", async () => {
    const { notice, context } = await type("heed keep: never push on fridays");
    expect(notice).toMatch(/^heed: .*never push on fridays/);
    expect(context).toContain("heed has answered it");
    const [metadata] = await there.heed.memories.list();
    expect(metadata).toMatchObject({ type: "feedback", status: "confirmed" });
    expect(metadata?.scope.repo).toBeDefined();
    expect(await there.start("s2")).toContain("never push on fridays");
  });

  test("keeps a text that is too long for a statement whole, and says so where it is too long at all", async () => {
    const long = `never push on fridays${", nor on the day before a holiday".repeat(12)}, unless I say so`;
    await type(`heed keep: ${long}`);
    expect(await there.start("s2")).toContain(long);
    const { notice } = await type(`heed keep: ${"and always run the linter ".repeat(21)}`);
    expect(notice).toContain("Nothing was changed: the text has 545 characters, 500 at most");
    expect((await names()).length).toBe(1);
  });

  test.each([
    ["a type that there is not", "heed keep wisdom: be kind", `there is no type "wisdom"`],
    ["a secret", ["heed keep: the key is AKIA", "2E0A8F3B244C9986"].join(""), "secret"],
  ])("says why it refuses %s", async (_what, prompt, why) => {
    expect((await type(prompt)).notice).toContain(why);
    expect(await names()).toEqual([]);
  });
});

describe("nothing that was kept or removed before stops heed keep", () => {
  test("what resembles it", async () => {
    await type("heed keep: never push to main");
    expect((await type("heed keep: never push without tests")).notice).toContain("never push without tests");
    expect((await names()).length).toBe(2);
  });

  test("what was forgotten, in the same words or nearly so", async () => {
    await type("heed keep: logs are json");
    await type(`heed forget ${(await names())[0]}`);
    expect((await type("heed keep: logs are json")).notice).toContain("remembered");
    await type("heed keep: all logs are json");
    expect((await names()).length).toBe(2);
  });
});

describe("what else is typed for heed", () => {
  test("heed undo takes the last change back, and once more brings it back", async () => {
    await type("heed keep: never push on fridays");
    expect((await type("heed undo")).notice).toMatch(/undo: .*never push on fridays\. Type heed undo again/);
    expect(await names()).toEqual([]);
    await type("HEED undo");
    expect(await names()).toEqual(["never-push-on-fridays"]);
  });

  test.each([
    ["two lines", "heed keep: never push on fridays\nalways squash", "it has more than one line"],
    ["no colon", "heed keep never push on fridays", "its form is another"],
    ["a list", "heed list", "heed list runs in a terminal"],
    ["no code", "heed yes", "heed yes CODE"],
    ["too much", `heed keep: ${"x".repeat(700)}`, "it has 711 characters, 600 at most"],
  ])("what is no line for heed is said in one, and the prompt goes on: %s", async (_what, prompt, why) => {
    there.opened();
    const { notice, context = "" } = await type(prompt);
    expect(notice).toContain(why);
    expect(context).not.toContain("not to you");
    expect(await names()).toEqual([]);
  });
});

describe("a code", () => {
  test("puts what waits into force, once", async () => {
    const code = await propose(there);
    expect((await type(`heed yes ${code}`)).notice).toContain("run the linter before each commit");
    const start = await there.start("s2");
    expect(start).toContain("run the linter before each commit");
    // What the model wrote beside the statement is data.
    expect(start).not.toContain("Why: CI");
    const { notice } = await type(`heed yes ${code}`);
    expect(notice).toContain(`no question has the code ${code} any more; heed inbox lists what is open`);
  });

  test("drops what waits", async () => {
    const code = await propose(there);
    expect((await type(`heed no ${code}`)).notice).toContain("Dropped");
    expect(await there.heed.consent.questions()).toEqual([]);
    expect(await names()).toEqual([]);
  });
});

test("heed forget removes, and says how it comes back", async () => {
  await type("heed keep: never push on fridays");
  const [name = ""] = await names();
  expect((await type(`heed forget ${name}`)).notice).toMatch(
    /heed: removed: never push on fridays \[(heed:\S+)\]; not so\? type: heed undo \S+$/,
  );
  expect(await names()).toEqual([]);
  expect((await type(`heed forget ${name}`)).notice).toContain("Nothing was changed");
});

describe("nobody's line", () => {
  test.each([
    ["of a headless session", { isTyped: false }],
    ["of a subagent", { agentId: "a1" }],
  ])("%s does nothing", async (_what, more) => {
    const code = await propose(there);
    there.opened();
    expect((await type(`heed yes ${code}`, more)).notice).toBeUndefined();
    expect((await there.heed.consent.questions()).length).toBe(1);
  });

  test("in mode off is none", async () => {
    await there.heed.setup.setMode("off", "user", { kind: "person" });
    expect((await type("heed keep: never push on fridays")).notice).toBeUndefined();
    expect(await names()).toEqual([]);
  });

  test("of a model's through the façade is refused", async () => {
    const code = await propose(there);
    await expect(there.heed.consent.answer(code, "yes", MODEL)).rejects.toMatchObject({
      code: "gate-refused",
    });
  });
});

test("a formula is no turn that a model could quote", async () => {
  await type("heed keep: never push on fridays");
  const { outcome } = await there.heed.memories.write(
    { type: "feedback", statement: "never push on saturdays", quote: "never push on fridays" },
    MODEL,
  );
  expect(outcome).not.toBe("written");
});

test("where a prompt's answer reaches nobody, the first tool use that does tells it", async () => {
  const prompt = { kind: "prompt", prompt: "heed keep: never push on fridays", reach: "none" } as const;
  await there.event({ ...prompt, client: "cline" });
  const use = { kind: "tool-use", tool: "Bash", input: { command: "ls" }, reach: "late" } as const;
  const { context } = await there.event({ ...use, client: "cline" });
  expect(context).toContain("heed has answered it");
  expect(CODE.test(context ?? "")).toBe(false);
});
