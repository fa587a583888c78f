import { onOneLine } from "../../machine/read-fields.ts";
import { rememberLast } from "../../machine/remember-last.ts";
import type { Memory } from "../memory.ts";
import type { Need, TypePolicy } from "../memory-type.ts";

export interface BodySections {
  statement: string;
  sections: Readonly<Partial<Record<SectionLabel, string>>>;
  /** The text below headings and labels of other kinds, where they follow a labelled part. */
  rest: string;
}

/** Wordings of each label that people and other tools write, in the order of a text; the first is heed's own. */
const WORDINGS = {
  symptom: "symptom, symptoms, problem, error, the problem",
  preconditions: "preconditions, prerequisites, before you start",
  steps: "steps, the steps, procedure",
  check: "check, how to check, verification, how to verify",
  failed:
    "failed, what failed, failed attempts, tried, what was tried, what did not work, what didn't work, did not work, didn't work, dead ends",
  solution: "solution, the solution, what worked, fix, the fix, resolution",
  why: "why, why it matters, why this matters, why this rule, rationale, reason, reasoning, root cause",
  "how-to-apply":
    "how to apply, how to apply it, how to apply this, how, when to apply, how and when to apply, when, when it applies, when to use",
};

export type SectionLabel = keyof typeof WORDINGS;
export const SECTION_LABELS: readonly SectionLabel[] = Object.keys(WORDINGS) as SectionLabel[];

/** Without bold or heading marks only these count as labels: `Error: x` in a text is mostly an error. */
const PLAIN = new Set(["why", "how to apply", "symptom", "symptoms", "failed", "solution", "steps"]);

const MARKED = new Map<string, SectionLabel>(
  Object.entries(WORDINGS).flatMap(([label, wordings]) =>
    wordings.split(", ").map((wording): [string, SectionLabel] => [wording, label as SectionLabel]),
  ),
);

const HEADING = /^ {0,3}(#{1,6})[ \t]+([^#\n]{1,80}?)[ \t]*#*[ \t]*$/;
/** A bold or slanted beginning of a line, its end (a colon inside or outside, a stop, a dash), and the rest. */
const BOLD =
  /^ {0,3}(?:[-*+][ \t]+|>[ \t]?)?(\*\*|__|\*|_)([A-Za-z][^*\n]{1,120}?)([:.]?)[ \t]*\1[ \t]*(\([^)\n]{0,80}\))?([:.]|[-–—](?=\s)|$)?[ \t]*(.*)$/;
