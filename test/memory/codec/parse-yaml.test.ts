import { describe, expect, test } from "vitest";
import { BrokenYaml, parseYaml, readYaml } from "../../../src/memory/codec/front-matter.ts";

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe("parseYaml", () => {
  test.each([
    ["a: 1\nb: [x, y]\n", { a: 1, b: ["x", "y"] }],
    ["a: &v [1]\nb: *v\n", { a: [1], b: [1] }],
    ["", null],
    ...["- ", "? ", ": ", "[", "{a: "].flatMap((mark): [string, unknown][] => [
      [`a: "${mark.repeat(70)}"\n`, { a: mark.repeat(70) }],
      [`a: 'x ${mark.repeat(70)}'\n`, { a: `x ${mark.repeat(70)}` }],
    ]),
    [`a: x ${"- ".repeat(70)}y`, { a: `x ${"- ".repeat(70)}y` }],
  ])("%j", (text, value) => {
    expect(parseYaml(text)).toEqual(value);
  });

  test.each([
    ["mode: typed\nx: }\n", 1, /^line 2: /],
    ["a: 1\na: 2\n", 1, /unique/],
    ["a: {b: c\nd: e\n", 1, /^line 2: \} is missing$/],
    ["a: [1\n", 1, /^line 2: \] is missing$/],
    [`a: ${"[".repeat(65)}${"]".repeat(65)}`, 0, /nests too deep/],
    ["- ".repeat(20_000), 0, /nests too deep/],
    [`k: ${"? ".repeat(20_000)}`, 0, /nests too deep/],
    ["{a: ".repeat(15_000), 0, /nests too deep/],
    [Array.from({ length: 70 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"), 0, /nests too deep/],
    [`a: &v [1]\nb: [${"*v, ".repeat(40)}]\n`, 0, /alias/i],
    ["{1,999}".repeat(2000), 0, /^line 1: /],
  ])("says at which line %j is broken", (text, line, words) => {
    const error = thrownBy(() => parseYaml(text));
    expect(error).toBeInstanceOf(BrokenYaml);
    expect((error as BrokenYaml).line).toBe(line);
    expect((error as BrokenYaml).words).toMatch(words);
  });
});

describe("front matter with errors", () => {
  const withErrors = (count: number): string => `description: it's {${"} {".repeat(count)}}\nname: x\n`;

  test("is repaired when there are a few, as of a text that was mistyped", () => {
    expect(readYaml(withErrors(3)).values).toMatchObject({ name: "x" });
  });

  test("is not when there are hundreds: each repair would find them all again", () => {
    expect(thrownBy(() => readYaml(`k: ${"{1,9}".repeat(200)}\nname: x\n`))).toBeInstanceOf(BrokenYaml);
    expect(readYaml(`k: ${"{1,9}".repeat(3)}\nname: x\n`).values).toMatchObject({ name: "x" });
  });
});
