import type { TestReport, TestResult } from "../../../heed.ts";
import type { Command } from "../arguments/command.ts";
import { plural } from "../output/counted.ts";
import { EXIT } from "../arguments/exit-code.ts";
import type { Text } from "../output/styled-text.ts";
import { oneLine, styled } from "../output/styled-text.ts";

/** `heed test` */
export const command: Command = {
  name: "test",
  summary: "run the test cases of your memory",
  arguments: [{ name: "FILTER", isOptional: true }],
  options: { verbose: { short: "v", help: "also show what each case that passed was told" } },
  details: [
    "Cases are lists in tests/*.yaml of a store: a prompt, and what must be told (told, whole), what must not",
    "(not, nothing: true), and how much at most (max_chars). heed why --save records one.",
    "FILTER: only cases whose file, name or prompt contains it. Exits with 1 when a case fails or",
    "cannot be read, and when FILTER matches none.",
  ],
  examples: ["heed test", "heed test deploy"],
  async run({ args, out, open }) {
    const filter = args.positionals[0] ?? "";
    const report = await open().upkeep.test({ filter });
    out.answer(report, () => reportLines(report, args.has("verbose"), filter));
    // A filter that matches nothing is a typing error more often than not: CI must not pass on it.
    const isMissed = filter !== "" && report.results.length === 0;
    return report.failed > 0 || report.problems.length > 0 || isMissed ? EXIT.refused : EXIT.done;
  },
};

function reportLines(report: TestReport, isVerbose: boolean, filter: string): Text[] {
  const { results, problems, passed, failed, elapsedMs } = report;
  if (results.length === 0 && problems.length === 0)
    return filter !== ""
      ? [`no test case matches ${JSON.stringify(oneLine(filter))}: heed test runs all of them`]
      : ['no test cases: heed why --save "a prompt" records one in tests/recorded.yaml of a store'];
  const lines: Text[] = [];
  let file = "";
  for (const result of results) {
    const place = `${result.store.kind} ${result.file}`;
    if (place !== file) lines.push(...(file === "" ? [] : [""]), styled("bold", place));
    file = place;
    lines.push(...caseLines(result, isVerbose));
  }
  for (const { store, problem } of problems)
    lines.push([
      styled("red", "  ! "),
      `${store.kind} ${problem.file}${problem.line === undefined ? "" : `:${problem.line}`} ${problem.message} → `,
      styled("green", problem.remedy),
    ]);
  const isGreen = failed === 0 && problems.length === 0;
  return [
    ...lines,
    "",
    [
      styled(isGreen ? "green" : "red", isGreen ? "✓ " : "✗ "),
      ...(failed > 0 ? [`${failed} failed, `] : []),
      `${passed} passed`,
      ...(problems.length > 0 ? [`, ${plural(problems.length, "problem", "problems")}`] : []),
      styled("dim", ` (${plural(results.length, "case", "cases")}, ${(elapsedMs / 1000).toFixed(2)} s)`),
    ],
  ];
}

function caseLines({ name, line, hasPassed, failures, told, chars }: TestResult, isVerbose: boolean): Text[] {
  const got = told.length === 0 ? "nothing" : told.map((item) => `${item.name} (${item.form})`).join(", ");
  const gotLine: Text = ["      ", styled("dim", `got ${got}, ${chars} characters`)];
  if (hasPassed) return [["  ", styled("green", "✓ "), oneLine(name)], ...(isVerbose ? [gotLine] : [])];
  return [
    ["  ", styled("red", "✗ "), oneLine(name), styled("dim", `  line ${line}`)],
    ...failures.map((failure): Text => ["      ", styled("red", failure)]),
    gotLine,
  ];
}
