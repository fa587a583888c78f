import { parseYaml } from "../memory/codec/parse-yaml.ts";

/** A file's front matter as plain data, and what stands below it. */
export interface SplitFile {
  fields: Readonly<Record<string, unknown>>;
  body: string;
  /** So many lines stand above the body. */
  line: number;
}

/**
 * Splits a file at its front matter, however odd: what is no YAML (Cursor writes `globs: *.ts` bare) is read line by line
 * as `key: value`. Without front matter all is body.
 */
export function splitFrontMatter(text: string): SplitFile {
  const plain = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const found = /^---[ \t]*\n([\s\S]{0,20000}?)\n---[ \t]*(?:\n|$)/.exec(plain);
  if (!found) return { fields: {}, body: plain, line: 0 };
  const [block, yaml = ""] = found;
  return {
    fields: fieldsOf(yaml),
    body: plain.slice(block.length),
    line: block.split("\n").length - (block.endsWith("\n") ? 1 : 0),
  };
}

function fieldsOf(yaml: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parseYaml(yaml);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Not YAML: by line, below.
  }
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const line of yaml.split("\n")) {
    const [, key, value] = /^([A-Za-z_][\w-]{0,40}):[ \t]*(.{0,2000})$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) fields[key] = value.trim();
  }
  return fields;
}
