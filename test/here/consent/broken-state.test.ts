import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

// Each state file in each way: test/torture/scenarios/broken-state.ts. Here is what a person does about it.
const place = TemporaryHeed.forEachTest();
const PERSON = { kind: "person" } as const;
let file: string;

beforeEach(async () => {
  await place.heed.setup.init("user");
  const body = "Never skip the hooks.\n\n**Why:** it broke once.";
  const guard = { command: "git commit", flags: ["--no-verify"] };
  const draft = { type: "feedback", name: "hooks", statement: "never skip the hooks", body, guard };
  await place.heed.memories.write(draft, PERSON);
  file = join(place.userStore, "feedback/hooks.md");
});

const start = (session: string) => place.begin(session);

test("heed inbox trust does not forget a rule whose file is in conflict, and mended it needs no look", async () => {
  const text = readFileSync(file, "utf8");
  writeFileSync(
    file,
    text.replace(/^description: .*$/m, "<<<<<<< HEAD\n$&\n=======\ndescription: x\n>>>>>>> y"),
  );
  const { notice } = await start("a");
  expect(notice).toMatch(/hooks\.md, line \d+: .*merge conflict .*stays in force as it was approved/);
  const review = await place.heed.setup.reviewTrust({ store: "user" });
  expect([review.entries, review.unreadable.length]).toEqual([[], 1]);
  await place.heed.setup.trust({ store: "user", token: review.token });
  expect((await start("b")).context).toMatch(/^- never skip the hooks/m);
  writeFileSync(file, text);
  expect(await start("c")).toMatchObject({ context: expect.stringMatching(/^- never skip the hooks/m) });
  expect((await start("d")).notice).toBeUndefined();
});

test("a rule that the user makes a fact is not held by its approved text", async () => {
  const draft = {
    type: "feedback",
    name: "tea",
    statement: "always make tea",
    body: "**Why:** it is tea.",
  };
  await place.heed.memories.write(draft, PERSON);
  expect((await start("a")).context?.split("<heed-map>")[0]).toContain("always make tea");
  await place.heed.memories.update("tea", { type: "project" }, PERSON);
  expect((await start("b")).context?.split("<heed-map>")[0]).not.toContain("always make tea");
});

test("a known store without approvals: nothing is approved, that is told, and a look mends it", async () => {
  rmSync(join(place.state, "stores"), { recursive: true });
  const { context = "", notice } = await start("a");
  expect(context).not.toMatch(/^- never skip the hooks/m);
  expect(notice).toContain("a known store without approvals");
  await place.heed.setup.trust({ store: "user" });
  expect((await start("b")).context).toMatch(/^- never skip the hooks/m);
  expect((await start("c")).notice).toBeUndefined();
});

test.each(["capture: none", "history: none", "capture:", "mode: of"])(
  "%s counts as strict, and is told",
  async (line) => {
    appendFileSync(join(place.userStore, "config.yaml"), `${line}\n`);
    const [key = ""] = line.split(":");
    expect((await start("a")).notice).toContain(`config.yaml: ${key} is`);
    expect((await place.heed.setup.status()).mode).toBe(key === "mode" ? "rules" : "typed");
  },
);

test("a session that cannot be recorded is told of at its start, or once in its middle", async () => {
  await start("kept");
  const log = join(place.state, "sessions", "kept.jsonl");
  rmSync(log);
  mkdirSync(log);
  expect((await start("kept")).notice).toMatch(/not recorded.*(?:EISDIR|folder)/);
  rmSync(join(place.state, "sessions"), { recursive: true });
  writeFileSync(join(place.state, "sessions"), "");
  expect((await start("new")).notice).toContain("this session is not recorded");
  expect(
    (await place.event({ kind: "prompt", prompt: "hello there", session: "new" })).notice,
  ).toBeUndefined();
});