const COLON = /^ {0,3}(?:[-*+][ \t]+|>[ \t]?)?([A-Za-z][A-Za-z' ]{1,30}):(?:[ \t]+(.*))?$/;
/** A bold label at the start of a line, not of a list's item, with its colon. */
const otherLabel = (): RegExp => /^ {0,3}(?:\*\*|__)[\p{L}\p{N}][^*_\n]{0,60}(?::(?:\*\*|__)|(?:\*\*|__):)/u;
/** A bold label with its colon in the middle of a line: paragraphs that run rule, why and how together. */
const INLINE =
  /([^\s`>*+-][ \t]+)(?=(?:\*\*|__)(?:why|how to apply|symptoms?|failed|solution)(?::(?:\*\*|__)|(?:\*\*|__):))/gi;

/** Takes a body apart at its labels: `**Why:**`, `Why:` at a line's start, `### Why`; not in code. Repeated parts are joined. A check asks three times for those of one body. */
export const readSections: (body: string) => BodySections = rememberLast(takenApart, 1);

function takenApart(body: string): BodySections {
  const statement: string[] = [];
  const rest: string[] = [];
  const parts = new Map<SectionLabel, string[]>();
  let current = statement;
  let fence = "";
  for (const raw of body.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(raw)?.[1] ?? "";
    const isFence = mark !== "" && (fence === "" || (mark.startsWith(fence) && raw.trim() === mark));
    if (isFence) fence = fence === "" ? mark : "";
    if (isFence || fence !== "") {
      current.push(raw);
      continue;
    }
    for (const line of raw.replace(INLINE, "$1\n").split("\n")) {
      const opened = readLabel(line);
      if (opened) {
        current = parts.get(opened.label) ?? [];
        if (current.length > 0) current.push("");
        parts.set(opened.label, current);
        current.push(opened.text);
      } else {
        // A heading or label of another kind ends a part, but not the statement, which may have a title.
        if (parts.size > 0 && (HEADING.test(line) || otherLabel().test(line))) current = rest;
        current.push(line);
      }
    }
  }
  const sections: Partial<Record<SectionLabel, string>> = {};
  for (const [label, lines] of parts) {
    const text = lines.join("\n").trim();
    if (text !== "") sections[label] = text;
  }
  return { statement: statement.join("\n").trim(), sections, rest: rest.join("\n").trim() };
}

export function sectionLabel(words: string): SectionLabel | undefined {
  return MARKED.get(foldWords(words));
}

function readLabel(line: string): { label: SectionLabel; text: string } | undefined {
  if (line.length > 0 && !/^[ \t]*(?:[-*+>][ \t]*)?[#*_A-Za-z]/.test(line)) return undefined;
  const heading = HEADING.exec(line);
  if (heading) {
    const [words = "", ...rest] = (heading[2] ?? "").split(":");
    const label = sectionLabel(words);
    return label && { label, text: rest.join(":").trim() };
  }
  const bold = BOLD.exec(line);
  if (bold) {
    const [, , words = "", inner = "", aside = "", outer, text = ""] = bold;
    const found = qualifiedLabel(words);
    if (found && (inner !== "" || outer !== undefined)) {
      const qualifier = `${found.qualifier} ${aside}`.trim();
      return { label: found.label, text: qualifier === "" ? text : `${qualifier}: ${text}` };
    }
  }
  const plain = COLON.exec(line);
  const label = plain && PLAIN.has(foldWords(plain[1] ?? "")) && sectionLabel(plain[1] ?? "");
  return label ? { label, text: plain[2] ?? "" } : undefined;
}

/** A label with words after it that narrow it: `Why it keeps happening`, `How to apply — before writing a design`. */
function qualifiedLabel(words: string): { label: SectionLabel; qualifier: string } | undefined {
  const exact = sectionLabel(words);
  if (exact) return { label: exact, qualifier: "" };
  const [, head = "", rest = ""] = /^(.{1,40}?)(?:[ \t]*[:–—(]|[ \t]+-)[ \t]*(.*)$/.exec(words) ?? [];
  const label = sectionLabel(head);
  if (label) return { label, qualifier: rest.replace(/\)$/, "") };
  const opening = /^(why|how to apply)\b(?!\s+not\b)[ \t]+(.+)$/i.exec(words);
  if (!opening) return undefined;
  return {
    label: (opening[1] ?? "").toLowerCase() === "why" ? "why" : "how-to-apply",
    qualifier: opening[2] ?? "",
  };
}

function foldWords(words: string): string {
  return words
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, " ")
    .replace(/’/g, "'")
    .replace(/[:.]$/, "");
}

/** Quotes the user, `> "never push on fridays" (the user, 2026-03-05)`, or, as older imports did, a source: `(from CLAUDE.md:15)`. */
const QUOTATION = /^ {0,3}> ?["“](.+)["”] \((?:the user(?:, \d{4}-\d\d-\d\d)?|from [^()\n]{1,200})\)\s*$/gm;

const OF_USER = /^ {0,3}> ?["“](.+)["”] \(the user(?:, \d{4}-\d\d-\d\d)?\)\s*$/gm;

export function userQuotationIn(body: string): string | undefined {
  return [...body.matchAll(OF_USER)][0]?.[1];
}

/** A text without the quotation that `userQuotationIn` gives. */
export function withoutUserQuotation(body: string): string {
  return body.replace(new RegExp(OF_USER.source, "m"), "");
}

/** A text without what it quotes of the user, but for the words that may stay. */
export function withoutUserQuotations(body: string, mayStay?: string): string {
  return body
    .replace(OF_USER, (line: string, words: string) => (words === mayStay ? line : ""))
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** A text that quotes the user with these words and no others, where its first quotation was, else at its end. */
export function quotingUser(body: string, words: string, day: string): string {
  const line = `> "${words.replace(/\s+/g, " ").trim()}" (the user, ${day})`;
  let isPlaced = false;
  const placed = body.replace(OF_USER, () => {
    const text = isPlaced ? "" : line;
    isPlaced = true;
    return text;
  });
  return (isPlaced ? placed.replace(/\n{3,}/g, "\n\n") : `${body.trim()}\n\n${line}`).trim();
}

/** Parts of a text that are given beside it. */
interface GivenParts {
  reason?: string | undefined;
  how?: string | undefined;
}

/** A statement with the user's words as a quotation, and the parts given beside it; what was not given is not there. */
export function textOfStatement(
  given: GivenParts & { text: string; quote?: string | undefined; day: string },
): string {
  const { text, quote = "", day } = given;
  return withParts(quote.trim() === "" ? text.trim() : quotingUser(text, quote, day), given);
}

export function quotationsIn(body: string): string[] {
  return [...body.matchAll(QUOTATION)].map(([, words = ""]) => words);
}

/** A text changed everywhere but in its quotations: what somebody said stays as they said it. */
export function changedAroundQuotations(body: string, change: (text: string) => string): string {
  let changed = "";
  let at = 0;
  for (const { 0: line, index } of body.matchAll(QUOTATION)) {
    changed += change(body.slice(at, index)) + line;
    at = index + line.length;
  }
  return changed + change(body.slice(at));
}

/** A text with the words of its quotations alone: whom they are from is heed's note. */
export function withoutNotes(body: string): string {
  return body.replace(QUOTATION, "$1");
}

/** A text without its quotations: the words of one turn are no similarity of two memories that it brought. */
export function withoutQuotations(body: string): string {
  return body.replace(QUOTATION, "");
}

/** The text with the parts that it lacks, at its end. */
export function withParts(body: string, { reason = "", how = "" }: GivenParts): string {
  if (reason.trim() === "" && how.trim() === "") return body;
  const { sections } = readSections(body);
  const added = [
    sections.why === undefined && reason.trim() !== "" && `**Why:** ${onOneLine(reason)}`,
    sections["how-to-apply"] === undefined && how.trim() !== "" && `**How to apply:** ${onOneLine(how)}`,
  ].filter((part) => part !== false);
  return added.length === 0 ? body : [body.trimEnd(), ...added].join("\n\n");
}

export function hasReason(body: string): boolean {
  return readSections(body).sections.why !== undefined;
}

export type SectionChanges = Readonly<Partial<Record<SectionLabel, string | null>>>;

/** Replaces labelled parts where they stand, new ones at the end; all else stays. */
export function replaceSections(body: string, changes: SectionChanges): string {
  const { statement, sections, rest } = readSections(body);
  const there = Object.keys(sections) as SectionLabel[];
  const parts = [...new Set([...there, ...SECTION_LABELS])].flatMap((label): string[] => {
    const text = (changes[label] === undefined ? sections[label] : changes[label])?.trim() ?? "";
    if (text === "") return [];
    const [title = ""] = WORDINGS[label].split(",", 1);
    // A list or a fence goes below its label.
    const gap = /^(?:[-*+`~]|\d+[.)])/.test(text) ? "\n" : " ";
    return [`**${title.charAt(0).toUpperCase()}${title.slice(1)}:**${gap}${text}`];
  });
  return [statement.trim(), ...parts, rest].filter((part) => part !== "").join("\n\n");
}

interface MissingNeed {
  need: Need;
  words: string;
  remedy: string;
}

const WHY = "add a line `**Why:** …` that says what went wrong or what is gained";
const ADDED: { readonly [N in Need]?: readonly [words: string, remedy: string] } = {
  grounds: ["a quote or a Why", `quote what was said (\`quote\`, or a line \`> "…" (the user)\`), or ${WHY}`],
  why: ["a Why", WHY],
  "how-to-apply": [
    "a How to apply",
    "add a line `**How to apply:** …` that says when it holds and what to do then",
  ],
  symptom: ["a Symptom", "add a line `**Symptom:** …` with the message or behaviour that was seen"],
  failed: ["what Failed", "add a line `**Failed:** …` with what was tried and did not help"],
  solution: ["a Solution", "add a line `**Solution:** …` with what worked"],
  steps: ["Steps", "add a line `**Steps:**` and below it a numbered list of what to do"],
  trigger: ["a trigger", "add `trigger`: words of the error or command that identifies it"],
};

/** The sections that the type asks for without needing them, and the memory lacks: `what Failed, a Why`. Empty: none. */
export function missingAsks(memory: Parameters<typeof missingNeeds>[0], { asks = [] }: TypePolicy): string {
  return missingNeeds(memory, { needs: asks })
    .map(({ words }) => words)
    .join(", ");
}

/** What the type needs and the text lacks. Dates and confirmation are decided by the gates on write. */
export function missingNeeds(
  memory: Pick<Memory, "name" | "statement" | "body" | "trigger"> & Partial<Pick<Memory, "origin">>,
  policy: Pick<TypePolicy, "needs">,
): MissingNeed[] {
  const { sections } = readSections(memory.body);
  const has: Readonly<Record<string, unknown>> = {
    ...sections,
    // The user agreed to it by a door, or it stood in a file that they imported.
    grounds: sections.why ?? memory.origin?.door ?? memory.origin?.from ?? quotationsIn(memory.body)[0],
    // Whoever wrote a numbered list has said the steps, under whatever heading.
    steps: sections.steps ?? /^ {0,3}1[.)][ \t]/m.exec(memory.body)?.[0],
    trigger: memory.trigger[0],
  };
  return policy.needs.flatMap((need): MissingNeed[] => {
    const [words, remedy] = ADDED[need] ?? [];
    return words === undefined || remedy === undefined || has[need] !== undefined
      ? []
      : [{ need, words, remedy }];
  });
}
