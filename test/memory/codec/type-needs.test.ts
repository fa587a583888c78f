import { describe, expect, test } from "vitest";
import { TypeTable } from "../../../src/memory/memory-type.ts";
import type { TypePolicy } from "../../../src/memory/memory-type.ts";
import { missingNeeds } from "../../../src/memory/codec/type-needs.ts";

function policy(name: string): TypePolicy {
  const found = new TypeTable().get(name);
  if (!found) throw new Error(name);
  return found;
}

const memory = (body: string, trigger: string[] = []): Parameters<typeof missingNeeds>[0] => ({
  name: "x",
  description: "something",
  body,
  trigger,
});

describe("missingNeeds", () => {
  test.each([
    ["feedback", "Never.", [], ["grounds"]],
    ["feedback", "Never.\n**Why:** x", [], []],
    ["feedback", 'Never.\n\n> "never, ok?" (the user, 2026-03-02)', [], []],
    ["feedback", 'Never.\n\n> "never, ok?"', [], ["grounds"]],
    ["feedback", "Never.\n**Why:** x\n### How to apply\ny", [], []],
    ["feedback", "Never.\n**Why:**\n**How to apply:**", [], ["grounds"]],
    ["solution", "It works.", [], ["symptom", "failed", "solution", "why", "how-to-apply"]],
    ["solution", "Symptom: a\nFailed: b\nSolution: c\nWhy: d\nHow to apply: e", ["enoent"], []],
    ["reference", "the Figma file is called Lumen UI 3", [], []],
    ["user", "anything", [], []],
    ["project", "next Thursday", [], []],
  ])("%s with %j lacks the right parts", (type, body, trigger, needs) => {
    const missing = missingNeeds(memory(body, trigger), policy(type));
    expect(missing.map(({ need }) => need)).toEqual(needs);
    expect(missing.every(({ remedy }) => remedy.length > 10)).toBe(true);
  });
});
