import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { SessionWriter } from "../session-writer.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";
import { ModelServer } from "../model/model-server.ts";

const SESSION = "5f1d7a3e-0000-4000-8000-0000000000bb";
const SAID = "why did you push without running the linter? CI rejected two of my PRs because of that";

const home = TemporaryHeed.forEachTest();
let server: ModelServer;
let session: SessionWriter;

beforeEach(async () => {
  home.addOrigin("https://github.com/acme/api.git");
  server = await ModelServer.listen();
  session = home
    .transcript(SESSION)
    .user("add the retry flag to the upload command")
    .says("Done and pushed.")
    .user(SAID)
    .says("Sorry, I will run it first.");
});

function configure(further: Record<string, unknown> = {}): void {
  const learn = { provider: "openai", model: "m-1", url: server.url("openai"), ...further };
  home.write(join(home.home, "config", "config.yaml"), `learn: ${JSON.stringify(learn)}\n`);
}

const answerWith = (...items: object[]): void => {
  server.answer = { text: JSON.stringify({ items }) };
};
const RULE = {
  type: "feedback",
  statement: "Run the linter before pushing",
  quote: "why did you push without running the linter?",
  reason: "CI rejected two of my PRs",
};

const end = (kind?: "stop") => home.endsWith(session, kind);

test("without being turned on nobody is asked", async () => {
  answerWith(RULE);
  await end();
  expect(server.asked).toEqual([]);
  expect((await home.heed.setup.status()).learn).toMatchObject({
    mode: "off",
    problems: [],
    today: { calls: 0 },
  });
});

test("after a session one call; what it says waits with the user's words, and its cost is told", async () => {
  configure();
  answerWith(RULE);
  await end("stop");
  expect(server.asked).toEqual([]);
  await end();
  expect(server.asked).toHaveLength(1);
  const sent = JSON.parse(server.asked[0]?.body.messages.at(-1)?.content ?? "{}") as {
    turns: { user: string }[];
  };
  expect(sent.turns.map(({ user }) => user)).toContain(SAID);
  const [item, ...others] = await home.heed.inbox.list();
  expect(others).toEqual([]);
  expect(JSON.stringify(item)).toContain(RULE.statement);
  const body = JSON.stringify(item);
  expect(body).toContain(RULE.quote);
  expect(body).toContain(RULE.reason);
  expect(await home.start("s9")).toContain(RULE.statement);
  const { learn } = await home.heed.setup.status();
  expect(learn).toMatchObject({
    mode: "model",
    model: "openai m-1",
    today: { calls: 1, items: 1, last: "answered" },
  });
  await end();
  expect(server.asked).toHaveLength(1);
});

test("what a resumed copy of the session carries again is not sent twice, and what waits is known", async () => {
  configure();
  answerWith(RULE);
  await end();
  const copy = "77777777-0000-4000-8000-0000000000cc";
  const file = home.write(
    join(home.home, `${copy}.jsonl`),
    readFileSync(session.file, "utf8").replaceAll(SESSION, copy),
  );
  await home.endsWith({ session: copy, file });
  expect(server.asked).toHaveLength(1);
  session.user("and lint the docs as well, each time").says("Yes.");
  answerWith();
  await end();
  const sent = server.asked[1]?.body.messages.at(-1)?.content ?? "";
  expect(sent).not.toContain("without running the linter");
  expect(sent).toContain(RULE.statement);
  expect(sent).toContain('"day":"2026-11-21"');
});

test("a quote that nobody said is dropped, and a reason that nobody gave is left out", async () => {
  configure();
  answerWith(
    { ...RULE, quote: "always squash your commits" },
    { ...RULE, type: "nonsense" },
    {
      type: "feedback",
      statement: "Lint before a push",
      quote: "push  without running\nthe linter",
      reason: "it is tidy",
    },
  );
  await end();
  const items = await home.heed.inbox.list();
  expect(items).toHaveLength(1);
  expect(JSON.stringify(items)).not.toContain("tidy");
});

test("what it says of a known memory waits as a change of it", async () => {
  configure();
  home.remember({
    type: "feedback",
    name: "lint",
    description: "run the linter before each commit",
    body: "run the linter before each commit.\n\n**Why:** CI is slow.\n**How to apply:** each time.",
  });
  answerWith({ ...RULE, changes: "heed:lint" });
  await end();
  expect(await home.heed.inbox.list()).toMatchObject([{ target: "lint" }]);
  expect((await home.heed.memories.show("lint")).metadata.description).toBe(
    "run the linter before each commit",
  );
});

