import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rule, TemporaryHeed } from "../home/temporary-heed.ts";

const place = TemporaryHeed.forEachTest();

const FACT = {
  type: "project",
  name: "queue-retry",
  statement: "the email queue retries five times",
  body: "The email queue retries five times, and then parks the letter.",
};
const ASKS = "how often does the email queue retry, five times?";

test("each injection leaves a receipt that says what was told and what was not", async () => {
  place.remember(
    FACT,
    rule("tabs", "Indent with tabs"),
    rule("old", "Indent with blanks", ["status: superseded"]),
  );
  const start = await place.begin();
  const prompt = await place.event({ kind: "prompt", prompt: ASKS });
  const [second, first] = await place.heed.session.receipts();
  expect(first).toMatchObject({
    id: start.receipt,
    time: "2026-11-21T12:00:00.000Z",
    session: "s1",
    kind: "session-start",
    cwd: place.project,
    about: "startup",
    chars: start.context?.length,
    isCut: false,
    decisions: [
      { handle: "heed:tabs", type: "feedback", store: "user", form: "rule", reason: "in force here" },
      { handle: "heed:queue-retry", form: "map", reason: "its line is in the map" },
      { handle: "heed:old", form: "none", reason: "superseded by another memory", chars: 0 },
    ],
  });
  expect(second).toMatchObject({
    id: prompt.receipt,
    kind: "prompt",
    about: ASKS,
    decisions: [{ form: "body", rank: 1 }],
  });
  const explanation = await place.heed.session.why({ receipt: prompt.receipt ?? "" });
  expect(explanation).toEqual({ receipt: second, context: prompt.context, isDryRun: false });
});

test("at most fifty decisions are kept, those told first", async () => {
  place.remember(
    ...Array.from({ length: 60 }, (_, i) => rule(`r${i}`, `Rule ${i} is old`, ["status: superseded"])),
  );
  place.remember(rule("tabs", "Indent with tabs"));
  await place.start();
  const [receipt] = await place.heed.session.receipts();
  expect(receipt?.decisions).toHaveLength(50);
  expect(receipt?.decisions[0]).toMatchObject({ name: "tabs", form: "rule" });
});

describe("a dry run", () => {
  test("says what a prompt would get, and leaves no trace", async () => {
    place.remember(FACT, { ...FACT, name: "expired-queue", metadata: ["expires: 2026-01-01"] });
    place.opened("s2");
    const real = (await place.event({ kind: "prompt", prompt: ASKS, session: "s2" })).context;
    expect(await place.heed.session.receipts()).toHaveLength(1);
    const before = readdirSync(place.state, { recursive: true });
    const explanation = await place.heed.session.why({ prompt: ASKS });
    expect(explanation.isDryRun).toBe(true);
    expect(explanation.context).toBe(real);
    expect(explanation.receipt).toMatchObject({ kind: "prompt", about: ASKS, session: "" });
    expect(explanation.receipt.decisions).toMatchObject([
      {
        name: "queue-retry",
        form: "body",
        score: expect.any(Number),
        probability: expect.any(Number),
        terms: expect.any(Object),
      },
      { name: "expired-queue", form: "none", reason: "says the same as a memory told before it" },
    ]);
    expect(readdirSync(place.state, { recursive: true })).toEqual(before);
    expect(await place.heed.session.receipts()).toHaveLength(1);
  });

  test("in a mode that pushes no facts says so", async () => {
    place.remember(FACT);
    place.env["HEED_MODE"] = "pull";
    const { context, receipt } = await place.heed.session.why({ prompt: ASKS });
    expect(context).toBe("");
    expect(receipt.decisions).toMatchObject([
      {
        name: "queue-retry",
        form: "none",
        reason: expect.stringMatching(/^in mode pull only when asked for; in mode typed: ./),
      },
    ]);
  });
});

test.each(["20261121-120000-abcdef", "nonsense", "", "../x", "20261121-120000-ABCDEF"])(
  "the receipt %j is not there",
  async (receipt) => {
    await expect(place.heed.session.why({ receipt })).rejects.toMatchObject({ code: "not-found" });
  },
);

test("receipts come newest first, as many as asked for, over days and damage", async () => {
  place.remember(FACT);
  for (const day of ["19", "20", "21"]) {
    place.now = `2026-11-${day}T12:00:00Z`;
    await place.prompt(ASKS, `s${day}`);
    await place.prompt(ASKS, `t${day}`);
  }
  await place.heed.session.receipts();
  writeFileSync(join(place.state, "receipts", "20261120.jsonl"), "torn {\n", { flag: "a" });
  const sessions = (await place.heed.session.receipts({ limit: 5 })).map(({ session }) => session);
  expect(sessions).toEqual(["t21", "s21", "t20", "s20", "t19"]);
  expect(await place.heed.session.receipts()).toHaveLength(6);
});

test("of an event whose asker has gone nothing is kept, and no line that was typed for heed is carried out", async () => {
  place.remember(FACT);
  place.opened();
  const folder = join(place.state, "sessions");
  const logs = (): string[] => readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  const before = logs();
  const asked: boolean[] = [];
  const isWanted = (): boolean => asked.push(true) === 0;
  for (const prompt of [ASKS, "heed keep: indent with tabs"]) {
    const event = { kind: "prompt", session: "s1", cwd: place.project, client: "test", prompt } as const;
    expect(await place.heed.session.answer(event, { deadlineMs: 15_000, isWanted })).toEqual({});
  }
  expect(asked).toHaveLength(2);
  expect(await place.heed.session.receipts()).toEqual([]);
  expect((await place.heed.memories.list()).map(({ name }) => name)).toEqual([FACT.name]);
  expect(logs()).toEqual(before);
});
