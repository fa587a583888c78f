import type { Confidence, Source, Status } from "../memory.ts";
import { CONFIDENCES, SOURCES, STATUSES } from "../memory.ts";
import type { FieldReader } from "./read-fields.ts";

/*
 * Other tools' words for what heed has a word for. Maps, not objects: a file may say `source: constructor`.
 */

/** bettermemory's ways to know something. */
const SOURCE_WORDS = new Map<string, Source>([
  ["explicit-statement", "instructed"],
  ["explicit", "instructed"],
  ["user-statement", "instructed"],
  ["user-inference", "inferred"],
  ["inference", "inferred"],
  ["observation", "observed"],
]);

/** Claude Memory names layers where heed names types. */
const TYPE_WORDS = new Map([
  ["procedural", "feedback"],
  ["semantic", "project"],
  ["episodic", "episode"],
  ["preference", "user"],
]);

/** Bob's and others' words for the life of a note. */
const STATUS_WORDS = new Map<string, Status>([
  ["active", "confirmed"],
  ["accepted", "confirmed"],
  ["draft", "provisional"],
  ["tentative", "provisional"],
  ["archived", "superseded"],
  ["deprecated", "superseded"],
  ["obsolete", "superseded"],
]);

/** All words that each of these keys may have, heed's own first. */
export const KNOWN_WORDS: Readonly<Record<"source" | "status" | "confidence", readonly string[]>> = {
  source: [...SOURCES, ...SOURCE_WORDS.keys()],
  status: [...STATUSES, ...STATUS_WORDS.keys()],
  confidence: CONFIDENCES,
};

/** A type in heed's words: what other tools call a layer becomes the type that holds it. */
export function heedType(word: string): string {
  const lower = word.toLowerCase();
  return TYPE_WORDS.get(lower) ?? lower;
}

/** Whether a word names a layer of memories rather than a type: a file of such a kind holds many memories. */
export function isLayerWord(word: string): boolean {
  return ["procedural", "semantic", "episodic"].includes(word.toLowerCase());
}

/** How heed came to know a memory; undefined when the file does not say. */
export function readSource(fields: FieldReader): Source | undefined {
  const own = fields.word(SOURCES, "source") ?? SOURCE_WORDS.get(fields.text("source")?.toLowerCase() ?? "");
  return own ?? (fields.text("category") === "user-inference" ? "inferred" : undefined);
}

/** Where a memory is in its life; undefined when the file does not say. */
export function readStatus(fields: FieldReader): Status | undefined {
  return fields.word(STATUSES, "status") ?? STATUS_WORDS.get(fields.text("status")?.toLowerCase() ?? "");
}

/** How sure the writer was; a number from 0 to 1, as others keep it, is cut at 0.5 and 0.8. */
export function readConfidence(fields: FieldReader): Confidence | undefined {
  const text = fields.text("confidence") ?? "";
  const number = /^(?:0?\.\d+|[01](?:\.0+)?)$/.test(text) ? Number(text) : undefined;
  if (number !== undefined) return number >= 0.8 ? "high" : number >= 0.5 ? "medium" : "low";
  return fields.word(CONFIDENCES, "confidence");
}
