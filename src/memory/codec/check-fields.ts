import { FIELD_KEYS } from "./field-keys.ts";
import { KNOWN_WORDS, readConfidence, readSource, readStatus } from "./foreign-words.ts";
import { SALIENCES } from "../memory.ts";
import type { FieldReader } from "./read-fields.ts";
import { MAX_LIST_ITEMS } from "./read-fields.ts";

/** A value that a field cannot have; the field then has its default. */
export interface FieldComplaint {
  key: string;
  code: string;
  message: string;
  remedy: string;
}

const TIME_FIELDS = ["created", "updated", "verified", "expires", "decayAfter"] as const;
const LIST_FIELDS = ["tags", "aliases", "trigger", "claims", "links"] as const;

/** What is wrong with the values of a memory's fields. */
export function checkFields(fields: FieldReader): FieldComplaint[] {
  const complaints: FieldComplaint[] = [];
  for (const field of TIME_FIELDS) {
    const keys = FIELD_KEYS[field];
    const value = fields.get(...keys);
    if (value === undefined || fields.time(...keys)) continue;
    const key = keys.find((name) => fields.get(name) !== undefined) ?? keys[0];
    complaints.push({
      key,
      code: "bad-time",
      message: `${key} is no date: ${show(value)}`,
      remedy: "write it as 2026-03-05 or 2026-03-05T10:23:00Z",
    });
  }
  const words = {
    confidence: { words: KNOWN_WORDS.confidence, read: readConfidence(fields) },
    source: { words: KNOWN_WORDS.source, read: readSource(fields) },
    status: { words: KNOWN_WORDS.status, read: readStatus(fields) },
    salience: { words: SALIENCES, read: fields.word(SALIENCES, "salience") },
  };
  for (const [key, { words: known, read }] of Object.entries(words)) {
    const value = fields.get(key);
    if (value === undefined || read !== undefined) continue;
    complaints.push({
      key,
      code: "bad-word",
      message: `${key} is ${show(value)}`,
      remedy: `use one of ${known.join(", ")}`,
    });
  }
  for (const field of LIST_FIELDS) {
    const [key] = FIELD_KEYS[field];
    const value = fields.get(...FIELD_KEYS[field]);
    if (!Array.isArray(value) || value.length <= MAX_LIST_ITEMS) continue;
    complaints.push({
      key,
      code: "long-list",
      message: `${key} has ${value.length} items, the first ${MAX_LIST_ITEMS} are read`,
      remedy: "keep the few that matter",
    });
  }
  return complaints;
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 80);
}
