import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { encodeMemory } from "../../../src/memory/codec/encode-memory.ts";
import { parseYaml } from "../../../src/memory/codec/parse-yaml.ts";
import { LIMITS, WORDS } from "../../../src/memory/limits.ts";
import type { Memory } from "../../../src/memory/memory.ts";

interface Schema {
  enum?: string[];
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
}

const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../docs/memory.schema.json"), "utf8"),
) as Required<Schema>;
const page = readFileSync(join(import.meta.dirname, "../../../docs/format.md"), "utf8");

/** A memory that has every key. */
const whole: Memory = {
  id: "01JD3Z8Q6T0V9W4X5Y6Z7A8B9C",
  name: "x",
  description: "y",
  type: "reference",
  created: "2026-05-02T10:23:00Z",
  updated: "2026-05-02T10:23:00Z",
  verified: "2026-05-02T10:23:00Z",
  tags: ["a"],
  aliases: ["b"],
  trigger: ["c"],
  confidence: "low",
  source: "inferred",
  status: "provisional",
  salience: "high",
  scope: { repo: "r", branch: "b", paths: ["p"] },
  expires: "2031-01-01",
  decayAfter: "2031-01-01",
  claims: ["path:x"],
  links: [{ rel: "related", to: "z" }],
  origin: { repo: "r", branch: "b", commit: "c", session: "s", client: "cl", actor: "person" },
  guard: { tool: "Bash", command: "x" },
  body: "text",
};

const written = parseYaml(encodeMemory(whole).split("---\n")[1] ?? "") as {
  metadata: Record<string, unknown>;
};
const metadata = schema.properties["metadata"]?.properties ?? {};

describe("the schema of the file format", () => {
  test("has every key that is written, and no other", () => {
    expect(Object.keys(metadata).sort()).toEqual(Object.keys(written.metadata).sort());
    expect(Object.keys(schema.properties)).toEqual(Object.keys(written));
    for (const key of ["scope", "origin"])
      expect(Object.keys(metadata[key]?.properties ?? {})).toEqual(
        Object.keys(written.metadata[key] as object),
      );
  });

  test("has the words and limits that the gates have", () => {
    for (const key of ["confidence", "source", "status", "salience"] as const)
      expect(metadata[key]?.enum).toEqual(WORDS[key]);
    expect(metadata["links"]?.items?.properties?.["rel"]?.enum).toEqual(WORDS.linkRelation);
    expect(schema.properties["name"]?.maxLength).toBe(LIMITS.nameChars);
    expect(schema.properties["description"]?.maxLength).toBe(LIMITS.descriptionChars);
    expect([metadata["tags"]?.maxItems, metadata["tags"]?.items?.maxLength]).toEqual([
      LIMITS.listItems,
      LIMITS.itemChars,
    ]);
    expect([
      metadata["scope"]?.properties?.["paths"]?.maxItems,
      metadata["scope"]?.properties?.["paths"]?.items?.maxLength,
    ]).toEqual([LIMITS.paths, LIMITS.pathChars]);
  });

  test("its page names every key", () => {
    for (const key of ["name", "description", ...Object.keys(metadata)]) expect(page).toContain(`\`${key}\``);
  });

  test("ids and times that are written fit its patterns", () => {
    for (const key of ["id", "created", "expires"])
      expect(String(written.metadata[key])).toMatch(new RegExp(metadata[key]?.pattern ?? "^$"));
  });
});
