import { describe, expect, test } from "vitest";
import type { Memory } from "../../../src/memory/memory.ts";
import { TypeTable } from "../../../src/memory/memory-type.ts";
import type { ParsedMemory } from "../../../src/memory/codec/parse-memory.ts";
import { parseMemory } from "../../../src/memory/codec/parse-memory.ts";
import { cpuMsOf } from "../../cpu-time.ts";

const TYPES = new TypeTable();

function parse(text: string, file = "x.md"): ParsedMemory {
  return parseMemory(text, { file, storeId: "S" }, TYPES);
}

/** Code and line of each problem. */
function complaints(text: string, file?: string): string[] {
  return parse(text, file).problems.map(({ code, line }) => `${code}:${line}`);
}

describe("parseMemory reads", () => {
  const rows: [string, string, Partial<Memory>][] = [
    [
      "heed's own form",
      "---\nname: a-b\ndescription: says\nmetadata:\n  type: user\n  id: 01X\n  tags: [a, b]\n  expires: 2026-03-05\n  scope: { repo: github.com/a/b, paths: [src/**] }\n---\nText.\n",
      {
        name: "a-b",
        statement: "says",
        type: "user",
        id: "01X",
        tags: ["a", "b"],
        expires: "2026-03-05",
        scope: { repo: "github.com/a/b", paths: ["src/**"] },
        body: "Text.",
      },
    ],
    [
      "a file as Claude Code's client rewrites it",
      '---\nname: p7-plan\ndescription: "P7 (Minutes) — done"\nmetadata: \n  node_type: memory\n  type: project\n  originSessionId: cfdd22d5-c268\n  modified: 2026-07-27T14:54:31.927Z\n---\n\nText.\n',
      {
        name: "p7-plan",
        statement: "P7 (Minutes) — done",
        type: "project",
        updated: "2026-07-27T14:54:31Z",
        origin: { session: "cfdd22d5-c268" },
        body: "Text.",
      },
    ],
    [
      "a node type at the top level beside the memory's type",
      "---\nname: x\ndescription: y\ntype: memory\nmetadata:\n  type: feedback\n---\nz",
      { type: "feedback" },
    ],
    [
      "a top-level type and session, a title for a name",
      "---\nname: Index Management + Cache\ndescription: d\ntype: feedback\noriginSessionId: 9e4e7fca-2797\n---\nText",
      {
        name: "index-management-cache",
        type: "feedback",
        origin: { session: "9e4e7fca-2797" },
        source: "instructed",
      },
    ],
    [
      "bettermemory",
      "---\nid: mem_1\nschema_version: 3\nscopes:\n  - repo:api\n  - testing\nsource: explicit-statement\nconfidence: 0.9\ncreated_at: '2026-01-02T03:04:05+01:00'\nlast_verified_at: 2026-02-03\n---\nUse pnpm here.",
      {
        id: "mem_1",
        type: "project",
        tags: ["repo:api", "testing"],
        source: "instructed",
        confidence: "high",
        created: "2026-01-02T02:04:05Z",
        verified: "2026-02-03",
        statement: "Use pnpm here.",
      },
    ],
    [
      "Claude Memory with dashes in keys",
      "---\nname: n\ndescription: d\ntype: procedural\nretention: permanent\ndecay-after: 2026-05-06\nrelated: [other]\ntrigger: enoent, missing file\n---\nText",
      {
        type: "feedback",
        decayAfter: "2026-05-06",
        links: [{ rel: "related", to: "other" }],
        trigger: ["enoent", "missing file"],
      },
    ],
    [
      "Bob's frontmatter",
      "---\nname: n\ndescription: d\nstatus: active\nmatch:\n  keywords: [git push, force]\nmetadata:\n  type: feedback\n---\nText",
      { type: "feedback", status: "confirmed", trigger: ["git push", "force"] },
    ],
    [
      "CRLF, a byte order mark and blanks behind the fences",
      "\uFEFF--- \r\nname: n\r\ndescription: d\r\ntype: user\r\n---\t\r\nA\r\nB\r\n",
      { type: "user", body: "A\nB" },
    ],
    ["dots as the closing fence", "---\nname: n\ndescription: d\ntype: user\n...\nText", { body: "Text" }],
    ["a file without body", "---\nname: n\ndescription: d\ntype: user\n---", { body: "" }],
    [
      "numbers, booleans and nulls as fields",
      "---\nname: 42\ndescription: true\ntype: user\ntags: [1, null, x, {a: b}]\nexpires: null\nstatus:\n---\nText",
      { name: "42", statement: "true", tags: ["1", "x"], status: "confirmed" },
    ],
    [
      "words that are properties of every object",
      "---\nname: constructor\ndescription: d\ntype: user\nsource: constructor\nstatus: toString\nconfidence: valueOf\n---\nText",
      { name: "constructor", source: "observed", status: "confirmed", confidence: "high" },
    ],
  ];
  test.each(rows)("%s", (_title, text, expected) => {
    const { memory, problems } = parse(text);
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(memory).toMatchObject(expected);
  });

  test("what people write and YAML refuses, with a warning", () => {
    const statement = (line: string): unknown[] => {
      const text = `---\nname: n\n${line}\nmetadata:\n  type: user\n---\nText`;
      const { memory, problems } = parse(text);
      return [
        memory?.statement,
        memory?.type,
        ...problems.map(({ code, line, severity }) => `${severity} ${code}:${line}`),
      ];
    };
    const warned = ["user", "warning unquoted-value:3"];
    expect(statement("description: a: b\n  and: more")).toEqual(["a: b and: more", ...warned]);
    expect(statement("title: a: b\ndescription: >-\n  c: d: e")[0]).toBe("c: d: e");
    expect(statement('title: a: b\ndescription: "one\n  two"')[0]).toBe("one two");
    expect(statement("description: foo: bar")).toEqual(["foo: bar", ...warned]);
    expect(statement("description: never: use --no-verify: ever # x")).toEqual([
      "never: use --no-verify: ever # x",
      ...warned,
    ]);
    expect(statement('description: "quoted" and then more')).toEqual(['"quoted" and then more', ...warned]);
    expect(statement("description: [wip] fix")).toEqual(["[wip] fix", ...warned]);
    expect(statement("description: @erik says")).toEqual(["@erik says", ...warned]);
    expect(statement("description: `code` first")).toEqual(["`code` first", ...warned]);
    expect(statement("description: %x")).toEqual(["%x", ...warned]);
    expect(statement('description: "never closed')).toEqual(['"never closed', ...warned]);
    expect(statement("description: *starred*")).toEqual(["*starred*", ...warned]);
    expect(statement("description: one\ndescription: two")).toEqual(["two", "user"]);
    expect(statement('description: "a: b"')).toEqual(["a: b", "user"]);
  });

  test("the type of the folder or the file's name where none is said", () => {
    expect(parse("Text", "feedback/x.md").memory?.type).toBe("feedback");
    expect(parse("Text", "a/References/deep/x.md").memory?.type).toBe("reference");
    expect(parse("Text", "references/deep/x.md").memory?.type).toBe("reference");
    expect(parse("Text", "user_role.md").memory?.type).toBe("user");
    expect(parse("Text", "procedural/x.md").memory?.type).toBe("feedback");
  });

  test("the same id for the same place, another for another", () => {
    const id = (file: string): string | undefined => parse("Text", file).memory?.id;
    expect(id("user/a.md")).toBe(id("user/a.md"));
    expect(id("user/a.md")).not.toBe(id("user/b.md"));
    expect(id("user/a.md")).toMatch(/^F[0-9A-F]{25}$/);
  });
});

