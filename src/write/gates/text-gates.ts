import { isSameText, type MemoryDraft, type GateRefusal } from "../../memory/memory.ts";
import { findHostile, HOSTILE_WORDS } from "../../memory/screening/hostile-text.ts";
import type { Sibling, GateContext, GateAnswer, InstructionLine } from "./gate.ts";
import { findSecrets, redactSecrets } from "../../memory/screening/find-secrets.ts";
import { join } from "node:path";
import { namesInFolder, readOrEmpty } from "../../machine/regular-file.ts";
import type { Day } from "../../machine/read-fields.ts";
import { handleOf } from "../../memory/handle.ts";
import { withoutQuotations, readSections, sectionLabel } from "../../memory/codec/sections.ts";
import { wordsOf } from "../../search/search-query.ts";

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

const MAX_PLACES = 5;

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
  const more = places.length - MAX_PLACES;
  const where = [...places.slice(0, MAX_PLACES), ...(more > 0 ? [`${more} more`] : [])].join(", ");
  const reason = `it holds a secret: keep where it is, not the secret itself (${where})`;
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
/** Instruction files are read up to here: a longer one would not fit a context either. */
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

/** Languages whose weekdays are known: those of RELATIVE, and the machine's. */
const LANGUAGES = ["en", "de", "fr", "es", new Intl.DateTimeFormat().resolvedOptions().locale];

const weekdayIn = (language: string, day: Date | number): string =>
  new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(day);

let weekdays: RegExp | undefined;

function undatedWeekday(statement: string): string | undefined {
  if (/\d{4}-\d\d/.test(statement)) return undefined;
  const monday = Date.UTC(2024, 0, 1);
  const names = (): string[] =>
    LANGUAGES.flatMap((language) =>
      [0, 1, 2, 3, 4, 5, 6].map((day) => weekdayIn(language, monday + day * 86_400_000)),
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
  const isSaidAnew = statement !== current?.statement;
  const warnings =
    isOver && (isSaidAnew || expires !== current?.expires)
      ? [`${expires} is over: this is only shown as expired, on request`]
      : [];
  if (policy?.needs.includes("absolute-dates") === false || isConfirmed) return { warnings };
  const before = new Set(current && relativeWordsIn(current.statement));
  const words = relativeWordsIn(statement).filter((word) => !before.has(word));
  if (actor.kind === "person" && draft.keepsRelativeDates) return { warnings };
  if (words.length === 0) {
    const weekday = isSaidAnew && expires === undefined ? undatedWeekday(statement) : undefined;
    const note = `${dayInWords(today)}: if "${weekday}" is one day and not every one, write its date`;
    return { warnings: weekday === undefined ? warnings : [...warnings, note] };
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
  return `today is ${today}, a ${weekdayIn("en", new Date(today))}`;
}

const PLACEHOLDER =
  /(?:\[|\(|<!--|\.\.\.|…)\s*(?:the )?(?:rest|remainder|remaining|other|existing|previous|earlier|above)\b[^\n]{0,60}(?:unchanged|same|as before|here|content|text|sections?|omitted)|\[(?:truncated|omitted|unchanged|snip)\]|(?:\.\.\.|…)\s*$/i;

/** A new text below this share of the old one's length may have lost something. */
const SHORTENED = 0.6;
/** The share of the old words that must be left for a shortened text to count as reworded. */
const KEPT_WORDS = 0.5;

/** Refuses an amendment that loses text, unless it says `replaces`; a person, who sees the diff, is warned. */
export function amendmentGate(draft: MemoryDraft, context: GateContext): GateAnswer {
  const { current } = context;
  const isMeant = draft.relation?.kind === "replaces" || context.isConfirmed;
  if (!current || isMeant || draft.body.trim() === current.body.trim()) return {};
  const loss = findLoss(withoutQuotations(draft.body), withoutQuotations(current.body));
  if (!loss) return {};
  if (context.actor.kind === "person") return { warnings: [loss.reason] };
  const reason = `${handleOf(current)} exists, and ${loss.reason}`;
  const remedy =
    "give the whole new text, or with `sections` only the parts that change (null takes one away)";
  const proposal = loss.body !== undefined && { proposal: { body: loss.body } };
  return { refusals: [{ gate: "amendment", reason, remedy, ...proposal }] };
}

function findLoss(body: string, before: string): { reason: string; body?: string } | undefined {
  const placeholder = PLACEHOLDER.exec(body)?.[0].trim();
  if (placeholder !== undefined && !before.includes(placeholder))
    return { reason: `"${placeholder.slice(0, 60)}" replaces text that would be lost` };
  const labels = new Set(labelledParts(body).map(({ label }) => keyOf(label)));
  for (const label of Object.keys(readSections(body).sections)) labels.add(label);
  const lost = labelledParts(before).filter(({ label }) => !labels.has(keyOf(label)));
  if (lost.length > 0)
    return {
      reason: `the new text lacks ${lost.map(({ label }) => `"${label}"`).join(", ")}`,
      body: `${body.trimEnd()}\n${lost.map(({ text }) => text.trimEnd()).join("\n")}`,
    };
  if (body.length >= before.length * SHORTENED) return undefined;
  const words = wordsOf(body);
  const old = [...wordsOf(before)];
  const kept = old.filter((word) => words.has(word)).length / Math.max(1, old.length);
  if (kept >= KEPT_WORDS) return undefined;
  return {
    reason: `the new text has ${body.length} characters for ${before.length} and drops most of what it said`,
  };
}

function keyOf(label: string): string {
  return sectionLabel(label) ?? label.toLowerCase();
}

interface LabelledPart {
  label: string;
  text: string;
}

const LABEL =
  /^(?:#{1,6}\s+(.{1,80}?)\s*#*|\*\*([^*\n]{1,60}?):?\*\*:?(?:\s.*)?|\*\*([^*\n]{1,60}?)\*\*:.*)$/;

function labelledParts(body: string): LabelledPart[] {
  const parts: LabelledPart[] = [];
  let isFenced = false;
  for (const line of body.split("\n")) {
    const match = isFenced ? null : LABEL.exec(line.trimEnd());
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    const label = match?.[1] ?? match?.[2] ?? match?.[3];
    const last = parts.at(-1);
    if (label !== undefined) parts.push({ label: label.replace(/:$/, ""), text: line });
    else if (last) last.text += `\n${line}`;
  }
  return parts;
}
