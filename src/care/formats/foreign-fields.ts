import { splitFrontMatter, readFrontMatter } from "../../memory/codec/front-matter.ts";
import { asRecord } from "../../machine/read-fields.ts";

/** Fields of another tool's record or front matter. */
export type Fields = Readonly<Record<string, unknown>>;

/** A file's front matter as far as it can be read, what stands below it, and the number of lines above that. */
export function splitFile(text: string): { fields: Fields; body: string; line: number } {
  const split = splitFrontMatter(text);
  return { fields: readFrontMatter(split).values ?? {}, body: split.body, line: split.bodyLine - 1 };
}

/** The records of a list; empty for anything else. */
export function recordsOf(value: unknown): Fields[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.map(asRecord).filter((record) => record !== undefined);
}

/** The first text among these fields, trimmed; numbers count as text. */
export function textOf(record: Fields, ...keys: string[]): string {
  for (const key of keys) {
    const value = record[key];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
    if (typeof value === "number" || typeof value === "bigint") return String(value);
  }
  return "";
}

/** A list of texts: a list, a JSON list in a text, or words between commas. */
export function listOf(value: unknown): string[] {
  if (Array.isArray(value))
    return value
      .filter((item) => typeof item === "string")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  if (typeof value !== "string" || value.trim() === "") return [];
  if (value.trim().startsWith("[")) {
    try {
      return listOf(JSON.parse(value));
    } catch {
      return [];
    }
  }
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** An ISO time of an ISO text, or of seconds or milliseconds since 1970; undefined for anything else. */
export function timeOf(...values: unknown[]): string | undefined {
  for (const value of values) {
    const number = typeof value === "bigint" ? Number(value) : value;
    if (typeof number === "number" && Number.isFinite(number) && number > 0) {
      const date = new Date(number < 1e11 ? number * 1000 : number);
      if (!Number.isNaN(date.getTime())) return date.toISOString();
    }
    if (typeof number === "string" && /^\d{4}-\d\d-\d\d/.test(number)) {
      const zoned =
        /[zZ]$|[+-]\d\d:?\d\d$/.test(number) || number.length === 10
          ? number
          : `${number.replace(" ", "T")}Z`;
      const date = new Date(zoned);
      if (!Number.isNaN(date.getTime())) return date.toISOString();
    }
  }
  return undefined;
}
