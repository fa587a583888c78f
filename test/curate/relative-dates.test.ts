import { describe, expect, it } from "vitest";
import { findEndDate } from "../../src/curate/end-date.ts";
import { findRelativeDates, resolveRelativeDates } from "../../src/curate/relative-dates.ts";

/** A Monday. */
const TODAY = "2026-03-02";

const RESOLVED: [text: string, becomes: string][] = [
  ["the merge freeze begins Thursday", "the merge freeze begins 2026-03-05"],
  ["release on Friday at 9am", "release on 2026-03-06 at 9am"],
  ["the launch is on Monday", "the launch is on 2026-03-09"],
  ["this Friday we cut the branch", "2026-03-06 we cut the branch"],
  ["shipped last Thursday", "shipped on 2026-02-26"],
  ["broken since Friday", "broken since 2026-02-27"],
  ["the demo is tomorrow", "the demo is 2026-03-03"],
  ["yesterday the database moved", "2026-03-01 the database moved"],
  ["due the day after tomorrow", "due the 2026-03-04"],
  ["launch in two weeks", "launch on 2026-03-16"],
  ["the vendor changed the API 3 weeks ago", "the vendor changed the API 2026-02-09"],
  ["5 months ago we moved to pnpm", "2025-10 we moved to pnpm"],
  ["code freeze until the end of the month", "code freeze until 2026-03-31"],
  ["done by end of next month", "done by 2026-04-30"],
  ["budget is set by EOQ", "budget is set by 2026-03-31"],
  ["the audit is next week", "the audit is the week of 2026-03-09"],
  ["early next week the cluster is down", "early in the week of 2026-03-09 the cluster is down"],
  ["last month the quota was halved", "2026-02 the quota was halved"],
  ["planned for next quarter", "planned for Q2 2026"],
  ["the old API ends next year", "the old API ends in 2027"],
  ["the mobile release is in Q3", "the mobile release is in Q3 2026"],
  ["the contract runs since Q4", "the contract runs since Q4 2025"],
  ["in force since March", "in force since 2026-03"],
  ["Ana has led the team since May", "Ana has led the team since 2025-05"],
  ["Ana was hired in June", "Ana was hired in 2025-06"],
  ["freeze until April", "freeze until 2026-04"],
  ["the deadline is March 20th", "the deadline is 2026-03-20"],
  ["due by December 24", "due by 2026-12-24"],
  ["agreed on 12 February", "agreed on 2026-02-12"],
  ["the office moves from Monday to Wednesday", "the office moves from 2026-03-09 to 2026-03-11"],
  ["the bug was found today", "the bug was found on 2026-03-02"],
];

const OPEN: [text: string, words: string, candidates: string[]][] = [
  ["the freeze starts next Thursday", "next Thursday", ["2026-03-12", "2026-03-05"]],
  ["decided on Thursday to drop IE", "Thursday", ["2026-02-26", "2026-03-05"]],
  ["we rewrote the importer last summer", "last summer", ["summer 2025"]],
  ["the token expires in 30 days", "in 30 days", ["on 2026-04-01"]],
  ["goes live next sprint", "next sprint", []],
  ["the vendor answers in a few weeks", "in a few weeks", []],
  ["the hiring stop is in June", "in June", ["in 2026-06", "in 2025-06"]],
  ["the conference is on October 12", "October 12", ["2025-10-12", "2026-10-12"]],
];

const VAGUE: [text: string, words: string][] = [
  ["the endpoint will be removed soon", "soon"],
  ["the quota was halved recently", "recently"],
  ["fixed in the next release", "the next release"],
  ["nothing reads this column today", "today"],
  ["discussed in Monday planning", "Monday"],
];

