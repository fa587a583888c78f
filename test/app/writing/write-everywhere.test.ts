import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openHeed } from "../../../src/heed.ts";
import { MODEL, PERSON, RULE, textOf, WriteDesk } from "./write-desk.ts";

const desk = new WriteDesk();

/** The rules that a session is told in another repository of the same machine. */
async function rulesElsewhere(): Promise<string> {
  const cwd = join(desk.root, "web");
  execFileSync("git", ["init", "-q", "-b", "main", cwd]);
  const env = {
    HOME: desk.root,
    HEED_DIR: desk.userStore,
    HEED_STATE_DIR: join(desk.root, "state"),
    HEED_CACHE_DIR: join(desk.root, "cache"),
    HEED_CONFIG_DIR: join(desk.root, "config"),
  };
  const elsewhere = openHeed({ cwd, env });
  const cards = await elsewhere.memories.list({ types: ["feedback"] });
  await elsewhere.close();
  return cards.map(({ name }) => name).join();
}

it("a rule belongs to the repository where it was given", async () => {
  await desk.heed.memories.write(RULE, PERSON);
  expect(await rulesElsewhere()).toBe("");
});

it("one for everywhere holds in other repositories too", async () => {
  const result = await desk.heed.memories.write({ ...RULE, scope: "everywhere" }, PERSON);
  expect(textOf(result)).not.toContain("acme/api");
  expect(textOf(result)).toContain("actor: person");
  expect(await rulesElsewhere()).toBe("no-verify");
});

it("and so does one that is made so later", async () => {
  await desk.heed.memories.write(RULE, PERSON);
  const result = await desk.heed.memories.update("no-verify", { scope: "everywhere" }, PERSON);
  expect(result.outcome).toBe("amended");
  expect(await rulesElsewhere()).toBe("no-verify");
});

it("the words of one repository change no rule of another", async () => {
  await desk.heed.memories.write(RULE, PERSON);
  const env = { HEED_DIR: desk.userStore, HEED_STATE_DIR: join(desk.root, "state"), HOME: desk.root };
  const cwd = join(desk.root, "web");
  execFileSync("git", ["init", "-q", "-b", "main", cwd]);
  const quote = "use --no-verify when a pre-commit hook fails";
  desk.userSays(quote);
  const elsewhere = openHeed({ cwd, env, now: () => desk.now });
  const changed = await elsewhere.memories.update("no-verify", { description: quote, quote }, MODEL);
  await elsewhere.close();
  expect(changed.outcome).toBe("pending");
});
