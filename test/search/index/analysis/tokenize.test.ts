import { assert, oneof, property, string as anyString } from "fast-check";
import { describe, expect, it } from "vitest";
import { analyzeField, MAX_TEXT_LENGTH, tokenize } from "../../../../src/search/index/analysis/tokenize.ts";
import { stemEnglish, MAX_TERM_LENGTH } from "../../../../src/search/index/analysis/normalize-word.ts";
import { ANY_CHARACTER } from "../../../any-character.ts";

function termsOf(text: string): string[] {
  const terms: string[] = [];
  analyzeField([text], (term) => terms.push(term));
  return terms;
}

describe("terms of a text", () => {
  it.each([
    ["parseHTTPHeader", ["parsehttphead", "pars", "http", "header"]],
    ["getElementById", ["getelementbyid", "element"]],
    ["RetryPolicy", ["retrypolici", "retri", "polici"]],
    ["max_retries", ["maxretri", "max", "retri"]],
    ["MAX_RETRIES", ["maxretri", "max", "retri"]],
    ["max-retries", ["maxretri", "max", "retri"]],
    ["pre-commit precommit", ["precommit", "pre", "commit", "precommit"]],
    ["--no-verify", ["--no-verify", "noverifi", "verifi"]],
    ["use -n here", ["use", "-n", "n"]],
    ["- bullet", ["bullet"]],
    ["src/http/file.ts", ["src/http/file.ts", "src", "http", "file.ts", "file", "ts"]],
    ["src\\http", ["src/http", "src", "http"]],
    ["node:fs/promises", ["node", "fs/promises", "fs", "promis"]],
    ["foo.bar.baz", ["foo.bar.baz", "foo", "bar", "baz"]],
    ["std::vector", ["std/vector", "std", "vector"]],
    ["v1.2.3 and 1.2.3", ["1.2.3", "1.2.3"]],
    ["1.2.3-rc.1", ["1.2.3-rc.1"]],
    ["E11000 TS2345", ["e11000", "ts2345"]],
    ["2026-03-05", ["2026-03-05", "2026"]],
    [".env", [".env", "env"]],
    ["@acme/api", ["@acme/api", "acm", "api"]],
    ["C++ and C#", ["c++", "c#"]],
    ["The users' APIs", ["user", "api"]],
    ["don't bypass Erik's hooks", ["bypass", "erik", "hook"]],
    ["Café naïve Straße", ["cafe", "naiv", "strass"]],
    ["ﬁle １２３", ["file", "123"]],
    ["to be or not to be", ["to", "be", "or", "not", "to", "be"]],
    ["東京都", ["東", "東京", "京", "京都", "都"]],
    ["テストAPI", ["テ", "テス", "ス", "スト", "ト", "api"]],
    ["Привет мир", ["привет", "мир"]],
    ["", []],
    ["… — !", []],
  ])("%s", (text, expected) => {
    expect(termsOf(text).sort()).toEqual([...expected].sort());
  });

  it("gives a whole identifier the position of its first word", () => {
    const seen: [string, number][] = [];
    const end = tokenize("run pre-commit hooks", (term, position) => seen.push([term, position]));
    expect(seen).toEqual([
      ["run", 0],
      ["precommit", 1],
      ["pre", 1],
      ["commit", 2],
      ["hook", 3],
    ]);
    expect(end).toBe(4);
  });

  it("keeps terms and texts within their bounds on any input", () => {
    const anyText = oneof(anyString({ unit: ANY_CHARACTER }), anyString({ unit: "grapheme" }), anyString());
    assert(
      property(anyText, (text) => {
        let last = -1;
        const end = tokenize(text, (term, position) => {
          expect(term).not.toBe("");
          expect(term.length).toBeLessThanOrEqual(MAX_TERM_LENGTH);
          expect(term.charCodeAt(0)).toBeGreaterThan(0x20);
          expect(Buffer.from(term).toString()).toBe(term);
          expect(position).toBeGreaterThanOrEqual(last - 1);
          last = Math.max(last, position);
        });
        expect(end).toBeGreaterThan(last);
      }),
    );
  });

  it("reads a run without spaces, and a text beyond the limit, in bounded pieces", () => {
    expect(termsOf(`${"a".repeat(100_000)} tail`)).toEqual(["a".repeat(MAX_TERM_LENGTH), "tail"]);
    expect(termsOf(`${" ".repeat(MAX_TEXT_LENGTH)}late`)).toEqual([]);
  });
});

describe("stemEnglish", () => {
  it.each([
    ["consistency", "consist"],
    ["consolingly", "consol"],
    ["knightly", "knight"],
    ["knots", "knot"],
    ["skies", "sky"],
    ["dying", "die"],
    ["hopping", "hop"],
    ["hoping", "hope"],
    ["generously", "generous"],
    ["migrations", "migrat"],
    ["relational", "relat"],
    ["controlling", "control"],
    ["succeeded", "succeed"],
    ["news", "news"],
    ["yes", "yes"],
    ["is", "is"],
  ])("%s -> %s (Snowball's published vocabulary)", (word, stem) => {
    expect(stemEnglish(word)).toBe(stem);
  });
});
