import { isSameText, type MemoryDraft, type GateRefusal } from "../../memory/memory.ts";
import { findHostile, HOSTILE_WORDS } from "../../memory/screening/hostile-text.ts";
import type { Sibling, GateContext, GateAnswer, InstructionLine } from "./gate.ts";
import { findSecrets, redactSecrets } from "../../memory/screening/find-secrets.ts";
import { join } from "node:path";
import { namesInFolder, readOrEmpty } from "../../machine/regular-file.ts";
import type { Day } from "../../machine/read-fields.ts";
import { handleOf } from "../../memory/handle.ts";
import { withoutQuotations, readSections, sectionLabel } from "../../memory/codec/sections.ts";

/** Quarantines text that imitates marks or hides characters until a person releases it; a person's write is that release. */
export function hostileGate(draft: MemoryDraft, context: GateContext): GateAnswer {
  const found = findHostile(context.text === undefined ? textOf(draft) : `${textOf(draft)}\n${context.text}`);
  if (found.length === 0) return {};
  const reason = found.map((kind) => HOSTILE_WORDS[kind]).join("; ");
  if (context.actor.kind === "person") return { warnings: [`it is kept as your word, although ${reason}`] };
  if (context.current && saysNothingNew(draft, context.current)) return {};
  return { pending: `quarantined: ${reason}` };
}

function saysNothingNew(draft: MemoryDraft, current: Sibling): boolean {
  return (
    isSameText(draft, current) && findHostile(textOf({ ...draft, statement: "", body: "" })).length === 0
  );
}

export function needsPerson(draft: Pick<MemoryDraft, "statement" | "body"> & Partial<MemoryDraft>): boolean {
  return findHostile(textOf(draft)).length > 0;
}

/** All text that is injected: a field that is not listed here passes the gates unread. */
const INJECTED = [
  ["name", "the name"],
  ["statement", "the statement"],
  ["body", "the text"],
  ["tags", "the tags"],
  ["aliases", "the aliases"],
  ["trigger", "the trigger"],
] as const;
const FIELDS = [...INJECTED, ["quote", "the quote"], ["reason", "the reason"]] as const;

const textOf = (draft: Partial<MemoryDraft>): string =>
  INJECTED.flatMap(([key]) => draft[key] ?? []).join("\n");

/** Refuses a secret, whoever writes, and proposes the draft redacted. `file`: the whole file, with keys that no draft has. */
export function refuseSecret(draft: MemoryDraft, file?: string): GateRefusal | undefined {
  const places: string[] = [];
  const proposal: Partial<MemoryDraft> = {};
  for (const [key, words] of FIELDS) {
    const value = draft[key];
    if (value === undefined) continue;
    const found = placesIn(typeof value === "string" ? value : value.join("\n"), words);
    if (found.length === 0) continue;
    places.push(...found);
    const redacted = typeof value === "string" ? redactSecrets(value) : value.map(redactSecrets);
    Object.assign(proposal, { [key]: redacted });
  }
  if (places.length === 0 && file !== undefined) places.push(...placesIn(file, "the file"));
  if (places.length === 0) return undefined;
  const reason = `it holds a secret: keep where it is, not the secret itself (${places.join(", ")})`;
  const remedy =
    "name a vault entry or an environment variable; replace a real secret at the service that gave it";
  return { gate: "secret", reason, remedy, ...(Object.keys(proposal).length > 0 && { proposal }) };
}

function placesIn(text: string, words: string): string[] {
  return findSecrets(text).map(({ kind, start }) => {
    const line = text.slice(0, start).split("\n").length;
    return `${kind} in ${text.includes("\n") ? `line ${line} of ${words}` : words}`;
  });
}

/** A shorter text stands in many files by chance. */
const MIN_CHARS = 12;

