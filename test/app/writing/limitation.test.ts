import { describe, expect, it } from "vitest";
import { gatesOf, MODEL, PERSON, textOf, writeDesk } from "./write-desk.ts";

const desk = writeDesk();
const NPM = {
  type: "project",
  name: "no-npm",
  description: "the sandbox cannot reach npm",
  kind: "limitation" as const,
  body: "The sandbox cannot reach npm.\n\n**Evidence:** npm ping: ETIMEDOUT",
};

describe("a limitation", () => {
  it.each<[string, object, string?]>([
    ["has evidence", { body: "**Evidence:**" }, "evidence"],
    ["is a fact", { type: "feedback" }, "feedback memory is no limitation"],
    ["is about no person", { type: "user" }, "user memory is no limitation"],
    ["was seen before now", { seen: "2026-03-03" }, "seen is"],
    ["was seen on a date", { seen: "yesterday" }, "seen is"],
  ])("%s", async (_, change, words) => {
    const result = await desk.heed.memories.write({ ...NPM, ...change }, PERSON);
    expect(result.outcome).toBe("refused");
    expect("refusals" in result && result.refusals.map(({ reason }) => reason).join()).toContain(words);
  });

  it.each([
    [{}, "2026-03-02", "2026-04-01"],
    [{ seen: "2026-02-20" }, "2026-02-20", "2026-03-22"],
    [{ expires: "2026-03-09" }, "2026-03-02", "2026-03-09"],
    [{ expires: "2030-01-01" }, "2026-03-02", "2026-04-01"],
  ])("given %j was seen on %s and lapses on %s", async (more, seen, expires) => {
    const result = await desk.heed.memories.write({ ...NPM, ...more }, MODEL);
    expect(gatesOf(result)).toEqual(["written"]);
    expect(result).toMatchObject({ metadata: { kind: "limitation", seen, expires } });
    expect(textOf(result)).toContain("\n\n**Evidence:** npm ping: ETIMEDOUT\n");
  });

  it("goes on for as long again when it is seen again or verified, and in no other way", async () => {
    await desk.heed.memories.write({ ...NPM, seen: "2026-02-10" }, MODEL);
    const kept = await desk.heed.memories.update("no-npm", { expires: null, tags: ["npm"] }, MODEL);
    expect(kept).toMatchObject({ metadata: { seen: "2026-02-10", expires: "2026-03-12" } });
    const again = await desk.heed.memories.update(
      "no-npm",
      { seen: "2026-02-20", sections: { evidence: "curl: 7" } },
      MODEL,
    );
    expect(again).toMatchObject({ metadata: { expires: "2026-03-22" } });
    expect(textOf(again).match(/\*\*Evidence:\*\* .*/g)).toEqual(["**Evidence:** curl: 7"]);
    const verified = await desk.heed.maintenance.verify("no-npm", { note: "npm ping fails still" }, MODEL);
    expect(verified).toMatchObject({ metadata: { seen: "2026-03-02", expires: "2026-04-01" } });
  });

  it("is told as what was so, on a day, and to be tried again", async () => {
    await desk.heed.memories.write({ ...NPM, seen: "2026-02-20" }, MODEL);
    const { lines } = await desk.heed.session.map();
    expect(lines.map(({ text }) => text)).toEqual([
      "- the sandbox cannot reach npm (more; was so on 2026-02-20, try again) [heed:no-npm]",
    ]);
    expect((await desk.heed.session.why({ prompt: "why can the sandbox not reach npm?" })).context).toContain(
      "was so on 2026-02-20, try again",
    );
  });
});
