import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestReport } from "../../../src/heed.ts";
import { rule, TemporaryHeed } from "../temporary-heed.ts";

const place = new TemporaryHeed();
const PROMPT = "how do I deploy the invoice importer to staging?";

beforeAll(async () => {
  await place.heed.setup.init("user");
  place.remember(
    {
      type: "reference",
      name: "importer-staging-deploy",
      description: "deploying the invoice importer to staging",
      body: "The invoice importer is deployed to staging by `make ship-staging`; logs are in Loki.",
    },
    { type: "project", name: "colour-of-the-shed", description: "the bike shed is painted ochre" },
    rule("no-friday-deploys", "never deploy on a Friday"),
  );
  await place.heed.setup.trust({ store: "user" });
});
afterAll(() => place.remove());

async function run(yaml: string, filter?: string): Promise<TestReport> {
  place.write(join(place.userStore, "tests", "cases.yaml"), yaml);
  return place.heed.maintenance.test({ filter });
}

const failuresOf = (report: TestReport): string[] => report.results.flatMap(({ failures }) => failures);

describe("a case passes", () => {
  it.each([
    ["by the former name of the key", "told: importer-staging-deploy"],
    ["by its line in the map", "injected: colour-of-the-shed"],
    ["by its handle", "whole: [heed:importer-staging-deploy]"],
    ["another one is not told", "not: [colour-of-the-shed]"],
    ["a rule that is in every context", "told: [no-friday-deploys]"],
    ["a small text", "max_chars: 900"],
  ])("%s", async (_name, expectation) => {
    const report = await run(`- prompt: ${PROMPT}\n  ${expectation}\n`);
    expect(failuresOf(report)).toEqual([]);
    expect(report).toMatchObject({ passed: 1, failed: 0, problems: [] });
    expect(report.results[0]).toMatchObject({
      file: "tests/cases.yaml",
      line: 1,
      name: PROMPT,
      injected: [{ name: "importer-staging-deploy", form: "body" }],
    });
  });

  it("when nothing is expected and nothing told", async () => {
    const report = await run("- prompt: thanks, commit that\n  nothing: true\n");
    expect(report).toMatchObject({ passed: 1, failed: 0 });
  });
});

describe("a case fails with the reason", () => {
  it.each([
    [
      "whole: colour-of-the-shed",
      /^expected colour-of-the-shed whole: not told: nothing in common with the prompt$/,
    ],
    ["injected: no-such-thing", /^expected no-such-thing: there is no memory of that name here$/],
    [
      "not: importer-staging-deploy",
      /^expected no importer-staging-deploy, got it as body \(p [01]\.\d\d\): /,
    ],
    ["not: no-friday-deploys", /^expected no no-friday-deploys, got it as rule: in force here/],
    ["nothing: true", /^expected nothing, got importer-staging-deploy \(body\)$/],
    ["max_chars: 10", /^expected at most 10 characters, got \d+$/],
  ])("%s", async (expectation, failure) => {
    const report = await run(`- prompt: ${PROMPT}\n  ${expectation}\n`);
    expect(report).toMatchObject({ passed: 0, failed: 1 });
    expect(failuresOf(report)).toEqual([expect.stringMatching(failure)]);
  });
});

describe("what cannot be read", () => {
  it.each([
    ["prompt: a\n", 1, "it is no list of cases"],
    ["- prompt: a\n  tolld: b\n", 1, 'a case has no key "tolld"'],
    ["- prompt: a\n  injected: b\n- injected: c\n", 3, "a case has no prompt"],
    ["- prompt: a\n", 1, "a case expects nothing"],
    ["- prompt: a\n  injected: [3]\n", 1, '"injected" is no name of a memory and no list of names'],
    ["- prompt: a\n  max_chars: few\n", 1, '"max_chars" is no number'],
    ["- just words\n", 1, "a case is no mapping"],
  ])("%j", async (yaml, line, message) => {
    const { problems } = await run(yaml);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.problem).toMatchObject({
      file: "tests/cases.yaml",
      severity: "error",
      code: "bad-test",
    });
    expect(problems[0]?.problem).toMatchObject({ line, message });
  });

  it("is told when it is no YAML at all", async () => {
    const { problems } = await run("- prompt: a\n  injected: [b\n");
    expect(problems.map(({ problem }) => problem.remedy)).toEqual(["make it readable YAML"]);
  });

  it("hides no other case", async () => {
    const report = await run("- injected: a\n- prompt: thanks, commit that\n  nothing: true\n");
    expect([report.passed, report.problems.length]).toEqual([1, 1]);
  });
});