/** Refuses what an instruction file says word for word: the client loads that file anyway. */
export function derivableGate(draft: MemoryDraft, context: GateContext): GateAnswer {
  const statements = [draft.statement, draft.body.trim().split(/\n\s*\n|\n(?=\*\*)/)[0] ?? ""].map(plain);
  const copied = context.instructions.find(({ text }) => {
    const line = plain(text);
    return line.length >= MIN_CHARS && statements.includes(line);
  });
  if (!copied) return {};
  const reason = `${copied.file}:${copied.line} says it already: "${copied.text.slice(0, 120)}"`;
  const remedy = "say only what that file does not say, or nothing";
  return { refusals: [{ gate: "derivable", reason, remedy }] };
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/^[\s>*#-]+|[`*_]+/g, "")
    .replace(/\s+/g, " ")
    .replace(/[.!\s]+$/, "");
}

const FILES = ["CLAUDE.md", "AGENTS.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "GEMINI.md", ".cursorrules"];
const RULES_FOLDER = ".claude/rules";
const MAX_FILE_BYTES = 128 * 1024;
const MAX_RULE_FILES = 50;

export function readInstructions(root: string): InstructionLine[] {
  return [...FILES, ...listRules(root)].flatMap((file) =>
    readOrEmpty(join(root, file), { maxBytes: MAX_FILE_BYTES, part: "beginning" })
      .split(/\r?\n/)
      .map((text, index) => ({ file, line: index + 1, text: text.trim() }))
      .filter(({ text }) => text !== "" && !text.startsWith("#")),
  );
}

function listRules(root: string): string[] {
  return namesInFolder(join(root, RULES_FOLDER))
    .filter((name) => name.endsWith(".md"))
    .slice(0, MAX_RULE_FILES)
    .map((name) => `${RULES_FOLDER}/${name}`);
}

const SPAN = "week|weekend|month|quarter|year|sprint|(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const SPANNE = "woche|monat|quartal|jahr|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch";

/** Words whose day depends on the day of writing. A few per language: the writer is a model, which knows better ones. */
const RELATIVE = new RegExp(
  String.raw`(?<![\p{L}\p{N}_/.-])(?:` +
    [
      "today(?!['’]s)|tonight|tomorrow|yesterday",
      `(?:next|last|this|coming) (?:${SPAN})(?! of)`,
      String.raw`in (?:a|one|two|three|\d{1,2}) (?:days?|weeks?|months?)`,
      String.raw`(?:a|one|two|three|\d{1,2}) (?:days?|weeks?|months?) ago`,
      `heute|übermorgen|vorgestern|gestern|(?:nächste|kommende|letzte|diese)[nrms]? (?:${SPANNE})`,
      "aujourd['’]hui|demain|hier|(?:la semaine|le mois|l['’]année) (?:prochaine?|derni[eè]re?)",
      "hoy|ayer|pasado mañana|(?:la|el) (?:próxim[oa]|semana que viene|mes que viene)",
    ].join("|") +
    // With the date beside them they are plain.
    String.raw`)(?![\p{L}\p{N}_-]|[\s,]{0,2}\(?\d{4}-\d\d)`,
  "giu",
);

/** What is no statement of the writer's: code, addresses, and whatever stands in quotation marks. */
const NOT_SAID =
  /`[^`\n]{1,400}`|\bhttps?:\/\/\S+|"[^"\n]{1,400}"|“[^”\n]{1,400}”|„[^“\n]{1,400}“|«[^»\n]{1,400}»/gu;

const saidIn = (statement: string): string => statement.slice(0, 20_000).replace(NOT_SAID, " ");

/** The relative words in a statement, each once, as they are written. A title (`the Today widget`) is none. */
export function relativeWordsIn(statement: string): string[] {
  const said = saidIn(statement);
  const words = [...said.matchAll(RELATIVE)]
    .filter(({ 0: word, index }) => !/^\p{Lu}/u.test(word) || /(?:^|[.!?:])\s*$/.test(said.slice(0, index)))
    .map(([word]) => word);
  return [...new Map(words.map((word) => [word.toLowerCase(), word])).values()];
}

const DAY_MS = 86_400_000;

const weekdaysIn = (language?: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" });

let weekdays: RegExp | undefined;

/** A weekday without a date, in the languages of RELATIVE and the machine's. */
function undatedWeekday(statement: string): string | undefined {
  if (/\d{4}-\d\d/.test(statement)) return undefined;
  const names = (): string[] =>
    ["en", "de", "fr", "es", undefined].flatMap((language) =>
      [1, 2, 3, 4, 5, 6, 7].map((day) => weekdaysIn(language).format(day * DAY_MS)),
    );
  weekdays ??= new RegExp(String.raw`(?<!\p{L})(?:${names().join("|")})(?!\p{L})`, "iu");
  return weekdays.exec(saidIn(statement))?.[0];
}

/** Refuses a day that only today explains. A person may keep it (`keepsRelativeDates`); hooks and imports are warned. */
export function relativeDatesGate(
  draft: MemoryDraft,
  { policy, today, current, actor, isConfirmed }: GateContext,
): GateAnswer {
  const { statement, expires } = draft;
  const isOver = expires !== undefined && expires.slice(0, 10) < today;
  const warnings =
    isOver && (statement !== current?.statement || expires !== current?.expires)
      ? [`${expires} is over: this is only shown as expired, on request`]
      : [];
  if (policy?.needs.includes("absolute-dates") === false || isConfirmed) return { warnings };
  const before = new Set(current && relativeWordsIn(current.statement));
  const words = relativeWordsIn(statement).filter((word) => !before.has(word));
  if (actor.kind === "person" && draft.keepsRelativeDates) return { warnings };
  if (words.length === 0) {
    const isSaidAnew = statement !== current?.statement && expires === undefined;
    const day = isSaidAnew ? undatedWeekday(statement) : undefined;
    const note = `${dayInWords(today)}: if "${day}" is one day and not every one, write its date`;
    return { warnings: day === undefined ? warnings : [...warnings, note] };
  }
  const refusal = refuse(words, today);
  return actor.kind === "model" || actor.kind === "person"
    ? { warnings, refusals: [refusal] }
    : { warnings: [...warnings, `${refusal.reason}: ${refusal.remedy}`] };
}

function refuse(words: readonly string[], today: Day): GateRefusal {
  return {
    gate: "relative-dates",
    reason: `it says ${words.map((word) => `"${word}"`).join(", ")}, and nobody will know later which day that was`,
    remedy: `write the day as a date (${dayInWords(today)}); a name or somebody's own words go in quotation marks`,
  };
}

