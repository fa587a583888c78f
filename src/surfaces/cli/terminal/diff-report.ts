import type { DiffFinding, DiffReport, RuleChange } from "../../../heed.ts";
import { bold, dim, green, plural, red, yellow } from "../output/text.ts";
import type { Text } from "../output/text.ts";
import { diffLines } from "./answers.ts";

/** A report on a change in one of the forms of `heed check --format`. */
export function diffLinesAs(form: string, report: DiffReport): Text[] {
  if (form === "sarif") return [JSON.stringify(sarifOf(report), null, 2)];
  if (form === "patch") return report.patch === "" ? [] : [report.patch.trimEnd()];
  if (form === "github") return [...report.rules.map(annotationOfRule), ...report.findings.map(annotationOf)];
  return form === "markdown" ? markdownLines(report) : textLines(report);
}

function textLines(report: DiffReport): Text[] {
  const { rules, findings, patch, fixed } = report;
  return [
    ...rules.flatMap(({ change, name, path, statement, stops }): Text[] => [
      [yellow(`${change} rule `), bold(name), dim(`  ${path}`)],
      `  ${statement}`,
      ...stops.map((words): Text => ["  stops: ", words]),
    ]),
    ...findings.flatMap(({ path, line, severity, message, remedy }): Text[] => [
      [(severity === "error" ? red : yellow)(severity), ` ${path}:${line ?? 1}  ${message}`],
      dim(`  ${remedy}`),
    ]),
    ...(fixed.length > 0 ? [`repaired: ${fixed.join(", ")}`] : diffLines(patch)),
    [report.errors > 0 ? red("✗ ") : green("✓ "), summaryOf(report)],
  ];
}

function summaryOf({ rules, errors, warnings }: DiffReport): string {
  return [
    rules.length > 0 ? `${plural(rules.length, "rule")} changed, ` : "",
    `${plural(errors, "error")}, ${plural(warnings, "warning")}`,
  ].join("");
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

function markdownLines(report: DiffReport): string[] {
  const { rules, findings, patch, fixed } = report;
  return [
    `### heed: ${summaryOf(report)}`,
    ...(rules.length > 0
      ? [
          "",
          "| rule | | says | stops |",
          "|---|---|---|---|",
          ...rules.map(
            ({ name, change, statement, stops }) =>
              `| ${cell(name)} | ${change} | ${cell(statement)} | ${cell(stops.join("; ")) || "nothing: it is injected, not enforced"} |`,
          ),
        ]
      : []),
    ...(findings.length > 0
      ? [
          "",
          "| | where | what | remedy |",
          "|---|---|---|---|",
          ...findings.map(
            ({ severity, path, line, message, remedy }) =>
              `| ${severity} | ${cell(path)}:${line ?? 1} | ${cell(message)} | ${cell(remedy)} |`,
          ),
        ]
      : []),
    ...(patch !== "" && fixed.length === 0
      ? [
          "",
          "<details><summary>The repair, for <code>git apply</code></summary>",
          "",
          ...fenced(patch, "diff"),
          "</details>",
        ]
      : []),
  ];
}

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
function annotation(level: string, at: { path: string; line?: number }, title: string, text: string): string {
  const escape = (value: string, more: RegExp): string =>
    value.replace(more, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
  const property = (value: string): string => escape(value, /[%\r\n:,]/g);
  const where = `file=${property(at.path)},line=${at.line ?? 1},title=${property(title)}`;
  return `::${level} ${where}::${escape(text, /[%\r\n]/g)}`;
}

function annotationOf(finding: DiffFinding): string {
  const { severity, code, message, remedy } = finding;
  return annotation(severity, finding, `heed: ${code}`, `${message}. ${remedy}`);
}

function annotationOfRule({ path, change, name, statement, stops }: RuleChange): string {
  return annotation("notice", { path }, `heed: ${change} rule ${name}`, [statement, ...stops].join("\n"));
}

/** SARIF 2.1.0, as code scanning reads it: https://docs.oasis-open.org/sarif/sarif/v2.1.0/ */
function sarifOf({ rules, findings }: DiffReport): object {
  const results = [
    ...findings.map(({ code, severity, message, remedy, path, line }) =>
      sarifResult(code, severity, `${message}. ${remedy}`, path, line),
    ),
    ...rules.map(({ change, name, statement, stops, path }) =>
      sarifResult(
        `${change}-rule`,
        "note",
        [`${change} rule ${name}: ${statement}`, ...stops].join("\n"),
        path,
        1,
      ),
    ),
  ];
  const codes = [...new Set(results.map(({ ruleId }) => ruleId))];
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "heed",
            informationUri: "https://github.com/heed-memory/heed",
            rules: codes.map((id) => ({ id, shortDescription: { text: id.replaceAll("-", " ") } })),
          },
        },
        results,
      },
    ],
  };
}

function sarifResult(ruleId: string, level: string, text: string, uri: string, startLine = 1) {
  const path = uri.split("/").map(encodeURIComponent).join("/");
  return {
    ruleId,
    level,
    message: { text },
    locations: [{ physicalLocation: { artifactLocation: { uri: path }, region: { startLine } } }],
  };
}
