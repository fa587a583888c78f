import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { readPlainYaml } from "../../../src/memory/codec/front-matter.ts";

/** The oracle: the library, undefined where it finds an error or a duplicate key. */
function oracle(yaml: string): unknown {
  const document = parseDocument(yaml, { uniqueKeys: false, logLevel: "silent", prettyErrors: false });
  if (document.errors.length > 0) return undefined;
  return document.toJS({ maxAliasCount: 16 }) ?? {};
}

describe("readPlainYaml", () => {
  test.each([
    ["", {}],
    ["# only a comment\n", {}],
    [
      "name: a b\nmetadata: \n  type: user\n  id: 01JD3Z8Q6T\n  modified: 2026-07-27T14:54:31.927Z\n",
      { name: "a b", metadata: { type: "user", id: "01JD3Z8Q6T", modified: "2026-07-27T14:54:31.927Z" } },
    ],
    [
      "description: \"a \\\"b\\\" \\u00e9 — c: d # e\"\nname: 'it''s'\n",
      { description: 'a "b" é — c: d # e', name: "it's" },
    ],
    [
      'tags: [git, \'a, b\', "c", -n, https://x.org/a]\nscope: { repo: github.com/a/b, paths: [src/**, "*.ts"] }\n',
      {
        tags: ["git", "a, b", "c", "-n", "https://x.org/a"],
        scope: { repo: "github.com/a/b", paths: ["src/**", "*.ts"] },
      },
    ],
    ["map: 1200\ncommit: true\nexpires:\n", { map: 1200, commit: true, expires: null }],
  ])("reads %j", (yaml, value) => {
    expect(readPlainYaml(yaml)).toEqual(value);
  });

  test.each(["a: b: c", "a: &x b", "a: b # c", "a: x\na: y", "a:\n  - b", "a: [b", "__proto__: x", "a"])(
    "leaves %j to the library",
    (yaml) => {
      expect(readPlainYaml(yaml)).toBeUndefined();
    },
  );

  test("reads what it reads as the library does", () => {
    const key = fc.constantFrom("name", "type", "tags", "a-b", "metadata", "null", "x_1");
    const signs = "a: #[]{},\"'\\-?1.~&*|>é\u2028\u0085\u00a0\uFEFF\t<=+e\0@`%!";
    const words = "b c¦0x1¦0o7¦1e3¦1.¦01J¦2026-03-05¦T10:00:00Z¦true¦null¦x: y".split("¦");
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
      { numRuns: 4_000 },
    );
    // A reader that always gives up would pass as well.
    expect(read).toBeGreaterThan(200);
  });
});
