import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LeakedValue } from "../../../src/store/scrub/scrub-file.ts";
import { ANY_CHARACTER } from "../../any-character.ts";

const VALUE = 'Tr0ub4dor&3 "x" \\ ü/é';
const latin1 = (text: string): string => Buffer.from(text).toString("latin1");

describe("a leaked value is found in each form in which it may have been written", () => {
  const json = JSON.stringify(VALUE).slice(1, -1);
  test.each([
    ["as it is", VALUE],
    ["in JSON", json],
    ["in JSON in JSON", JSON.stringify(json).slice(1, -1)],
    ["in a URL", encodeURIComponent(VALUE)],
    ["in a form", new URLSearchParams({ v: VALUE }).toString().slice(2)],
    ["as base64", Buffer.from(VALUE).toString("base64")],
    ["as base64 without padding", Buffer.from(VALUE).toString("base64").replace(/=+$/, "")],
    ["as base64 for URLs", Buffer.from(VALUE).toString("base64url")],
    ["as base64 of a line", Buffer.from(`${VALUE}\n`).toString("base64")],
    ["in hexadecimal", Buffer.from(VALUE).toString("hex")],
  ])("%s", (_, form) => {
    const leaked = new LeakedValue(VALUE);
    expect(leaked.count(latin1(`before ${form} after`))).toBe(1);
    expect(leaked.replace(latin1(`before ${form} after`))).toBe("before (scrubbed) after");
  });

  test("base64 of something longer is something else", () => {
    const other = Buffer.from(`xyz${VALUE}abc`).toString("base64");
    expect(new LeakedValue(VALUE).count(latin1(other))).toBe(0);
  });

  test("several lines: indented, escaped, joined", () => {
    const leaked = new LeakedValue("-----BEGIN KEY-----\nAbCdEf123456\nGhIjKl789012\n-----END KEY-----\n");
    const line = (joint: string): string =>
      ["-----BEGIN KEY-----", "AbCdEf123456", "GhIjKl789012", "-----END KEY-----"].join(joint);
    for (const joint of ["\n", "\r\n", "\n    ", "\\n", "\\\\n", " ", "\n> "])
      expect(leaked.replace(`a ${line(joint)} b`)).toBe("a (scrubbed) b");
  });

  test("a name that was made of it, and what a cut has left", () => {
    const leaked = new LeakedValue("ghp_aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vWaB3d");
    expect(leaked.replace("name: use-ghp-ab3de5fg7hi9jk1lm2no4pq6rs8tu0vwab3d-here")).toBe(
      "name: use-scrubbed-here",
    );
    expect(leaked.replace("it is ghp_aB3dE5fG7hI9jK1lM2nO4pQ6…")).toBe(
      latin1("it is (scrubbed)…").replace(latin1("…"), "…"),
    );
    expect(leaked.count("ghp_aB3dE5 is too little to tell")).toBe(0);
  });

  test("any value in any text: afterwards it is gone, the rest is as it was", () => {
    const value = fc
      .string({ minLength: 6, maxLength: 60, unit: ANY_CHARACTER })
      .filter((text) => text.trim().length >= 6);
    const words = fc.array(fc.constantFrom("alpha", "beta", "gamma", "{}", "\n"), { maxLength: 20 });
    fc.assert(
      fc.property(value, words, words, (text, before, after) => {
        fc.pre(!`${before.join(" ")}${after.join(" ")}`.includes(text.trim()));
        const plain = text.trim();
        const leaked = new LeakedValue(text);
        for (const form of [plain, JSON.stringify(plain), JSON.stringify(JSON.stringify(plain))]) {
          const clean = leaked.replace(latin1(`${before.join(" ")}<${form}>${after.join(" ")}`));
          expect(leaked.count(clean)).toBe(0);
          expect(clean).not.toContain(latin1(plain));
          expect(clean.startsWith(`${before.join(" ")}<`)).toBe(true);
          expect(clean.endsWith(`>${after.join(" ")}`)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});

test("white space that is no blank is a part of the value, at the end of a line too", () => {
  const value = "first\u2000\nsecond line";
  const leaked = new LeakedValue(value);
  expect(leaked.replace(latin1(`a <${value}> b`))).toBe("a <(scrubbed)> b");
});

test.each(["", "abc", "  abc  ", "x".repeat(70_000)])("a value of no use is refused: %#", (value) => {
  expect(() => new LeakedValue(value)).toThrow(/cannot be scrubbed/);
});

// An expression that is too large ends the process: no test could tell it otherwise than by being there afterwards.
describe("a long value is found, or refused, and costs no process its life", () => {
  test.each(["[", "é", "\n", "a\n", "☃"])("%j over and over", (part) => {
    for (const bytes of [4_000, 8_000]) {
      const value = `x${part.repeat(bytes / Buffer.byteLength(part))}x`;
      expect(new LeakedValue(value).count(latin1(`a ${value} b`))).toBe(1);
    }
    const tooLong = part.repeat(9_000 / Buffer.byteLength(part));
    expect(() => new LeakedValue(`x${tooLong}x`)).toThrow(/^a value of \d+ characters cannot be scrubbed/);
  });
});
