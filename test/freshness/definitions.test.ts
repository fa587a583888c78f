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

test("a comment of any length before a definition hides nothing of it", () => {
  const comment = `/**\n${" * Some words about {@link #it}.\n".repeat(200)} */\n`;
  const bases = Array.from({ length: 30 }, (_, i) => `SomeBase${i}`);
  const heads = [
    [
      "A.java",
      `@Deprecated(\n    since = "a long time")\npublic final class Shadow<T> implements ${bases.join(", ")} {\n`,
    ],
    ["a.ts", `export abstract class Shadow<T>\n  implements ${bases.join(", ")}\n{\n`],
    ["a.cs", `[Serializable]\npublic class Shadow<T> : ${bases.join(", ")}\n{\n`],
    ["a.kt", `@Keep\ninternal class Shadow<T>(val base: T) : ${bases.join(", ")} {\n`],
    [
      "a.hpp",
      `template <typename T>\nclass Shadow : ${bases.map((base) => `public ${base}`).join(", ")} {\n`,
    ],
  ] as const;
  const sources = heads.map(([file, head]) => [file, `${comment}${head}${comment}  int size;\n}\n`] as const);
  expect(sources.filter(([file, source]) => !defines(file, source, "Shadow"))).toEqual([]);
});

test("braces among the type arguments of a header are not its block", () => {
  const source = [
    "export class Wheel",
    "  extends Builder<",
    "    { opacity: number } & Config<[Scale, { deep: Inner<{ a: 1 }> }]>",
    "  >",
    "  implements Entry",
    "{",
    "  static make<T extends { b: number }>(this: T): T {",
    "    const hidden = 1;",
    "    return hidden < 2 ? this : this;",
    "  }",
    "}",
    "type Events = {",
    "  onDone: Emitter<{",
    "    payload: string;",
    "  }>;",
    "  onEnd: string;",
    "};",
    "export const after = 1;",
  ].join("\n");
  const names = ["Wheel", "Wheel.make", "Events", "payload", "Events.onEnd", "after"];
  expect(names.filter((name) => !defines("a.ts", source, name))).toEqual([]);
  expect(defines("a.ts", source, "hidden")).toBe(false);
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
