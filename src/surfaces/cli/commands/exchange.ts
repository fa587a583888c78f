import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ExportRequest, HeedError, ImportedMemory, ImportReport, ImportRequest } from "../../../heed.ts";
import { type CommandSpec, fieldsOf, optionsFor, usageError } from "../arguments/command.ts";
import { type Text, plural, bold, cyan, dim, doneLine, green, red, yellow } from "../output/text.ts";
import { withProgress } from "../output/output.ts";

const MAX_SHOWN = 40;

const MARKS = {
  new: green("+ "),
  waits: yellow("? "),
  known: dim("= "),
  changed: yellow("~ "),
  refused: red("✗ "),
} as const;

const IMPORT_OPTIONS = optionsFor(fieldsOf("exchange.importFrom", "request"), {
  apply: { sets: "isApplied", help: "write them; default: a dry run" },
  format: { value: "NAME" },
  project: { value: "NAME" },
  everywhere: { sets: "isEverywhere" },
  type: { value: "TYPE" },
  store: { value: "STORE", words: ["user", "project", "team"] },
});

const importCommand: CommandSpec = {
  arguments: [{ name: "PATH", isOptional: true }],
  options: IMPORT_OPTIONS,
  details: [
    "Without PATH it lists the memories that other tools keep here, each with its command.",
    "Each statement passes the gates. Rules in files that people write are yours when you import them; statements about",
    "you, and rules that a tool made, wait in the inbox. A second run recognises what the first one imported.",
  ],
  json: '{"memories": [{"outcome", "type", "description", ...}], "leftOut", "isApplied", ...}; without PATH {"sources"}',
  examples: ["heed import", "heed import CLAUDE.md", "heed import ~/.claude-mem/claude-mem.db --apply"],
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
          ? ["No memories of another tool lie where heed looks. heed import PATH takes any file or folder."]
          : []),
      ]);
      return;
    }
    const request = { from: resolve(cwd, path), ...args.fields<ImportRequest>(IMPORT_OPTIONS) };
    const report = await withProgress((progress) => open().exchange.importFrom(request, actor, progress));
    out.answer(report, () => linesOf(report));
  },
};

function linesOf(report: ImportReport): Text[] {
  const { memories, leftOut, isApplied, command, session } = report;
  const of = (outcome: ImportedMemory["outcome"]): ImportedMemory[] =>
    memories.filter((memory) => memory.outcome === outcome);
  const shown = (["new", "waits", "changed", "refused"] as const).flatMap((outcome) => {
    const here = of(outcome);
    const rest = here.length - MAX_SHOWN;
    return [...here.slice(0, MAX_SHOWN).map(lineOf), ...(rest > 0 ? [dim(`  and ${rest} more`)] : [])];
  });
  const reasons = new Map<string, number>();
  for (const { reason } of leftOut) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const counts = [
    `${of("new").length} ${isApplied ? "written" : "to write"}`,
    `${of("waits").length} ${isApplied ? "wait" : "would wait"} for your approval`,
    `${of("known").length + of("changed").length} known`,
    `${of("refused").length} refused`,
    `${leftOut.length} not taken`,
  ];
  return [
    [bold(report.title), `  ${report.from}`],
    ...shown,
    ...[...reasons].map(([reason, count]): Text => dim(`- ${count} × not taken: ${reason}`)),
    `${plural(memories.length, "statement")}: ${counts.join(", ")}.`,
    ...(isApplied ? [] : [`Nothing is changed yet: ${command}`]),
    ...(session === undefined ? [] : [`heed undo --session ${session} --apply takes all of it back.`]),
  ];
}

function lineOf({ outcome, type, description, place, detail }: ImportedMemory): Text {
  return [
    MARKS[outcome],
    cyan(`${type}  `),
    description,
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
    const { format = "files", ...filter } = args.fields<ExportRequest>(EXPORT_OPTIONS);
    const [path] = args.positionals;
    const report = await open().exchange.exportAs({ format, ...filter });
    const [only] = report.files;
    if (path === undefined) {
      if (format === "files")
        throw usageError("PATH is missing: give the folder that the files go into", "PATH");
      out.answer(report, () => (only?.text ?? "").replace(/\n$/, "").split("\n"));
      return;
    }
    const target = resolve(cwd, path);
    const isFolder = format === "files" || (existsSync(target) && statSync(target).isDirectory());
    if (
      format === "files" &&
      existsSync(target) &&
      (!statSync(target).isDirectory() || readdirSync(target).length > 0)
    )
      throw taken(target, "give a folder that is empty, or a new one");
    const written = report.files.map(({ path: file, text }) => {
      const at = isFolder ? join(target, file) : target;
      if (existsSync(at)) throw taken(at, "give another path");
      return { at, text };
    });
    for (const { at, text } of written) {
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, text, { mode: 0o600, flag: "wx" });
    }
    out.answer({ ...report, files: written.map(({ at }) => at) }, (): Text[] => [
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

/** The commands of this file. */
export const commands: Readonly<Record<string, CommandSpec>> = {
  import: importCommand,
  export: exportCommand,
};
