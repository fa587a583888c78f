import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { readPlainYaml } from "../../../src/memory/codec/plain-yaml.ts";

/** The oracle: the library, undefined where it finds an error or a duplicate key. */
function oracle(yaml: string): unknown {
  const document = parseDocument(yaml, { logLevel: "silent", prettyErrors: false });
  if (document.errors.length > 0) return undefined;
  return document.toJS({ maxAliasCount: 16 }) ?? {};
}

describe("readPlainYaml", () => {
  test.each([
    ["", {}],
    ["# only a comment\n", {}],
    ["name: a b\ndescription: never use --no-verify, ask #x\n", undefined],
    [
      "name: a\n# c\nmetadata: \n  type: user\n  id: 01JD3Z8Q6T\n",
      { name: "a", metadata: { type: "user", id: "01JD3Z8Q6T" } },
    ],
    [
      "name: a\nmetadata: \n  type: user\n  modified: 2026-07-27T14:54:31.927Z\n",
      { name: "a", metadata: { type: "user", modified: "2026-07-27T14:54:31.927Z" } },
    ],
    ['description: "a \\"b\\" \\u00e9 — c: d # e"\n', { description: 'a "b" é — c: d # e' }],
    ["description: 'it''s'\n", { description: "it's" }],
    ["tags: [git, 'a, b', \"c\", https://x.org/a]\n", { tags: ["git", "a, b", "c", "https://x.org/a"] }],
    [
      'scope: { repo: github.com/a/b, paths: [src/**, "*.ts"] }\n',
      { scope: { repo: "github.com/a/b", paths: ["src/**", "*.ts"] } },
    ],
    ["a: <<", { a: "<<" }],
    ["tags:\n- a\n- b\nname: x", { tags: ["a", "b"], name: "x" }],
    ["tags:\n  - a\n  - true\nexpires:\nname: x", { tags: ["a", true], expires: null, name: "x" }],
  ])("reads %j", (yaml, value) => {
    expect(readPlainYaml(yaml)).toEqual(value);
  });

  test.each([
    "a: b: c",
    "a: |\n  x",
    "a: &x b",
    "a: *x",
    "a: !t b",
    "a: 1",
    "a: 0x1",
    "a: .5",
    "a: ~",
    "a: b\n  c",
    "a: b # c",
    "\ta: b",
    "a: x\na: y",
    "a:b",
    "a",
    "- a",
    "a: [b",
    "a: {b}",
    "a: 'b' c",
    "a: @b",
    "a: `b`",
    "a: %b",
    'a: "\\x41"',
    "__proto__: x",
    "a: [b: c]",
    "? a",
    "a:\n  - b: c",
    "a: -",
    "a: - b",
    "a: > b",
    "<<: b",
    "true: x",
  ])("leaves %j to the library", (yaml) => {
    expect(readPlainYaml(yaml)).toBeUndefined();
  });

  test("reads what it reads as the library does", () => {
    const key = fc.constantFrom("name", "type", "tags", "a-b", "metadata", "null", "x_1");
    const signs = "a: #[]{},\"'\\-?1.~&*|>é\u2028\u0085\u00a0\uFEFF\t<=+e\0@`%!";
    const words = [
      "b c",
      "0x1",
      "0o7",
      "1e3",
      "1.",
      "01J",
      "2026-03-05",
      "T10:00:00Z",
      "true",
      "null",
      "x: y",
    ];
    const piece = fc.constantFrom(...Array.from(signs), ...words);
    const value = fc.oneof(
      fc.array(piece, { maxLength: 6 }).map((parts) => parts.join("")),
      fc.constantFrom("", "[a, b]", "{ a: b }", "word", '"q"'),
      fc.string(),
    );
    const line = fc.oneof(
      fc
        .tuple(fc.constantFrom("", "", "  ", "    ", " "), key, fc.constantFrom(": ", ":", ":  "), value)
        .map((parts) => parts.join("")),
      fc.tuple(fc.constantFrom("", "  ", "    "), fc.constant("- "), value).map((parts) => parts.join("")),
      fc.constantFrom("", "# c", "  # c"),
    );
    let read = 0;
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        const yaml = lines.join("\n");
        const plain = readPlainYaml(yaml);
        if (plain === undefined) return;
        read += 1;
        expect(plain).toEqual(oracle(yaml));
      }),
      { numRuns: 20_000 },
    );
    // A reader that always gives up would pass as well.
    expect(read).toBeGreaterThan(1000);
  });
});
