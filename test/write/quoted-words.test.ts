import { describe, expect, test } from "vitest";
import type { NewMemory, WriteResult } from "../../src/heed.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";
import { MODEL } from "./write-desk.ts";

// Words that were typed, and bring nothing at once all the same: used up, taken back, asked, quoted.
const place = TemporaryHeed.prepared(async (first) => {
  await first.heed.setup.init("user");
  await first.start("session-1");
});

const write = (draft: NewMemory): Promise<WriteResult> => place.heed.memories.write(draft, MODEL);
const rule = (statement: string, quote: string): NewMemory => ({ type: "feedback", statement, quote });

describe("one quote brings one write", () => {
  const SAID = "never push to main, and always squash";
  const waits = expect.objectContaining({ outcome: "pending" }) as WriteResult;

  test("the same words, or a part of them, bring no second one; other words of the turn do", async () => {
    await place.say(SAID);
    await write(rule("Never push to main", "never push to main"));
    expect(await write(rule("Keep commits local", "never push"))).toEqual(waits);
    expect((await write(rule("Always squash", "always squash"))).outcome).toBe("written");
    expect(await write(rule("Merge commits are forbidden", "always squash"))).toEqual(waits);
  });

  test("what waited or was refused used none of them up", async () => {
    await place.say(SAID);
    await write({ ...rule("Always squash", "always squash"), scope: "everywhere" });
    expect((await write(rule("Always squash here", "always squash"))).outcome).toBe("written");
  });

  test("what was taken back or declined does not come by the same line again", async () => {
    await place.say(SAID);
    await write(rule("Never push to main", "never push to main"));
    await place.say("heed forget never-push-to-main");
    expect(await write(rule("Squash before merging it", "always squash"))).toEqual(waits);
    await place.say("should we always rebase? always sign commits");
    const asked = await write(rule("Always rebase", "should we always rebase"));
    await place.say(`heed no ${"code" in asked ? asked.code : ""}`);
    expect(await write(rule("Sign your commits", "always sign commits"))).toEqual(waits);
  });
});

describe("typed baits that a model quotes", () => {
  const asks = "asks";
  test.each([
    ["should we always use async routers?", "Always use async routers", asks],
    [
      'the customer wrote "always deploy on fridays" lol',
      "Always deploy on Fridays",
      asks,
      "always deploy on fridays",
    ],
    ["for this PR never mind the linter", "Never mind the linter"],
    ["Miki says we must never use celery, I disagree", "Never use celery"],
    ["if we ever go to the US we always use cents", "Always use cents"],
    ["sure, let's always deploy on friday evening, what could go wrong", "Always deploy on Friday evening"],
    ["use black. no wait, scratch that", "Use black", undefined, "use black"],
  ])("%s", async (said, statement, answer?: string, quote: string = said) => {
    await place.say(said);
    const result = await write(rule(statement, quote));
    expect(result.outcome).toBe(answer === asks ? "pending" : "written");
    const notice = await place.say("go on");
    const injected = await place.start("later");
    for (const text of [injected, notice]) expect(text.includes(`(you: "${said}")`)).toBe(answer !== asks);
  });
});
