import { describe, expect, test } from "vitest";
import { findDefinitions, findSymbol } from "../../src/freshness/source/find-definitions.ts";
import { SAMPLES } from "./source-samples.ts";

function defines(file: string, source: string, symbol: string): boolean {
  return findSymbol(findDefinitions(file, source) ?? [], symbol) !== undefined;
}

describe.each(Object.entries(SAMPLES))("%s", (_, { file, source, defined, undefined: absent, breaks }) => {
  test("names what is defined", () => {
    expect(defined.filter((symbol) => !defines(file, source, symbol))).toEqual([]);
  });

  test("takes nothing else for a definition", () => {
    expect(absent.filter((symbol) => defines(file, source, symbol))).toEqual([]);
  });

  test("notices that a definition is gone", () => {
    const [symbol, from, to] = breaks;
    expect(source).toContain(from);
    expect(defines(file, source, symbol)).toBe(true);
    expect(defines(file, source.replace(from, to), symbol)).toBe(false);
  });

  test("reads on with other line ends", () => {
    const crlf = source.replaceAll("\n", "\r\n");
    expect(defined.filter((symbol) => !defines(file, crlf, symbol))).toEqual([]);
  });
});

test("a script without an ending is known by its first line, another file not at all", () => {
  expect(defines("bin/run", "#!/usr/bin/env python3\ndef go(): pass\n", "go")).toBe(true);
  expect(findDefinitions("notes", "def go(): pass\n")).toBeUndefined();
});

test.each([
  "{",
  "(",
  "}",
  "`",
  "`${",
  "`${`",
  "/*",
  "'",
  '"',
  "<<A\n",
  "//",
  "\\",
  "r#",
  "${",
  "%w(",
  "a.",
  "a::",
  "<",
  "@a(",
  "= ",
  "\n  ",
  "a b ",
  "class a ",
])("hostile text of %j ends in time in every language", (piece) => {
  const text = piece.repeat(Math.floor(200_000 / piece.length));
  const startedAt = performance.now();
  for (const { file } of Object.values(SAMPLES)) findDefinitions(file, text);
  // 14 languages: linear work takes a second or two on a busy machine, quadratic work minutes.
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});
