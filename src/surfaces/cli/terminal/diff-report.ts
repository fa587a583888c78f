import type { DiffReport } from "../../../heed.ts";
import { type Text, bold, dim, green, oneLine, plural, red, yellow } from "../output/output.ts";
import { diffLines } from "./answers.ts";

/** A line of the report: a rule that changes, or a finding. */
interface Entry {
  level: "error" | "warning" | "note";
  code: string;
  file: string;
  line: number;
  /** In one line, and what follows from it. */
  message: string;
  more: string[];
}

/** Rules first: they change what an agent does. */
function entriesOf({ rules, findings }: DiffReport): Entry[] {
  return [
    ...rules.map(({ file, change, name, statement, guards, stopsNoMore }): Entry => ({
      level: "note",
      code: `${change}-rule`,
      file,
      line: 1,
      message: `${change} rule ${name}: ${statement}`,
      more: [
        ...(stopsNoMore.length === 0 ? [] : [`stops no more: ${stopsNoMore.join("; ")}`]),
        ...(guards.length === 0 ? [] : [`stops: ${guards.join("; ")}`]),
        ...(guards.length > 0 || change === "removed" ? [] : ["no guard: agents only read it"]),
      ],
    })),
    ...findings.map((said): Entry => ({ line: 1, ...said, level: said.severity, more: [said.remedy] })),
  ];
}

/** A report on a change in one of the forms of `heed check --format`. */
export function diffLinesAs(form: string, report: DiffReport): Text[] {
  const entries = entriesOf(report);
  if (form === "sarif") return [JSON.stringify(sarifOf(entries), null, 2)];
  if (form === "patch") return report.patch === "" ? [] : [report.patch.trimEnd()];
  if (form === "github") return entries.map(annotationOf);
  return form === "markdown" ? markdownLines(report, entries) : textLines(report, entries);
}

function textLines({ patch, fixed, ...report }: DiffReport, entries: readonly Entry[]): Text[] {
  const colours = { error: red, warning: yellow, note: bold };
  return [
    ...entries.flatMap(({ level, file, line, message, more }): Text[] => [
      [colours[level](level), ` ${oneLine(file)}:${line}  ${oneLine(message)}`],
      ...more.map((words) => dim(`  ${words}`)),
    ]),
    ...(fixed.length > 0
      ? [`repaired in the work tree, commit it too: ${fixed.join(", ")}`]
      : diffLines(patch)),
    [report.errors > 0 ? red("✗ ") : green("✓ "), summaryOf(report)],
  ];
}

function summaryOf({ rules, errors, warnings }: Pick<DiffReport, "rules" | "errors" | "warnings">): string {
  const changed = rules.length > 0 ? `${plural(rules.length, "rule")} changed, ` : "";
  return `${changed}${plural(errors, "error")}, ${plural(warnings, "warning")}`;
}

/** Text of others in a table of Markdown: neither cells nor markup of its own. */
function cell(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\`*_{}[\]<>|@#]/g, "\\$&");
}

/** The longest fence in a text is closed by none that is longer. */
function fenced(text: string, language: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([marks]) => marks.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, text.trimEnd(), fence];
}

function markdownLines(report: DiffReport, entries: readonly Entry[]): string[] {
  const { patch, fixed } = report;
  const table = entries.map(
    ({ level, file, line, message, more }) =>
      `| ${level} | ${cell(file)}:${line} | ${cell(message)} | ${cell(more.join("; "))} |`,
  );
  const summary = "<details><summary>The repair, for <code>git apply</code></summary>";
  return [
    `### heed: ${summaryOf(report)}`,
    ...(table.length > 0 ? ["", "| | where | what | then |", "|---|---|---|---|", ...table] : []),
    ...(patch !== "" && fixed.length === 0 ? ["", summary, "", ...fenced(patch, "diff"), "</details>"] : []),
  ];
}

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
function annotationOf({ level, code, file, line, message, more }: Entry): string {
  const escape = (value: string, chars: RegExp): string =>
    value.replace(chars, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
  const property = (value: string): string => escape(value, /[%\r\n:,]/g);
  const where = `file=${property(file)},line=${line},title=${property(`heed: ${code}`)}`;
  const text = escape([message, ...more].join("\n"), /[%\r\n]/g);
  return `::${level === "note" ? "notice" : level} ${where}::${text}`;
}

/** SARIF 2.1.0, as code scanning reads it: https://docs.oasis-open.org/sarif/sarif/v2.1.0/ */
function sarifOf(entries: readonly Entry[]): object {
  const rules = [...new Set(entries.map(({ code }) => code))].map((id) => ({
    id,
    shortDescription: { text: id.replaceAll("-", " ") },
  }));
  const driver = { name: "heed", informationUri: "https://github.com/heed-memory/heed", rules };
  const results = entries.map(({ code, level, file, line, message, more }) => ({
    ruleId: code,
    level,
    message: { text: [message, ...more].join("\n") },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file.split("/").map(encodeURIComponent).join("/") },
          region: { startLine: line },
        },
      },
    ],
  }));
  const $schema = "https://json.schemastore.org/sarif-2.1.0.json";
  return { $schema, version: "2.1.0", runs: [{ tool: { driver }, results }] };
}
