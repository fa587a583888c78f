import { resolve } from "node:path";
import type { ImportedMemory, ImportReport } from "../../../heed.ts";
import type { Command } from "../arguments/command.ts";
import { plural } from "../output/counted.ts";
import { progressLine } from "../output/progress-line.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";

/** So many of each kind are shown; `--json` has all. */
const MAX_SHOWN = 40;

const MARKS = {
  new: styled("green", "+ "),
  waits: styled("yellow", "? "),
  known: styled("dim", "= "),
  changed: styled("yellow", "~ "),
  refused: styled("red", "✗ "),
} as const;

/** `heed import` */
export const command: Command = {
  name: "import",
  summary: "take over memories of another tool; says first what it would take",
  arguments: [{ name: "PATH", isOptional: true, completes: "file" }],
  options: {
    apply: { help: "write them; default: only tell" },
    format: { value: "NAME", help: "which tool wrote it; default: recognised" },
    project: {
      value: "NAME",
      help: "what the other tool calls this repository, where its records name projects",
    },
    everywhere: { help: "it holds in every repository, whatever project it names" },
    type: {
      value: "TYPE",
      completes: "type",
      help: "all of it is of this type; default: by the form of each statement",
    },
  },
  details: [
    "Without PATH it lists the memories that other tools keep here, each with its command.",
    "Each statement passes the gates. Rules in files that people write are yours when you import them; what speaks of you,",
    "and rules that a tool made, wait in the inbox. A second run finds again what the first one brought.",
  ],
  examples: ["heed import", "heed import CLAUDE.md", "heed import ~/.claude-mem/claude-mem.db --apply"],
  async run({ args, out, open, cwd, actor }) {
    const [path] = args.positionals;
    if (path === undefined) {
      const sources = await open().exchange.sources();
      out.answer({ sources }, () => [
        ...sources.map(({ title, path: at, command: next, isAttached }): Text => [
          styled("bold", title),
          `  ${at}`,
          isAttached ? styled("dim", "  attached") : styled("cyan", `\n  ${next}`),
        ]),
        ...(sources.length === 0
          ? ["No memories of another tool lie where heed looks. heed import PATH takes any file or folder."]
          : []),
      ]);
      return;
    }
    const text = (name: string): string | undefined => args.text(name);
    const progress = progressLine(process.stderr);
    let report: ImportReport;
    try {
      report = await open().exchange.importFrom(
        {
          from: resolve(cwd, path),
          isApplied: args.has("apply"),
          isEverywhere: args.has("everywhere"),
          ...(text("format") !== undefined && { format: text("format")! }),
          ...(text("project") !== undefined && { project: text("project")! }),
          ...(text("type") !== undefined && { type: text("type")! }),
        },
        actor,
        progress.report,
      );
    } finally {
      progress.finish();
    }
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
    return [
      ...here.slice(0, MAX_SHOWN).map(lineOf),
      ...(rest > 0 ? [styled("dim", `  and ${rest} more`)] : []),
    ];
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
    [styled("bold", report.title), `  ${report.from}`],
    ...shown,
    ...[...reasons].map(([reason, count]): Text => styled("dim", `- ${count} × not taken: ${reason}`)),
    `${plural(memories.length, "statement", "statements")}: ${counts.join(", ")}.`,
    ...(isApplied ? [] : [`Nothing is changed yet: ${command}`]),
    ...(session === undefined ? [] : [`heed undo --session ${session} --apply takes all of it back.`]),
  ];
}

function lineOf({ outcome, type, description, place, detail }: ImportedMemory): Text {
  return [
    MARKS[outcome],
    styled("cyan", `${type}  `),
    description,
    styled("dim", `  ${place}`),
    ...(detail === undefined || outcome === "new" ? [] : [styled("dim", ` (${detail})`)]),
  ];
}