describe("parseMemory reports", () => {
  test.each([
    ["---\nname: n\n", ["unclosed-front-matter:1"]],
    ["---\nname: n\ndescription: d\n---\nText", ["no-type:1"]],
    ["---\nname: n\ndescription: d\nmetadata:\n  type: wish\n---\nText", ["unknown-type:5"]],
    ["---\nname: n\ntype: user\n---\nText", ["no-description:1"]],
    ["---\nname: n\ndescription: d\ntype: user\n---\n\n", ["empty-body:6"]],
    [
      "---\nname: n\ndescription: d\ntype: user\nexpires: soon\nstatus: maybe\n---\nText",
      ["bad-time:5", "bad-word:6"],
    ],
    ["---\nname: n\ndescription: d\ntype: user\nexpires: 2026-02-30\n---\nText", ["bad-time:5"]],
    ["---\nname: [n\ndescription: d\ntype: user\n}{\n---\nText", ["yaml:3"]],
    ["---\n? [a]\n: {b\n---\nText", ["yaml:4"]],
    ["---\njust a sentence\n---\nText", ["no-type:1", "no-description:1"]],
  ])("%j", (text, expected) => {
    expect(complaints(text)).toEqual(expected);
  });

  test("a list of endless length", () => {
    const text = `---\nname: n\ndescription: d\ntype: user\ntags: [${"a, ".repeat(9000)}b]\n---\nText`;
    expect(complaints(text)).toEqual(["long-list:5"]);
  });
});

