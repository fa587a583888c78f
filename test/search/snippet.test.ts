import { array, assert, integer, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { snippetOf } from "../../src/search/best-passages.ts";

const BODY =
  "Deploys go through the pipeline in Buildkite. ".repeat(8) +
  "Never on a Friday: the on-call rota has nobody for the weekend, as Mira found out. " +
  "Rollbacks are done by re-running the last green build.";

describe("the snippet of a hit", () => {
  it("is the whole text when that is short", () => {
    expect(snippetOf("One\n\ntwo   three", ["two"], 100)).toBe("One two three");
  });

  it("shows the words that were asked for, cut at blanks", () => {
    const snippet = snippetOf(BODY, ["rota", "weekend"], 80);
    expect(snippet).toContain("rota has nobody for the weekend");
    expect(snippet.startsWith("… ")).toBe(true);
    expect(snippet.endsWith(" …")).toBe(true);
  });

  it("finds a word by its stem, and only at the beginning of a word", () => {
    expect(snippetOf(BODY, ["rollback"], 60)).toContain("Rollbacks are done");
    expect(snippetOf(BODY, ["ota"], 60)).toMatch(/^Deploys/);
  });

  it("never exceeds its length, and is text of the body", () => {
    assert(
      property(
        string({ maxLength: 400 }),
        array(string({ minLength: 1 })),
        integer({ min: 20, max: 300 }),
        (body, terms, max) => {
          const snippet = snippetOf(body, terms, max);
          expect(snippet.length).toBeLessThanOrEqual(max);
          expect(body.replace(/\s+/g, " ")).toContain(snippet.replace(/^… | …$/g, ""));
        },
      ),
    );
  });
});
