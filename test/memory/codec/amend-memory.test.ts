import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type MemoryAmendment, amendMemory } from "../../../src/memory/codec/encode-memory.ts";
import { TypeTable } from "../../../src/memory/memory-type.ts";
import { parseMemory } from "../../../src/memory/codec/parse-memory.ts";

const FILE = `---
# written by hand
name: "prefers-vim"   # the handle
description: 'says: vim'
unknown-key: [1, 2]

metadata:
    type: user
    # keep these two in order
    tags:
      - editor   # of course
      - vim
    scope: { repo: github.com/acme/api, team: core }
    expires:
custom:
  deep: {x: 1}
---

Erik prefers vim.
`;

const cases: [string, MemoryAmendment, (file: string) => string][] = [
  [
    "a description that needs quotes gets them",
    { statement: "it's: emacs" },
    (f) => f.replace("'says: vim'", '"it\'s: emacs"'),
  ],
  ["a name keeps its comment", { name: "vim" }, (f) => f.replace('"prefers-vim"', "vim")],
  [
    "a list that changed is on one line",
    { tags: ["editor", "keys"] },
    (f) => f.replace("tags:\n      - editor   # of course\n      - vim\n", "tags: [editor, keys]\n"),
  ],
  [
    "no tags, no key",
    { tags: [] },
    (f) => f.replace("    tags:\n      - editor   # of course\n      - vim\n", ""),
  ],
  [
    "a part of a map leaves the others",
    { scope: { repo: "github.com/acme/web", branch: "main", paths: [] } },
    (f) =>
      f.replace(
        "{ repo: github.com/acme/api, team: core }",
        "{ repo: github.com/acme/web, team: core, branch: main }",
      ),
  ],
  [
    "an empty key gets its value",
    { expires: "2026-03-05" },
    (f) => f.replace("    expires:\n", "    expires: 2026-03-05\n"),
  ],
  [
    "a new key goes below metadata, as deep as the others",
    { status: "superseded" },
    (f) => f.replace("    expires:\n", "    expires:\n    status: superseded\n"),
  ],
  [
    "a body keeps the lines around it",
    { body: "No more." },
    (f) => f.replace("Erik prefers vim.", "No more."),
  ],
  [
    "what is there already changes nothing",
    { statement: "says: vim", tags: ["editor", "vim"], expires: null, links: [] },
    (f) => f,
  ],
];

describe("amendMemory touches nothing else", () => {
  test.each(cases)("%s", (_title, changes, expected) => {
    expect(amendMemory(FILE, changes)).toBe(expected(FILE));
    const crlf = `\uFEFF${FILE.replaceAll("\n", "\r\n")}`;
    expect(amendMemory(crlf, changes)).toBe(`\uFEFF${expected(FILE).replaceAll("\n", "\r\n")}`);
  });

  test.each(
    parse(String.raw`
    - [bettermemory's scopes stay scopes, "---\nscopes: [a]\nlast_verified_at: 2026-01-01\n---\nx\n", {tags: [a, b], verified: 2026-02-02}, "---\nscopes: [a, b]\nlast_verified_at: 2026-02-02\n---\nx\n"]
    - [metadata is made where there is none, "---\nname: n\ntype: user\n---\nx\n", {status: open}, "---\nname: n\ntype: user\nmetadata:\n  status: open\n---\nx\n"]
    - [a flow map grows and shrinks, "---\nmetadata: {type: user, id: a, tags: [x]}\n---\nx\n", {tags: null, status: open}, "---\nmetadata: { type: user, id: a, status: open }\n---\nx\n"]
    - [a file that ends at its fence gets a body, "---\nname: n\n---", {body: x}, "---\nname: n\n---\nx\n"]
    - [what YAML refuses is mended on the way, "---\nname: n\ndescription: a: b\ntype: user\n---\nx\n", {status: open}, "---\nname: n\ndescription: \"a: b\"\ntype: user\nmetadata:\n  status: open\n---\nx\n"]
    - [and stays when nothing changes, "---\nname: n\ndescription: a: b\ntype: user\n---\nx\n", {statement: "a: b"}, "---\nname: n\ndescription: a: b\ntype: user\n---\nx\n"]
    - [both duplicates go, "---\ntags: [a]\nname: b\ntags: [c]\n---\nx\n", {tags: null}, "---\nname: b\n---\nx\n"]
    - [what a key hid does not show through, "---\ntags: [top]\nmetadata:\n  tags: [inner]\n  type: user\n---\nx\n", {tags: null}, "---\nmetadata:\n  type: user\n---\nx\n"]
    - [related names of another tool become links, "---\nrelated: [a, b]\nname: n\n---\nx\n", {links: [{rel: supersedes, to: c}, {rel: related, to: a}]}, "---\nname: n\nmetadata:\n  links: [{ rel: supersedes, to: c }, { rel: related, to: a }]\n---\nx\n"]
    - [a map keeps the parts of others, "---\nscope:\n  team: core\n  globs: [a]\n  repo: r/s\nname: n\n---\nx\n", {scope: {branch: main, paths: [b]}}, "---\nscope: { team: core, branch: main, paths: [b] }\nname: n\n---\nx\n"]
    - [a folded text becomes one line, "---\ndescription: >-\n  one\n  two\nname: n\n---\nx\n", {statement: three}, "---\ndescription: three\nname: n\n---\nx\n"]
  `) as [string, string, MemoryAmendment, string][],
  )("%s", (_title, before, changes, after) => {
    expect(amendMemory(before, changes)).toBe(after);
  });

  test.each(["---\nname: n\n", "---\n? [a\n: {b\n---\nx", `---\na: ${"[".repeat(60_000)}\n---\nx`])(
    "a broken file is refused, not guessed at: %j",
    (text) => {
      expect(() => amendMemory(text, { name: "x" })).toThrow(
        expect.objectContaining({ code: "broken-file" }),
      );
    },
  );

  test("anchors and odd styles end up right, even where that means printing again", () => {
    const text =
      "---\n&top name: &n n\ndescription: *n\n? tags\n: - a\n  - b\nmetadata: {? type : user}\n---\nx\n";
    const amended = amendMemory(text, { statement: "d", tags: ["a", "c"], type: "feedback" });
    const { memory } = parseMemory(amended, { file: "x.md", storeId: "S" }, new TypeTable());
    expect(memory).toMatchObject({
      name: "n",
      statement: "d",
      tags: ["a", "c"],
      type: "feedback",
      body: "x",
    });
  });

  test("an unknown field is refused", () => {
    const changes: object = { wish: "x" };
    expect(() => amendMemory(FILE, changes)).toThrow(expect.objectContaining({ code: "invalid-input" }));
  });
});
