import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Heed, openHeed } from "../../src/heed.ts";
import { MODEL, PERSON, RULE, textOf, writeDesk } from "./write-desk.ts";

const desk = writeDesk();

/** Heed in another repository of the same machine. */
function inAnother(): Heed {
  const cwd = join(desk.folder, "web");
  execFileSync("git", ["init", "-q", "-b", "main", cwd]);
  return openHeed({ cwd, env: desk.env, now: () => new Date(desk.now) });
}

/** The rules that a session is told there. */
async function rulesElsewhere(): Promise<string> {
  const elsewhere = inAnother();
  const memories = await elsewhere.memories.list({ types: ["feedback"] });
  await elsewhere.close();
  return memories.map(({ name }) => name).join();
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
  const quote = "use --no-verify when a pre-commit hook fails";
  await desk.prompt(quote, "session-1");
  const elsewhere = inAnother();
  const changed = await elsewhere.memories.update("no-verify", { statement: quote, quote }, MODEL);
  await elsewhere.close();
  expect(changed.outcome).toBe("pending");
});
