import type {
  ImportedMemory,
  ExportReport,
  ExportRequest,
  HeedError,
  ImportReport,
  ImportRequest,
} from "../../../heed.ts";
import {
  type Output,
  type Text,
  bold,
  dim,
  oneLine,
  plural,
  cyan,
  doneLine,
  green,
  red,
  yellow,
} from "../output/output.ts";
import { ask, askYesNo, canAsk } from "../terminal/read-given.ts";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createFileInPieces } from "../../../machine/atomic-file.ts";
import { type CommandSpec, fieldsOf, optionsFor, usageError } from "../arguments/command.ts";

const HELP = "r rules, f facts, Enter leaves them, o one by one, q writes nothing";
const WORDS = ["y", "n", "r", "f", "o", "q"];
const TYPES: Readonly<Record<string, string>> = { r: "feedback", f: "project" };
const MAX_SORTED_SHOWN = 12;

/** A section of a source. */
export interface Section {
  title: string;
  statements: readonly ImportedMemory[];
}

/** Statements by the file and heading that they stand under. */
function sectionsOf(statements: readonly ImportedMemory[]): Section[] {
  const sections = new Map<string, ImportedMemory[]>();
  const files = new Set(statements.map(({ place }) => place.replace(/:\d+$/, "")));
  for (const one of statements) {
    const file = files.size > 1 ? `${one.place.replace(/:\d+$/, "")}  ` : "";
    const title = `${file}${one.section || "(no heading)"}`;
    sections.set(title, [...(sections.get(title) ?? []), one]);
  }
  return [...sections].map(([title, held]) => ({ title, statements: held }));
}

/** What a statement says below its heading. */
function wordsOf({ section = "", statement }: ImportedMemory): string {
  return statement.startsWith(`${section}: `) ? statement.slice(section.length + 2) : statement;
}

/** Asks section by section what its statements are: their types by place, of those that are not left. Undefined: nothing is to be written. */
async function sortStatements(
  open: readonly ImportedMemory[],
  out: Output,
): Promise<Record<string, string> | undefined> {
  const sections = sectionsOf(open);
  const types: Record<string, string> = {};
  for (let i = 0; i < sections.length;) {
    const { title, statements } = sections[i]!;
    // What a file does not say to be a rule is safe as a fact.
    const isRule = statements.every((one) => one.isRule);
    const shown = statements.slice(0, MAX_SORTED_SHOWN).map((one) => `  ${oneLine(wordsOf(one))}`);
    const rest = statements.length - MAX_SORTED_SHOWN;
    out.note([bold(title), dim(`  ${i + 1}/${sections.length}`)], ...shown);
    if (rest > 0) out.note(dim(`  and ${rest} more`));
    const answer = await ask(`${isRule ? "Rules" : "Facts"}? [y/N, ${HELP}] `, WORDS);
    const key = answer === "y" ? (isRule ? "r" : "f") : answer;
    if (key === "q") return undefined;
    if (key === "o") sections.splice(i, 1, ...statements.map((one) => ({ title, statements: [one] })));
    else {
      for (const { place } of statements) if (TYPES[key] !== undefined) types[place] = TYPES[key];
      i += 1;
    }
  }
  return types;
}

const MAX_SHOWN = 40;
const MAX_NAMED = 8;
/** More statements of one source are asked about before they are written. */
const MANY = 100;

const ASKED =
  "It asks which are rules and which are facts; --as feedback takes all as rules, --as project as facts.";

const MARKS = {
  open: yellow("? "),
  new: green("+ "),
  waits: yellow("? "),
  known: dim("= "),
  changed: yellow("~ "),
  refused: red("✗ "),
} as const;

const IMPORT_OPTIONS = optionsFor(fieldsOf("exchange.importFrom", "request"), {
  apply: { sets: "isApplied", help: "write them; default: a dry run" },
  project: { value: "NAME" },
  everywhere: { sets: "isEverywhere" },
  as: { sets: "type", value: "TYPE" },
  store: { value: "STORE", words: ["user", "project", "team"] },
});

