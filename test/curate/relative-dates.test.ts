import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, it } from "vitest";
import type { DateSentence } from "../../bench/truth/date-sentences.ts";
import { DATE_SENTENCES, HELD_OUT_DATE_SENTENCES, WRITTEN_ON } from "../../bench/truth/date-sentences.ts";
import { findEndDate } from "../../src/memory/end-date.ts";
import { findRelativeDates } from "../../src/curate/dates/find-relative-dates.ts";
import { putDates } from "../../src/curate/relative-dates-gate.ts";

const ALL: readonly DateSentence[] = [...DATE_SENTENCES, ...HELD_OUT_DATE_SENTENCES];

describe("relative dates", () => {
  it.each(ALL)("$text", ({ text, becomes = text, asks }) => {
    const found = findRelativeDates(text, WRITTEN_ON);
    const written = putDates(text, found);
    expect(written).toBe(becomes);
    // What was put once is absolute: writing it again changes nothing.
    expect(putDates(written, findRelativeDates(written, WRITTEN_ON))).toBe(written);
    const asked = found.filter((one) => one.becomes === undefined && !one.isVague);
    expect(asked.map(({ candidates }) => candidates[0] ?? "")).toEqual(asks === undefined ? [] : [asks]);
    for (const one of found) expect(text.slice(one.index, one.index + one.text.length)).toBe(one.text);
  });

  it.each([
    ["2026-03-04", "2026-03-05"],
    ["2026-03-05", "2026-03-12"],
    ["2026-03-06", "2026-03-12"],
    ["2026-12-31", "2027-01-07"],
  ])("on %s, Thursday is %s", (today, thursday) => {
    expect(findRelativeDates("due Thursday", today)).toMatchObject([{ candidates: [thursday] }]);
  });

  it("knows both readings of next Thursday, but on a Friday there is no doubt", () => {
    expect(findRelativeDates("it starts next Thursday", WRITTEN_ON)).toMatchObject([
      { candidates: ["2026-03-12", "2026-03-05"] },
    ]);
    expect(findRelativeDates("it starts next Thursday", "2026-03-06")).toMatchObject([
      { candidates: ["2026-03-12"] },
    ]);
  });

  it("changes no text that names no time", () => {
    const words =
      'the mobile team cuts Releases from its own branch `v2` und über la 5 1.2.3 every Friday https://a.example/tomorrow src/a.ts MAX_LIMIT=100 — été en que "x"';
    const word = constantFrom(...words.split(" "));
    assert(
      property(array(word, { maxLength: 20 }), constantFrom(" ", ", ", ". ", "\n"), (words, joint) => {
        const text = words.join(joint);
        expect(putDates(text, findRelativeDates(text, WRITTEN_ON))).toBe(text);
      }),
    );
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
