import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { askCommand } from "../../../src/past/learner/learner.ts";
import type { SessionWriter } from "../session-writer.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

const SESSION = "5f1d7a3e-0000-4000-8000-0000000000bb";
const SAID = "why did you push without running the linter? CI rejected two of my PRs because of that";

const home = TemporaryHeed.forEachTest();
let session: SessionWriter;

/** A command that notes how it was asked, and goes on with `script`. */
const NOTES = `const fs = require("node:fs");
  const input = fs.readFileSync(0, "utf8");
  fs.appendFileSync(process.argv[2], JSON.stringify({ input, env: process.env, cwd: process.cwd(),
    files: fs.readdirSync("."), args: process.argv.slice(3) }) + "\\n");`;

interface Asked {
  input: string;
  env: Record<string, string>;
  cwd: string;
  files: string[];
  args: string[];
}

const seen = (): string => join(home.folder, "asked.jsonl");

function asked(): Asked[] {
  const text = existsSync(seen()) ? readFileSync(seen(), "utf8") : "";
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Asked);
}

function commandOf(script: string): string {
  const file = home.write(join(home.folder, "model.cjs"), `${NOTES}\n${script}`);
  return `"${process.execPath}" "${file}" "${seen()}"`;
}

const configure = (learn: unknown = commandOf("process.exit(9)")): string =>
  home.write(join(home.home, "config", "config.yaml"), `learn: ${JSON.stringify(learn)}\n`);

const printing = (text: string): string => `process.stdout.write(${JSON.stringify(text)});`;

const answerWith = (...items: object[]): string => commandOf(printing(JSON.stringify({ items })));

beforeEach(() => {
  home.addOrigin("https://github.com/acme/api.git");
  session = home
    .transcript(SESSION)
    .user("add the retry flag to the upload command")
    .says("Done and pushed.")
    .user(SAID)
    .says("Sorry, I will run it first.");
});

const RULE = {
  type: "feedback",
  statement: "Run the linter before pushing",
  quote: "why did you push without running the linter?",
  reason: "CI rejected two of my PRs",
};

const end = (kind?: "stop") => home.endsWith(session, kind);

/** Leaves it to somebody else to capture. */
async function queue(): Promise<void> {
  await home.event({ kind: "session-end", reason: "other", session: SESSION, transcriptPath: session.file });
}

test("without being turned on nobody is asked", async () => {
  answerWith(RULE);
  await end();
  expect(asked()).toEqual([]);
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
  expect(asked()).toEqual([]);
  await end();
  expect(asked()).toHaveLength(1);
  const sent = JSON.parse(asked()[0]?.input.split("\n\n").at(-1) ?? "{}") as { turns: { user: string }[] };
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
    model: expect.stringContaining("model.cjs"),
    today: { calls: 1, last: "answered" },
  });
  await end();
  expect(asked()).toHaveLength(1);
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
  expect(asked()).toHaveLength(1);
  session.user("and lint the docs as well, each time").says("Yes.");
  answerWith();
  await end();
  const sent = asked()[1]?.input ?? "";
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
    statement: "run the linter before each commit",
    body: "run the linter before each commit.\n\n**Why:** CI is slow.\n**How to apply:** each time.",
  });
  answerWith({ ...RULE, changes: "heed:lint" });
  await end();
  expect(await home.heed.inbox.list()).toMatchObject([{ target: "lint" }]);
  expect((await home.heed.memories.show("lint")).metadata.statement).toBe(
    "run the linter before each commit",
  );
});

test("the day's budget holds; trouble costs nothing but a line in the status", async () => {
  configure();
  commandOf("process.exit(3);");
  const time = home.now;
  const call = (id: number): string =>
    `{"v":1,"kind":"asked","id":"${id}","time":"${time}","session":"s","model":"m","reserve":9}\n`;
  home.write(join(home.state, "learn.jsonl"), Array.from({ length: 19 }, (_, i) => call(i)).join(""));
  await end();
  expect((await home.heed.setup.status()).learn.today).toEqual({
    calls: 20,
    last: "exit code 3",
  });
  session.user("and never push on a Friday evening, nobody is there to look at it").says("Understood.");
  answerWith(RULE);
  await end();
  expect(asked()).toHaveLength(1);
});

test("what was said stays to be read where the call failed, and is sent again another time", async () => {
  configure();
  await end();
  expect(await home.heed.inbox.list()).toEqual([]);
  answerWith(RULE);
  session.user("and how does the upload command read its flags?").says("From argv.");
  await end();
  expect(asked()).toHaveLength(2);
  expect(asked()[1]?.input).toContain("without running the linter");
  expect(await home.heed.inbox.list()).toHaveLength(1);
  await end();
  expect(asked()).toHaveLength(2);
});