const importCommand: CommandSpec = {
  arguments: [{ name: "PATH", isOptional: true }],
  options: {
    ...IMPORT_OPTIONS,
    yes: { short: "y", goesWith: ["--apply"], help: `write more than ${MANY} statements without asking` },
  },
  details: [
    "Without PATH it lists the memories that other tools keep here, each with its command.",
    "An instruction file (CLAUDE.md, AGENTS.md, .cursor/rules …) mixes rules, facts and other text: with --apply heed",
    "asks section by section in a terminal; --as feedback takes all as rules, --as project as facts, and --yes more than",
    `${MANY} of them. Each statement passes the gates. Rules are yours when you import them; statements about you, and rules that`,
    "a tool made, wait in the inbox. A second run recognises what the first one imported.",
  ],
  json: '{"memories": [{"outcome", "type", "statement", ...}], "leftOut", "isApplied", ...}; without PATH {"sources"}',
  examples: [
    "heed import",
    "heed import CLAUDE.md --apply",
    "heed import ~/.claude-mem/claude-mem.db --apply",
  ],
  async run({ args, out, open, cwd, actor }) {
    const [path] = args.positionals;
    if (path === undefined) {
      const sources = await open().exchange.sources();
      out.answer({ sources }, () => [
        ...sources.map(({ title, path: at, command: next, isAttached }): Text => [
          bold(title),
          `  ${at}`,
          isAttached ? dim("  attached") : cyan(`\n  ${next}`),
        ]),
        ...(sources.length === 0
          ? ["No memories from other tools found. heed import PATH takes any file or folder."]
          : []),
      ]);
      return;
    }
    const { isApplied, ...request } = { from: resolve(cwd, path), ...args.fields<ImportRequest>() };
    const take = (more: Partial<ImportRequest>): Promise<ImportReport> =>
      open().exchange.importFrom({ ...request, ...more }, actor);
    const planned = await take({});
    const types = isApplied ? await sort(planned, out) : undefined;
    if (types && !args.has("yes")) await agreeToMany(planned, Object.keys(types).length);
    const report = types ? await take({ types, isApplied: true }) : planned;
    out.answer(report, () => linesOf(report));
  },
};

/** What a person says of statements that may be rules or facts, by their places; undefined: write nothing. */
async function sort(report: ImportReport, out: Output): Promise<Record<string, string> | undefined> {
  const open = report.memories.filter(({ outcome }) => outcome === "open");
  if (open.length === 0) return {};
  if (canAsk(out)) return sortStatements(open, out);
  const held = `${plural(open.length, "statement")} in ${plural(sectionsOf(open).length, "section")}`;
  const remedy =
    "--as feedback takes all as rules, --as project as facts; at a terminal heed asks by section";
  throw usageError(`${report.from} holds ${held}, and nothing is written: ${remedy}.`, "as");
}

/** @throws HeedError `invalid-input` where nobody agrees to so many. */
async function agreeToMany({ from, memories }: ImportReport, sorted: number): Promise<void> {
  const count = sorted + memories.filter(({ outcome }) => outcome === "new" || outcome === "waits").length;
  const held = `${from} holds ${count} new statements`;
  if (count <= MANY || (await askYesNo(`${held}: write them?`)) === true) return;
  throw usageError(`${held}, and nothing is written: --yes writes them.`, "yes");
}

function linesOf(report: ImportReport): Text[] {
  const { memories, leftOut, isApplied, command, session } = report;
  const of = (outcome: ImportedMemory["outcome"]): ImportedMemory[] =>
    memories.filter((memory) => memory.outcome === outcome);
  const open = of("open");
  const sections = isApplied ? [] : sectionsOf(open);
  const reasons = new Map<string, string[]>();
  for (const { place, what, reason } of leftOut) {
    const places = reasons.get(reason) ?? [];
    reasons.set(reason, places);
    places.push(place === "record" ? what.slice(0, 60) : place);
  }
  const counts = [
    ...(open.length > 0
      ? [`${open.length} ${isApplied ? "left" : "to be sorted into rules and facts"}`]
      : []),
    `${of("new").length} ${isApplied ? "written" : "to write"}`,
    `${of("waits").length} ${isApplied ? "wait" : "would wait"} for your approval`,
    `${of("known").length + of("changed").length} known`,
    `${of("refused").length} refused`,
    `${leftOut.length} not taken`,
  ];
  return [
    [bold(report.title), `  ${report.from}`],
    ...firstOf(sections, sectionLine, "sections"),
    ...(["new", "waits", "changed", "refused"] as const).flatMap((outcome) => firstOf(of(outcome), lineOf)),
    ...[...reasons].map(([reason, places]): Text => dim(leftOutLine(reason, places))),
    `${plural(memories.length, "statement")}: ${counts.filter((count) => !count.startsWith("0 ")).join(", ") || "nothing to write"}.`,
    ...(isApplied ? [] : [`Nothing is changed yet: ${command}`]),
    ...(isApplied || open.length === 0 ? [] : [ASKED]),
    ...(session === undefined ? [] : [`heed undo --session ${session} --apply takes all of it back.`]),
  ];
}