export function dayInWords(today: Day): string {
  return `today is ${today}, a ${weekdaysIn("en").format(new Date(today))}`;
}

/** A new text below this share of the old one's length has lost something. */
const SHORTENED = 0.6;

/** Refuses an amendment that loses text, unless it says `replaces`; a person, who sees the diff, is warned. */
export function amendmentGate(draft: MemoryDraft, context: GateContext): GateAnswer {
  const { current } = context;
  const isMeant = draft.replaces !== undefined || context.isConfirmed;
  if (!current || isMeant || draft.body.trim() === current.body.trim()) return {};
  const loss = lossOf(withoutQuotations(draft.body), withoutQuotations(current.body));
  if (loss === undefined) return {};
  if (context.actor.kind === "person") return { warnings: [loss] };
  const remedy =
    `give the whole new text, or with \`sections\` only the parts that change (null takes one away); ` +
    `what is meant to say less is written anew with \`replaces: ${current.name}\``;
  return {
    refusals: [{ gate: "amendment", reason: `${handleOf(current)} exists, and ${loss}`, remedy }],
  };
}

function lossOf(body: string, before: string): string | undefined {
  const there = labelsOf(body);
  const lost = labelsOf(before).filter((label) => !there.includes(label));
  if (lost.length > 0) return `the new text lacks ${lost.map((label) => `"${label}"`).join(", ")}`;
  if (body.length >= before.length * SHORTENED) return undefined;
  return `the new text has ${body.length} characters for ${before.length}`;
}

/** The labelled parts of a text, and its headings. */
function labelsOf(text: string): string[] {
  const headings = text.replace(/^(```|~~~)[^]*?^\1/gm, "").matchAll(/^#{1,6}[ \t]+(.{1,80}?)[ \t]*#*$/gm);
  const others = [...headings].flatMap(([, title = ""]) => (sectionLabel(title) ? [] : [title]));
  return [...Object.keys(readSections(text).sections), ...others];
}