describe("parseMemory survives", () => {
  const big = 60_000;
  const hostile: [string, string][] = [
    ["open brackets", `a: ${"[".repeat(big)}`],
    ["brackets over many lines", "a: [\n".repeat(big / 5)],
    ["colons", "a: ".repeat(big / 3)],
    ["indentation", Array.from({ length: 340 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")],
    [
      "an alias bomb",
      `a: &a [x, x, x]\n${["b", "c", "d", "e", "f", "g"].map((k, i) => `${k}: &${k} [${`*${"abcdef"[i]}, `.repeat(9)}]`).join("\n")}`,
    ],
    ["thousands of aliases", `a: &a x\ntags: [${"*a, ".repeat(big / 5)}]`],
    ["thousands of anchors", Array.from({ length: 3000 }, (_, i) => `k${i}: &a${i} x`).join("\n")],
    ["thousands of duplicates", "a: x\n".repeat(big / 5)],
    ["thousands of broken lines", "a: b: c\n".repeat(big / 8)],
    ["spaces inside a value", `a: x${" ".repeat(big)}y`],
    ["spaces in the opening fence", " ".repeat(big)],
    ["a long quoted value", `description: "${"x ".repeat(big / 2)}"`],
    [
      "prototype keys",
      "__proto__: {type: user, polluted: yes}\nconstructor: {prototype: {polluted: yes}}\nmetadata:\n  __proto__: {polluted: yes}",
    ],
    ["NUL and controls", "name: a\0b\ndescription: \u0001\u001b[31m\ntype: user"],
    ["lone surrogates", "name: \ud800\ndescription: \udc00x\ntype: user"],
    ["tags of other languages", "a: !!js/function 'x'\nb: !ruby/object x\nc: !!binary aaaa"],
    ["merge keys", "a: &a {b: c}\nd:\n  <<: *a"],
  ];
  test.each(hostile)("%s", (_title, yaml) => {
    const tookMs = cpuMsOf(() => {
      const { memory, problems } = parse(`---\n${yaml}\n---\nText`);
      expect(memory !== undefined || problems.some(({ severity }) => severity === "error")).toBe(true);
    });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    // A bound that only quadratic work misses.
    expect(tookMs).toBeLessThan(4_000);
  });

  test("front matter that never seems to end", () => {
    expect(complaints(`---\n${"a: x\n".repeat(50_000)}---\nText`)).toEqual(["unclosed-front-matter:1"]);
  });

  test("hostile bodies", () => {
    for (const piece of ["\n", " \n", "#", "> ", "*", "x ", "---\n", "\r", "\u2028"]) {
      const text = `---\nname: n\ntype: user\n---\n${piece.repeat(250_000)}`;
      expect([piece, cpuMsOf(() => parse(text)) < 4_000]).toEqual([piece, true]);
    }
  });
});
