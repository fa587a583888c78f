import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amendMemory, encodeMemory } from "../../../src/memory/codec/encode-memory.ts";
import { canonicalBody } from "../../../src/memory/codec/front-matter.ts";
import type { Memory } from "../../../src/memory/memory.ts";
import { TypeTable } from "../../../src/memory/memory-type.ts";
import { parseMemory } from "../../../src/memory/codec/parse-memory.ts";
import { anyMemory, anyText } from "../any-memory.ts";

const PLACE = { file: "feedback/x.md", storeId: "S" };
const TYPES = new TypeTable();

function read(text: string): Memory {
  const { memory, problems } = parseMemory(text, PLACE, TYPES);
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  if (!memory) throw new Error("no memory");
  return memory;
}

describe("encodeMemory", () => {
  test("writes the canonical form", () => {
    const memory: Memory = {
      id: "01JD3Z8Q6T0V9W4X5Y6Z7A8B9C",
      name: "dont-bypass-hooks",
      statement: "never use --no-verify: fix the cause",
      type: "feedback",
      created: "2026-05-02T10:23:00Z",
      tags: ["git", "pre-commit"],
      aliases: [],
      trigger: ["no-verify"],
      confidence: "high",
      source: "observed",
      status: "confirmed",
      salience: "medium",
      scope: { repo: "github.com/acme/api", paths: ["migrations/**"] },
      claims: [],
      links: [{ rel: "supersedes", to: "old-rule" }],
      origin: { client: "claude-code" },
      guard: { tool: "Bash", flags: ["--no-verify", "-n"], say: "no, thanks" },
      body: "Never.\n**Why:** it broke.\n",
    };
    expect(encodeMemory(memory)).toBe(`---
name: dont-bypass-hooks
description: "never use --no-verify: fix the cause"
metadata:
  type: feedback
  id: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C
  created: 2026-05-02T10:23:00Z
  tags: [git, pre-commit]
  source: observed
  scope: { repo: github.com/acme/api, paths: [migrations/**] }
  trigger: [no-verify]
  guard: { tool: Bash, flags: [--no-verify, -n], say: "no, thanks" }
  links: [{ rel: supersedes, to: old-rule }]
  origin: { client: claude-code }
---
Never.
**Why:** it broke.
`);
  });

  test("quotes what older YAML readers would take for a boolean", () => {
    const text = encodeMemory({ ...read("---\ntype: user\n---\nx"), tags: ["no", "on", "yes", "1:30"] });
    expect(text).toContain('tags: ["no", "on", "yes", "1:30"]');
  });

  test("refuses front matter that could not be read again", () => {
    const memory = { ...read("---\ntype: user\n---\nx"), statement: "x".repeat(70_000) };
    expect(() => encodeMemory(memory)).toThrow(expect.objectContaining({ code: "invalid-input" }));
  });

  test("is read back as the same memory, whatever it holds", () => {
    fc.assert(
      fc.property(anyMemory(), (memory) => {
        expect(read(encodeMemory(memory))).toEqual({ ...memory, body: canonicalBody(memory.body) });
      }),
      { numRuns: 50 },
    );
  });
});

describe("amendMemory", () => {
  test("without changes gives every byte back", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(amendMemory(text, {})).toBe(text);
      }),
    );
    fc.assert(
      fc.property(anyMemory(), (memory) => {
        const text = encodeMemory(memory).replaceAll("\n", "\r\n");
        const { body, ...header } = read(text);
        expect(amendMemory(text, { ...header, body })).toBe(text);
      }),
      { numRuns: 25 },
    );
  });

  test("reads back what it changed and leaves the rest", () => {
    fc.assert(
      fc.property(anyMemory(), anyMemory(), fc.constantFrom("\n", "\r\n"), (before, after, eol) => {
        const text = encodeMemory(before).replaceAll("\n", eol);
        const { id, ...changes } = after;
        const amended = amendMemory(text, {
          ...changes,
          created: after.created ?? null,
          updated: after.updated ?? null,
          verified: after.verified ?? null,
          expires: after.expires ?? null,
          decayAfter: after.decayAfter ?? null,
          guard: after.guard ?? null,
        });
        expect(id).toBeTypeOf("string");
        expect(read(amended)).toEqual({ ...after, id: before.id, body: canonicalBody(after.body) });
      }),
      { numRuns: 25 },
    );
  });
});
