import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FIELD_NAMES, MEMORY_FIELDS } from "../../../src/memory/memory-fields.ts";

interface Schema {
  enum?: string[];
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  description?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
}

const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../docs/memory.schema.json"), "utf8"),
) as Required<Schema>;
const page = readFileSync(join(import.meta.dirname, "../../../docs/reference/format.md"), "utf8");
const { metadata, ...beside } = schema.properties;
const properties: Record<string, Schema> = { ...beside, ...metadata?.properties };

describe("the schema of the file format", () => {
  test("has the keys of the table, and no other", () => {
    const keys = FIELD_NAMES.map((name) => MEMORY_FIELDS[name].keys[0]);
    expect(Object.keys(properties)).toEqual(keys);
    for (const key of keys) expect(page).toContain(`\`${key}\``);
  });

  test.each(FIELD_NAMES)("says of %s what the table says", (name) => {
    const { keys, kind, words, parts, maxChars, maxItems, doc } = MEMORY_FIELDS[name];
    const property = properties[keys[0]];
    const list = kind === "map" ? property?.properties?.["paths"] : property;
    expect(property?.description).toBe(doc);
    expect(kind === "links" ? property?.items?.properties?.["rel"]?.enum : property?.enum).toEqual(words);
    expect(parts && Object.keys(property?.properties ?? {})).toEqual(parts);
    expect(list?.maxItems).toBe(maxItems);
    expect(kind === "text" ? list?.maxLength : list?.items?.maxLength).toBe(maxChars);
  });

  test("has patterns that ids and times fit", () => {
    for (const [key, text] of [
      ["id", "01JD3Z8Q6T0V9W4X5Y6Z7A8B9C"],
      ["created", "2026-05-02T10:23:00Z"],
      ["expires", "2031-01-01"],
    ] as const)
      expect(text).toMatch(new RegExp(properties[key]?.pattern ?? "^$"));
  });
});