const LEFT_ALONE: string[] = [
  "the freeze begins 2026-03-05",
  "the freeze begins Thursday 2026-03-05",
  "the freeze begins on Thursday (2026-03-05)",
  "2026-03-05 (Thursday): the freeze begins",
  "the contract was signed on May 5, 2026",
  "in March 2026 the office moved",
  "Q3 2026 is the target",
  "every Friday the caches are cleared",
  "Fridays are for maintenance",
  "never deploy on Friday",
  "no releases on Friday afternoons",
  "the job pings every Monday and Thursday at 9am",
  "support is Monday to Friday",
  "Tuesday Labs is our vendor",
  "the Black Friday load test",
  "`today` is a CSS class",
  "the class is-today marks the day",
  "call next_week() for the range",
  "```\nship it tomorrow\n```",
  "see https://example.org/news/tomorrow",
  'the label reads "2 minutes ago"',
  "the lesson landed twice in three days",
  "cut the statement in half",
  "the job passes in 2m30s",
  "delete files older than 3 days",
  "you may do it, and march on",
  "the sun sat low",
  "keep the newest of the last three backups",
  "use the next free port",
  "M2K JUN26 futures",
  "",
];

describe("relative dates", () => {
  it.each(RESOLVED)("resolves: %s", async (text, becomes) => {
    const answer = await resolveRelativeDates(text, TODAY);
    expect(answer).toMatchObject({ text: becomes, open: [] });
    // What was resolved once is absolute: writing it again changes nothing.
    expect((await resolveRelativeDates(becomes, TODAY)).text).toBe(becomes);
  });

  it.each(OPEN)("leaves open: %s", async (text, words, candidates) => {
    const [found, ...more] = await findRelativeDates(text, TODAY);
    expect(found).toMatchObject({ text: words, candidates });
    expect(found?.resolved).toBeUndefined();
    expect(found?.weight).not.toBe("vague");
    expect(more).toEqual([]);
  });

  it.each(VAGUE)("only questions: %s", async (text, words) => {
    expect(await findRelativeDates(text, TODAY)).toMatchObject([{ text: words, weight: "vague" }]);
  });

  it.each(LEFT_ALONE)("leaves alone: %s", async (text) => {
    expect(await findRelativeDates(text, TODAY)).toEqual([]);
  });

  it.each([
    ["2026-03-04", "2026-03-05"],
    ["2026-03-05", "2026-03-12"],
    ["2026-03-06", "2026-03-12"],
    ["2026-12-31", "2027-01-07"],
  ])("on %s, Thursday is %s", async (today, thursday) => {
    expect((await resolveRelativeDates("due Thursday", today)).text).toBe(`due ${thursday}`);
  });

  it("on a Friday, next Thursday is in no doubt", async () => {
    expect((await resolveRelativeDates("starts next Thursday", "2026-03-06")).text).toBe(
      "starts on 2026-03-12",
    );
  });

  it("gives indexes into the original text", async () => {
    const text = "First `tomorrow`.\nThe demo is tomorrow, the launch on Friday.";
    for (const found of await findRelativeDates(text, TODAY))
      expect(text.slice(found.index, found.index + found.text.length)).toBe(found.text);
  });
});

describe("the day on which something ends", () => {
  it.each([
    ["merge freeze until 2026-03-05", "2026-03-05"],
    ["due by Thursday, March 5, 2026", "2026-03-05"],
    ["deadline: 5 March 2026", "2026-03-05"],
    ["frozen until 2026-02", "2026-02-28"],
    ["Merge-Stopp bis zum 15. März 2026", "2026-03-15"],
    ["Freigabe spätestens am 5.12.2026, danach Wartung", "2026-12-05"],
    ["le gel dure jusqu'au 1er août 2026", "2026-08-01"],
    ["à livrer avant le 15 juillet 2026", "2026-07-15"],
    ["à livrer avant le 15 juin 2026", "2026-06-15"],
    ["endet am 31.02.2026", undefined],
    ["phase one ends 2026-03-05, phase two ends 2026-04-01", "2026-04-01"],
    ["the freeze begins 2026-03-05", undefined],
    ["in use since 2026-03-05", undefined],
    ["until 2026-02-30", undefined],
    ["until 2026-13", undefined],
  ])("%s: %s", (text, day) => {
    expect(findEndDate(text)).toBe(day);
  });
});
