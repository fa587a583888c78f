import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSections, sectionLabel } from "../../../src/memory/codec/sections.ts";
import { cpuMsOf } from "../../cpu-time.ts";

describe("readSections", () => {
  test.each([
    ["**Why:** because", "because"],
    ["**Why**: because", "because"],
    ["**Why.** because", "because"],
    ["**WHY:** because", "because"],
    ["__Why:__ because", "because"],
    ["*Why:* because", "because"],
    ["**Why** — because", "because"],
    ["Why: because", "because"],
    ["why: because", "because"],
    ["- **Why:** because", "because"],
    ["> **Why:** because", "because"],
    ["### Why\n\nbecause", "because"],
    ["## Why:\nbecause", "because"],
    ["### Why: because", "because"],
    ["**Why:**\nbecause", "because"],
    ["**Rationale:** because", "because"],
    ["**Why (2026-03-01):** because", "2026-03-01: because"],
    ["**Why it keeps happening.** because", "it keeps happening: because"],
    ["**Why:** one\n\ntwo\n- three", "one\n\ntwo\n- three"],
    ["**Why:** one\n**Why:** two", "one\n\ntwo"],
    ["**Why:** because\n**See also:** the wiki", "because"],
    ["**Why:** because\n- **Tests:** all of them", "because\n- **Tests:** all of them"],
    ["**Why:** because\n```\n**How to apply:** code\n```", "because\n```\n**How to apply:** code\n```"],
  ])("reads %j", (part, why) => {
    expect(readSections(`The rule.\n${part}`)).toEqual({
      statement: "The rule.",
      sections: { why },
      rest: part.includes("See also") ? "**See also:** the wiki" : "",
    });
  });

  test.each([
    "Why not: because",
    "**Why** this holds",
    "    Why: code",
    "```\n**Why:** code\n```",
    "~~~\n**Why:** code",
    "Error: ENOENT",
    "whyever: x",
    "see `**Why:**` in the text",
    "**Why:**",
  ])("finds no label in %j", (text) => {
    expect(readSections(text).sections).toEqual({});
  });

  test("takes a solution apart, in order and in one paragraph", () => {
    const body = [
      "# Title",
      "Text.",
      "**Symptom:** it fails",
      "**What didn’t work:** again",
      "### Solution",
      "do it",
      "",
      "**How to apply — on CI:** there",
      "### Notes",
      "unrelated",
    ].join("\n");
    expect(readSections(body)).toEqual({
      rest: "### Notes\nunrelated",
      statement: "# Title\nText.",
      sections: { symptom: "it fails", failed: "again", solution: "do it", "how-to-apply": "on CI: there" },
    });
    expect(readSections("Never. **Why:** it broke. **How to apply:** ask.")).toEqual({
      rest: "",
      statement: "Never.",
      sections: { why: "it broke.", "how-to-apply": "ask." },
    });
  });

  test("loses no word of a text without headings and labels, and never throws", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "**b**", "c: d", "- e", "", "`f`", "**g** h:", "*i*")),
        (lines) => {
          expect(readSections(lines.join("\n")).statement).toBe(lines.join("\n").trim());
        },
      ),
    );
    fc.assert(fc.property(fc.string(), (text) => readSections(text).statement.length <= text.length));
  });

  test("stays linear on hostile lines", () => {
    for (const piece of ["*", "**why", "# ", "- ", "> ", "why:", " **why ", "`", "__why:__ "])
      expect([piece, cpuMsOf(() => readSections(piece.repeat(100_000))) < 2_000]).toEqual([piece, true]);
  });
});

test("sectionLabel knows a heading that labels from one that titles", () => {
  expect(["Why", "How to apply:", "What worked", "SYMPTOMS"].map(sectionLabel)).toEqual([
    "why",
    "how-to-apply",
    "solution",
    "symptom",
  ]);
  expect(sectionLabel("Use the wrapper")).toBeUndefined();
});