test("no secret is sent; the command runs alone in an empty folder, as no part of the session", async () => {
  const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  configure(answerWith());
  session.user(`I said it before: the release goes out with ${token} and nothing else`).says("Yes.");
  await queue();
  const heed = home.open({ CLAUDECODE: "1", CLAUDE_PLUGIN_ROOT: "/p", HEED_MODE: "typed", OWN_KEY: "k" });
  await heed.learning.capture();
  await heed.close();
  expect(asked()).toHaveLength(1);
  const [{ input, env, cwd, files } = {} as Asked] = asked();
  expect(input).not.toContain(token);
  expect(env).toMatchObject({ HEED_MODE: "off", HEED_LEARN: "off", OWN_KEY: "k" });
  expect(env).not.toHaveProperty("CLAUDECODE");
  expect(env).not.toHaveProperty("CLAUDE_PLUGIN_ROOT");
  expect([files, existsSync(cwd)]).toEqual([[], false]);
});

test.each<[string, string, string]>([
  ["an exit code", "process.exit(3)", "exit code 3"],
  [
    "output without end",
    'const b = "x".repeat(65536); setInterval(() => process.stdout.write(b), 1)',
    "an answer of more than 262144 bytes",
  ],
  ["no end", "setInterval(() => {}, 1000)", "no answer within 1000 ms"],
])("a command answers by its output, or fails by %s", async (_, script, failure) => {
  expect(await askCommand(commandOf(printing("yes")), "?", process.env, 5000)).toBe("yes");
  await expect(askCommand(commandOf(script), "?", process.env, 1000)).rejects.toThrow(failure);
});

test.runIf(process.platform !== "win32")(
  "a command that goes on without an output is ended in time",
  async () => {
    const asked = askCommand("exec >&-; sleep 60", "?", process.env, 500);
    await expect(asked).rejects.toThrow("no answer within 500 ms");
  },
);

test("where the call cannot be written down it is not made, and the session has its episode all the same", async () => {
  configure(answerWith());
  mkdirSync(join(home.home, "state", "learn.jsonl"), { recursive: true });
  session.tool("Edit", { file_path: join(home.project, "a.ts"), old_string: "a", new_string: "b" }, "done");
  const { sessions, problems } = await end();
  expect([asked(), problems]).toEqual([[], []]);
  expect(sessions[0]?.episode).toBeDefined();
});

describe("learn", () => {
  const PERSON = { kind: "person" } as const;

  test("off and model stand in the user's configuration, whose other parts stay", async () => {
    const file = join(home.home, "config", "config.yaml");
    home.write(file, "# mine\nwriter: heed\n");
    await home.heed.setup.setLearn("off", PERSON);
    expect((await home.heed.setup.status()).learn).toMatchObject({ mode: "off" });
    await home.heed.setup.setLearn("model", PERSON);
    expect(readFileSync(file, "utf8")).toBe("# mine\nwriter: heed\nlearn: model\n");
  });

  test("model is Claude Code without tools and settings", async () => {
    const claude = home.write(
      join(home.home, "bin", "claude"),
      `#!${process.execPath}\n${NOTES.replace("process.argv[2]", JSON.stringify(seen()))}`,
    );
    chmodSync(claude, 0o755);
    await home.heed.setup.setLearn("model", PERSON);
    const heed = home.open({ PATH: join(home.home, "bin") });
    expect((await heed.setup.status()).learn).toMatchObject({
      mode: "model",
      model: "claude -p --model haiku",
    });
    await queue();
    await heed.learning.capture();
    await heed.close();
    expect(asked().map(({ args }) => args.join(" "))).toEqual([
      expect.stringContaining(
        '--tools  --setting-sources  --settings {"disableAllHooks":true} --strict-mcp-config',
      ),
    ]);
  });

  test("model leaves a command that is named", async () => {
    configure();
    await home.heed.setup.setLearn("model", PERSON);
    expect((await home.heed.setup.status()).learn.model).toContain("model.cjs");
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
  });

  test.each([
    [{ provider: "openai", model: "m", key: "sk-1" }, "learn is not a command line: use off, model,"],
    [7, "learn is not a command line: use off, model,"],
  ])("%j is off, and says what to write", async (said, problem) => {
    configure(said);
    const { learn } = await home.heed.setup.status();
    expect(learn).toMatchObject({ mode: "off", problems: [expect.stringContaining(problem)] });
    await end();
    expect(asked()).toEqual([]);
  });
});

test("it gives other words to what has none, and to what it proposes", async () => {
  const facts = Array.from({ length: 5 }, (_, i) => ({
    type: "project",
    name: `fact-${i}`,
    statement: `Service number ${i} belongs to the team of floor ${i}`,
  }));
  home.remember(...facts);
  const aliases = { "heed:fact-2": ["who owns two", "one two three four five"], "heed:no-such": ["x"] };
  const items = [{ ...RULE, aliases: ["lint before push"] }];
  configure(commandOf(printing(JSON.stringify({ items, aliases }))));
  await end();
  expect(JSON.stringify(asked()[0]?.input)).toContain("isBare");
  expect((await home.heed.memories.show("fact-2")).metadata.aliases).toEqual(["who owns two"]);
  expect((await home.heed.memories.show("fact-1")).metadata.aliases).toEqual([]);
  expect((await home.heed.inbox.list())[0]?.bounds).toContain("lint before push");
});