describe("a filter", () => {
  const yaml =
    "- {name: first, prompt: thanks for that, nothing: true}\n- {prompt: and this one, nothing: true}\n";
  it.each([
    ["FIRST", 1],
    ["this", 1],
    ["cases.yaml", 2],
    ["absent", 0],
  ])("%s", async (filter, count) => {
    expect((await run(yaml, filter)).results).toHaveLength(count);
  });
});

describe("a recorded case", () => {
  it("passes as long as the same is told", async () => {
    await run("");
    const saved = await place.heed.maintenance.saveTest({ prompt: PROMPT });
    const silent = await place.heed.maintenance.saveTest({ prompt: "thanks, commit that" });
    expect(saved).toMatchObject({
      path: join(place.userStore, "tests", "recorded.yaml"),
      case: { prompt: PROMPT, whole: ["importer-staging-deploy"], injected: [], isNothing: false },
      notes: [],
    });
    expect(silent.case).toMatchObject({ isNothing: true });
    expect(readFileSync(saved.path, "utf8")).toContain(
      `- prompt: ${PROMPT}\n  whole:\n    - importer-staging-deploy\n`,
    );
    expect(await place.heed.maintenance.test({ filter: "recorded" })).toMatchObject({
      passed: 2,
      failed: 0,
      problems: [],
    });
  });

  it("is there once, however often it is saved", async () => {
    const prompt = "rename the variable x to total";
    const first = await place.heed.maintenance.saveTest({ prompt });
    const text = readFileSync(first.path, "utf8");
    const second = await place.heed.maintenance.saveTest({ prompt });
    expect([first.notes, second.notes]).toEqual([[], ["the file has this very case already"]]);
    expect(readFileSync(first.path, "utf8")).toBe(text);
  });

  it("is made from a past receipt", async () => {
    const { receipt } = await place.event({ kind: "prompt", prompt: PROMPT, session: "s7" });
    const saved = await place.heed.maintenance.saveTest({ receipt: receipt ?? "" });
    // The same case as from the prompt itself, above.
    expect(saved).toMatchObject({
      case: { prompt: PROMPT, whole: ["importer-staging-deploy"] },
      notes: ["the file has this very case already"],
    });
  });

  it("says when a fresh session is told something else", async () => {
    const long = `${PROMPT} ${"Please say all that is known of it, in order. ".repeat(6)}`;
    const { receipt } = await place.event({ kind: "prompt", prompt: long, session: "s8" });
    place.remember({
      type: "reference",
      name: "importer-staging-deploy-2",
      description: "deploying the invoice importer to staging, second cluster",
      body: "The second cluster of staging gets the invoice importer by `make ship-second`.",
    });
    const saved = await place.heed.maintenance.saveTest({ receipt: receipt ?? "" });
    expect(saved.notes).toHaveLength(1);
  });

  it("is not made from a receipt of something else than a prompt", async () => {
    const { receipt } = await place.event({ kind: "session-start", source: "startup", session: "s9" });
    await expect(place.heed.maintenance.saveTest({ receipt: receipt ?? "" })).rejects.toMatchObject({
      code: "invalid-input",
    });
  });

  it("leaves memories alone: tests are none", async () => {
    const memories = await place.heed.memories.list();
    expect(memories.some(({ file }) => file.startsWith("tests/"))).toBe(false);
  });
});
