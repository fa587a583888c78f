import { describe, expect, test } from "vitest";
import { TypeTable } from "../../../src/memory/memory-type.ts";
import { type ParsedMemories, parseMemories } from "../../../src/memory/codec/parse-memory.ts";
import { cpuMsOf } from "../../cpu-time.ts";

const parse = (text: string, file = "procedural/feedback.md"): ParsedMemories =>
  parseMemories(text, { file, storeId: "S" }, new TypeTable());

const MANY = `---
type: procedural
tags: [team]
---
# Feedback

## Never skip hooks
Fix the cause instead.
**Why:** it broke.
**How to apply:** always.

<!--
## Not a section
-->
## Solution: wasm-build-hangs
**Symptom:** hangs
**Trigger:** \`wasm\`, timeout

\`\`\`md
## Not one either
\`\`\`
## Never skip hooks ##
Again.
`;

describe("parseMemories", () => {
  test("reads one memory a section of another tool's file", () => {
    const { memories, problems } = parse(MANY);
    expect(problems).toEqual([]);
    expect(memories).toMatchObject([
      {
        section: 0,
        name: "never-skip-hooks",
        type: "feedback",
        tags: ["team"],
        statement: "Fix the cause instead.",
        body: "Fix the cause instead.\n**Why:** it broke.\n**How to apply:** always.\n\n<!--\n## Not a section\n-->",
      },
      {
        section: 1,
        name: "wasm-build-hangs",
        type: "solution",
        statement: "wasm-build-hangs",
        trigger: ["wasm", "timeout"],
        body: "**Symptom:** hangs\n**Trigger:** `wasm`, timeout\n\n```md\n## Not one either\n```",
      },
      { section: 2, name: "never-skip-hooks-2", type: "feedback", body: "Again." },
    ]);
    expect(new Set(memories.map(({ id }) => id)).size).toBe(3);
    expect(parse(MANY).memories.map(({ id }) => id)).toEqual(memories.map(({ id }) => id));
  });

  test.each([
    ["a file with a name of its own", "---\nname: n\ntype: user\n---\n## One\na\n## Two\nb"],
    ["a file with a description of its own", "---\ndescription: d\ntype: user\n---\n## One\na\n## Two\nb"],
    ["one section alone", "---\ntype: procedural\n---\n## One\na"],
    ["sections that are the labels of one solution", "## Symptom\na\n## Solution\nb\n## Why\nc"],
    ["deeper headings", "---\ntype: procedural\n---\n### One\na\n### Two\nb"],
    ["headings in a fence", "---\ntype: procedural\n---\n```\n## One\n## Two\n```"],
  ])("reads %s as one memory", (_title, text) => {
    const { memories } = parse(text);
    expect(memories).toHaveLength(1);
    expect(memories[0]?.section).toBeUndefined();
  });

  test("reports an empty section and reads the others", () => {
    const { memories, problems } = parse("## One\n\n## Two\nb\n## Three\nc");
    expect(memories.map(({ name, section }) => [name, section])).toEqual([
      ["two", 1],
      ["three", 2],
    ]);
    expect(problems.map(({ code, line }) => [code, line])).toEqual([["empty-body", 1]]);
  });

  test("gives a broken file's problem and no memory", () => {
    const { memories, problems } = parse("---\n{\n---\n## One\na\n## Two\nb");
    expect([memories.length, problems[0]?.severity]).toEqual([0, "error"]);
  });

  test("stays within bounds on endless sections", () => {
    const tookMs = cpuMsOf(() => {
      const { memories, problems } = parse("## a\nb\n".repeat(70_000));
      expect(memories).toHaveLength(500);
      expect(problems.map(({ code }) => code)).toEqual(["many-sections"]);
    });
    expect(tookMs).toBeLessThan(5_000);
  });
});
