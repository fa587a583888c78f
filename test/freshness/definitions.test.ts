import { describe, expect, test } from "vitest";
import { findDefinitions, findSymbol } from "../../src/freshness/source/find-definitions.ts";
import { SAMPLES } from "./source-samples.ts";
import { cpuMsOf } from "../cpu-time.ts";

function defines(file: string, source: string, symbol: string): boolean {
  return findSymbol(findDefinitions(file, source) ?? [], symbol) !== undefined;
}

describe.each(Object.entries(SAMPLES))("%s", (_, { file, source, defined, undefined: absent }) => {
  test("names what is defined", () => {
    expect(defined.split(" ").filter((symbol) => !defines(file, source, symbol))).toEqual([]);
  });

  test("takes nothing else for a definition", () => {
    expect(absent.split(" ").filter((symbol) => defines(file, source, symbol))).toEqual([]);
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
  "/* {",
  "/[",
  "`\\",
  "<<A <<'B'",
  "x <<A\n{",
  "{a<A,",
])("hostile text of %j ends in time in every language", (piece) => {
  const text = piece.repeat(Math.floor(50_000 / piece.length));
  const tookMs = cpuMsOf(() => {
    for (const { file } of Object.values(SAMPLES)) findDefinitions(file, text);
  });
  // 14 languages: linear work takes a fifth of a second, quadratic work seven seconds.
  expect(tookMs).toBeLessThan(1_250);
});

test.each([
  [
    "branches that open the same block",
    "a.c",
    [
      "#ifdef A",
      "int one(int a) {",
      "#elif defined(B)",
      "int two(int a) {",
      "#else",
      "int three(int a,",
      "          int b) {",
      "#endif",
      "  if (a) {",
      "#ifdef C",
      "  } else if (b) {",
      "#else",
      "  } else {",
      "#endif",
      "  } }",
      "int behind(void) { int hidden; return 0; }",
    ],
    "one two three behind",
    "hidden",
  ],
  [
    "what is not compiled",
    "a.c",
    ["#if 0", "int dead(void) {", "#else", "int live(void) {", "#endif", "}", "int behind(void) {}"],
    "live behind",
    "dead",
  ],
  [
    "attributes before the name of a type",
    "a.cpp",
    [
      "class alignas(16) Lane final { int wide; };",
      "struct __attribute__((packed, aligned(4))) Packed { int field; };",
      "class JSON final : public Base { void parse(); };",
      "static const struct { int key; } table[] = { {1}, {2} };",
      "int behind(void);",
    ],
    "Lane.wide Packed.field JSON.parse table behind",
    "final alignas struct",
  ],
  [
    "members that a constructor declares",
    "a.ts",
    [
      "class Api {",
      "  constructor(@Inject(DB) private readonly db: Db<A, B>, public name = 1, plain: number) {}",
      "}",
    ],
    "Api.db Api.name",
    "plain",
  ],
  [
    "members that a constructor declares",
    "a.php",
    [
      "<?php // it's a page ?><p>it's</p>",
      "<?php class Api { public $one = 1, $two;",
      "  public function __construct(#[Sensitive] private readonly string $key = 'a', int $plain) {} }",
    ],
    "Api.one Api.two Api.key",
    "plain Api.plain",
  ],
  ["components", "a.java", ["record Point<T>(int x, @Min(1) List<T> ys) { }"], "Point.x Point.ys", "T"],
  [
    "components",
    "a.cs",
    ['public record struct Pair(int X, string Y = "a");', "public class Plain(int z) { }"],
    "Pair.X Pair.Y",
    "z",
  ],
  [
    "statics of a macro",
    "a.rs",
    ['lazy_static! { pub static ref WORDS: Regex = Regex::new("x").unwrap(); }'],
    "WORDS",
    "",
  ],
  [
    "attributes of self",
    "a.py",
    [
      "class Api:",
      "    def __init__(self):",
      "        self.limit: int = 1",
      "        if self.other == 2:",
      "            self.deep = 3",
      "def plain(self):",
      "    self.stray = 1",
    ],
    "Api.limit Api.deep",
    "other stray",
  ],
  [
    "here-documents with any word, and shifts",
    "a.sh",
    [
      "x=$((a<<b))",
      "cat <<'END-OF-FILE'",
      "fake() { it's",
      "END-OF-FILE",
      'cat <<"A B"',
      "fake2() {",
      "A B",
      "after() { :; }",
    ],
    "x after",
    "fake fake2",
  ],
])("reads %s in %s", (_, file, lines, defined, absent) => {
  const source = lines.join("\n");
  expect(defined.split(" ").filter((symbol) => !defines(file, source, symbol))).toEqual([]);
  expect(absent.split(" ").filter((symbol) => symbol !== "" && defines(file, source, symbol))).toEqual([]);
});

test("conditionals inside of conditionals take no time", () => {
  const source = `${"#if A\n{\n#else\n{\n".repeat(20_000)}${"#endif\n".repeat(20_000)}int behind(void);\n`;
  const shifts = "echo $((a<<b))\n".repeat(20_000);
  const tookMs = cpuMsOf(() => {
    findDefinitions("a.c", source);
    expect(defines("a.sh", `${shifts}after() { :; }\n`, "after")).toBe(true);
  });
  expect(tookMs).toBeLessThan(3_000);
});
