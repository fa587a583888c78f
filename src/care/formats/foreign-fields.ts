import { splitFrontMatter, readFrontMatter } from "../../memory/codec/front-matter.ts";
import { asRecord, normaliseTime } from "../../machine/read-fields.ts";
import { parseJson } from "./import-format.ts";

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
  const text = typeof value === "string" ? value.trim() : "";
  const items: unknown = text.startsWith("[") ? parseJson(text) : text === "" ? value : text.split(",");
  return (Array.isArray(items) ? (items as unknown[]) : [])
    .flatMap((item) => (typeof item === "string" ? [item.trim()] : []))
    .filter((item) => item !== "");
}

/** The first that is an ISO date or time, or seconds or milliseconds since 1970, as ISO text. */
export function timeOf(...values: unknown[]): string | undefined {
  for (const value of values) {
    const number = typeof value === "bigint" ? Number(value) : value;
    const date =
      typeof number === "number" && number > 0 ? new Date(number < 1e11 ? number * 1000 : number) : undefined;
    if (date && !Number.isNaN(date.getTime())) return date.toISOString();
    const time = typeof number === "string" ? normaliseTime(number) : undefined;
    if (time !== undefined) return time;
  }
  return undefined;
}
