import type { Memory } from "../memory.ts";
import type { Need, TypePolicy } from "../memory-type.ts";
import { quotationsIn } from "./quotation.ts";
import type { SectionLabel } from "./sections.ts";
import { readSections } from "./sections.ts";

/** Something that a memory's type asks for and the memory lacks. */
export interface MissingNeed {
  need: Need;
  /** What would satisfy it, as one sentence. */
  remedy: string;
}

const SECTION_REMEDIES: Readonly<Record<SectionLabel, string>> = {
  why: "add a line `**Why:** …` that says what went wrong or what is gained",
  "how-to-apply": "add a line `**How to apply:** …` that says when it holds and what to do then",
  symptom: "add a line `**Symptom:** …` with the message or behaviour that was seen",
  failed: "add a line `**Failed:** …` with what was tried and did not help",
  solution: "add a line `**Solution:** …` with what worked",
};

/** Words in capitals with a number that name a standard, not a ticket. */
const STANDARDS = new Set([
  "UTF",
  "SHA",
  "ISO",
  "AES",
  "RSA",
  "MD",
  "ES",
  "IPV",
  "UCS",
  "BASE",
  "CP",
  "HTTP",
  "TLS",
  "WIN",
  "COVID",
]);

/**
 * What the type asks for and the memory lacks, by looking at its text alone. `absolute-dates` and `confirmation` need a
 * calendar and the user's word: the gates on write decide those.
 */
export function missingNeeds(
  memory: Pick<Memory, "name" | "description" | "body" | "trigger"> & Partial<Pick<Memory, "origin">>,
  policy: TypePolicy,
): MissingNeed[] {
  const { sections } = readSections(memory.body);
  return policy.needs.flatMap((need): MissingNeed[] => {
    switch (need) {
      case "grounds":
        // What came by a door of theirs is the user's word, whatever else its text says.
        return sections.why !== undefined ||
          quotationsIn(memory.body).length > 0 ||
          memory.origin?.door !== undefined
          ? []
          : [
              {
                need,
                remedy:
                  'quote what the user said (`quote`, or a line `> "…" (the user)`), or add a line `**Why:** …` that says what went wrong or what is gained',
              },
            ];
      case "why":
      case "how-to-apply":
      case "symptom":
      case "failed":
      case "solution":
        return sections[need] === undefined ? [{ need, remedy: SECTION_REMEDIES[need] }] : [];
      case "trigger":
        return memory.trigger.length > 0
          ? []
          : [{ need, remedy: "add `trigger`: words of the error or the command by which it is recognised" }];
      case "pointer":
        return hasPointer(`${memory.description}\n${memory.body}`)
          ? []
          : [
              {
                need,
                remedy:
                  "say where it is: a URL, an id like ABC-123, a path, or the system's name and the place in it",
              },
            ];
      default:
        return [];
    }
  });
}

/** Whether a text tells where something is: an address, an id, a path, or a named system with a place in it. */
export function hasPointer(text: string): boolean {
  if (/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/]/i.test(text) || /\bwww\.[a-z0-9-]+\./i.test(text)) return true;
  for (const [, prefix = ""] of text.matchAll(/\b([A-Z][A-Z0-9]{1,9})-\d{1,7}\b/g)) {
    if (!STANDARDS.has(prefix)) return true;
  }
  return PLACES.some((place) => place.test(text));
}

const PLACES: readonly RegExp[] = [
  // A path, absolute, below home, or of two parts; a file name; a command or key in backticks.
  /(?:^|[\s("'`])(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w.@-]{2,}/m,
  /\b[\w-]{2,}\/(?:[\w-]+[./][\w-]+)/,
  /\b[\w-]{2,}\.(?:[a-z]{2,5}|internal|local)\b/,
  /`[^`\n]{2,120}`/,
  // An address of mail, a channel or issue, an entity in a wiki.
  /[\w.+-]{1,64}@[\w-]{2,}/,
  /(?:^|[\s(])[#!][\w-]{2,}/m,
  /\[\[[^\]\n]{1,120}\]\]/,
  // A kind of place and its name, as a person points: "1Password vault 'Carriers'", "the Confluence page Parcel Events".
  /(?<!\p{L})(?:project|vault|item|page|space|board|channel|dashboard|folder|sheet|workbook|tab|repository|repo|wiki|notebook|database|drive|inbox|mailbox|queue|group|team|workspace|document|doc|ticket|list|bucket|room|shelf|Projekt|Seite|Ordner|Kanal|Tabelle|projet|dossier|canal|proyecto|página|carpeta)\s+(?:(?:named|called|of|for|in)\s+)?(?:["'“”‘’«][^"'“”‘’»\n]{2,60}|[\p{Lu}#\d][\p{L}\p{N}_.#-]*|[\p{L}\d]+[-_][\p{L}\d_-]+)/u,
  // A named system and that something is in it.
  /\b(?:in|on|at|under|via|from|see|through|inside)\s+(?:(?:the|our|a|an|his|her|their|my)\s+)?(?:"[^"\n]{2,60}"|[A-Z][\w.-]+|[a-z]+[A-Z]\w+)/,
];