test("the day's budget holds; trouble costs nothing but a line in the status", async () => {
  configure({ calls: 1 });
  server.answer = { status: 401 };
  await end();
  expect((await home.heed.setup.status()).learn.today.last).toContain("the key is missing or wrong");
  session.user("and never push on a Friday evening, nobody is there to look at it").says("Understood.");
  answerWith(RULE);
  await end();
  expect(server.asked).toHaveLength(1);
  expect(readFileSync(join(home.state, "learn.jsonl"), "utf8")).not.toContain("sk-secret");
});

test("what was said stays to be read where the call failed, and is sent again another time", async () => {
  configure();
  server.answer = { status: 500 };
  await end();
  expect(await home.heed.inbox.list()).toEqual([]);
  answerWith(RULE);
  session.user("and how does the upload command read its flags?").says("From argv.");
  await end();
  expect(server.asked).toHaveLength(2);
  expect(JSON.stringify(server.asked[1]?.body)).toContain("without running the linter");
  expect(await home.heed.inbox.list()).toHaveLength(1);
  await end();
  expect(server.asked).toHaveLength(2);
});

test("a call ends when somebody says something, and what was said is sent another time", async () => {
  configure();
  server.answer = { text: JSON.stringify({ items: [RULE] }), delayMs: 20_000 };
  await home.event({ kind: "session-end", reason: "other", session: SESSION, transcriptPath: session.file });
  await new Promise((resolve) => setImmediate(resolve));
  const startedAt = performance.now();
  const run = home.heed.learning.capture({ isInBackground: true });
  while (server.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await home.event({ kind: "prompt", prompt: "hello", session: "s2" });
  await run;
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  answerWith(RULE);
  session.user("and never push on a Friday evening, nobody is there to look at it").says("Understood.");
  await end();
  expect(JSON.stringify(server.asked[1]?.body)).toContain("without running the linter");
});

test("no secret is sent, and a broken configuration is told and used for nothing", async () => {
  const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  configure({ key: "sk-1" });
  session.user(`please use ${token} for the release from today on`).says("Done.");
  await end();
  expect(server.asked).toEqual([]);
  expect((await home.heed.setup.status()).learn.problems.join()).toContain(
    "a key does not belong into a file",
  );
  configure();
  session.user(`I said it before: the release goes out with ${token} and nothing else`).says("Yes.");
  await end();
  expect(server.asked).toHaveLength(1);
  expect(JSON.stringify(server.asked[0]?.body)).not.toContain(token);
});

describe("learn", () => {
  const PERSON = { kind: "person" } as const;

  test("off and model stand in the user's configuration, whose other parts stay", async () => {
    const file = join(home.home, "config", "config.yaml");
    home.write(file, "# mine\nwriter: heed\n");
    await home.heed.setup.setLearn("off", PERSON);
    expect((await home.heed.setup.status()).learn).toMatchObject({ mode: "off", isSaid: true });
    await home.heed.setup.setLearn("model", PERSON);
    expect(readFileSync(file, "utf8")).toBe('# mine\nwriter: heed\nlearn: "model"\n');
  });

  test("explicit, a mode of before, is off without a complaint", async () => {
    home.write(join(home.home, "config", "config.yaml"), "learn: explicit\n");
    expect((await home.heed.setup.status()).learn).toMatchObject({ mode: "off", isSaid: true, problems: [] });
    configure();
    const heed = home.open({ HEED_LEARN: "explicit" });
    expect((await heed.setup.status()).learn.mode).toBe("off");
    await heed.close();
  });

  test("model names the client's headless mode", async () => {
    await home.heed.setup.setLearn("model", PERSON);
    expect((await home.heed.setup.status()).learn).toMatchObject({
      mode: "model",
      model: "claude-code haiku",
    });
  });

  test("model leaves a model that is named", async () => {
    configure();
    await home.heed.setup.setLearn("model", PERSON);
    expect((await home.heed.setup.status()).learn).toMatchObject({ mode: "model", model: "openai m-1" });
  });

  test("model without its program is off, and says what is missing", async () => {
    await home.heed.setup.setLearn("model", PERSON);
    const heed = home.open({ PATH: home.folder });
    const { learn } = await heed.setup.status();
    await heed.close();
    expect(learn).toMatchObject({ mode: "off", problems: ["there is no claude on the PATH"] });
  });

  test("is the user's to set, not a model's, and no other word", async () => {
    await expect(home.heed.setup.setLearn("model", { kind: "model", client: "test" })).rejects.toMatchObject({
      code: "gate-refused",
    });
    home.write(join(home.home, "config", "config.yaml"), "learn: sometimes\n");
    const { learn } = await home.heed.setup.status();
    expect(learn.mode).toBe("off");
    expect(learn.problems.join()).toContain("learn is not off, model, or a map");
  });
});