/** Which they are, as far as a reader looks through them: `--json` has the rest. */
function leftOutLine(reason: string, places: readonly string[]): string {
  const rest = places.length - MAX_NAMED;
  const named = oneLine(places.slice(0, MAX_NAMED).join(", "));
  return `- ${places.length} × not taken: ${reason} (${named}${rest > 0 ? `, and ${rest} more: --json` : ""})`;
}

function firstOf<T>(all: readonly T[], toLine: (one: T) => Text, what = ""): Text[] {
  const rest = all.length - MAX_SHOWN;
  return [
    ...all.slice(0, MAX_SHOWN).map(toLine),
    ...(rest > 0 ? [dim(`  and ${rest} more ${what}`.trimEnd())] : []),
  ];
}

/** A section a line, with the beginning of what it says. */
function sectionLine({ title, statements: [first, ...more] }: Section): Text {
  const count = more.length > 0 ? ` (${more.length + 1})` : "";
  return [MARKS.open, bold(`${title}${count}: `), first ? wordsOf(first) : ""];
}

function lineOf({ outcome, type, statement, place, detail }: ImportedMemory): Text {
  return [
    MARKS[outcome],
    cyan(`${type}  `),
    statement,
    dim(`  ${place}`),
    ...(detail === undefined ? [] : [dim(` (${detail})`)]),
  ];
}

const EXPORT_OPTIONS = optionsFor(fieldsOf("exchange.exportAs", "request"), {
  format: { value: "FORMAT" },
  type: { sets: "types", value: "TYPE" },
  store: { sets: "stores", value: "KIND" },
});

const exportCommand: CommandSpec = {
  arguments: [{ name: "PATH", isOptional: true }],
  options: EXPORT_OPTIONS,
  details: [
    "Without PATH a format of one file is printed. Nothing is overwritten.",
    "heed import reads json and files back without loss.",
  ],
  json: '{"files", "memories", "lost"}',
  examples: ["heed export --format json memories.json", "heed export rules --type feedback"],
  async run({ args, out, open, cwd }) {
    const { format = "files", ...filter } = args.fields<ExportRequest>();
    const [path] = args.positionals;
    const run = async (take: (text: string, file?: string) => void): Promise<ExportReport> =>
      open().exchange.exportAs({ format, ...filter }, take);
    if (path === undefined) {
      if (format === "files")
        throw usageError("PATH is missing: give the folder that the files go into", "PATH");
      await run((text) => out.piece(text));
      return;
    }
    const target = resolve(cwd, path);
    const isFolder = existsSync(target) && statSync(target).isDirectory();
    const written: string[] = [];
    let report: ExportReport;
    if (format === "files") {
      if (existsSync(target) && (!isFolder || readdirSync(target).length > 0))
        throw taken(target, "give a folder that is empty, or a new one");
      report = await run((text, file = "") => {
        const at = join(target, file);
        mkdirSync(dirname(at), { recursive: true });
        writeFileSync(at, text, { mode: 0o600, flag: "wx" });
        written.push(at);
      });
    } else {
      const at = isFolder ? join(target, "heed-memories.json") : target;
      const made = await createFileInPieces(at, run);
      if (made === undefined) throw taken(at, "give another path");
      report = made;
      written.push(at);
    }
    out.answer({ ...report, files: written }, (): Text[] => [
      doneLine(
        `${plural(report.memories, "memory", "memories")} in ${plural(written.length, "file")}: ${target}`,
      ),
      ...report.lost.map((line) => dim(`  not in this format: ${line}`)),
    ]);
  },
};

function taken(path: string, remedy: string): HeedError {
  return usageError(`${path} exists, and nothing is overwritten: ${remedy}`, "PATH", path);
}

export const commands: Readonly<Record<string, CommandSpec>> = {
  import: importCommand,
  export: exportCommand,
};
