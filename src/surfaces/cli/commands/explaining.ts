import type { Decision, Explanation, SavedTest, TestReport, TestResult } from "../../../heed.ts";
import { type CommandSpec, type Invocation, EXIT, usageError } from "../arguments/command.ts";
import {
  type Text,
  minuteOf,
  plural,
  bold,
  cyan,
  dim,
  green,
  oneLine,
  red,
  styled,
  yellow,
  factLines,
  flexible,
  right,
} from "../output/text.ts";
import type { Output } from "../output/output.ts";

/** Lists at most this many memories that were not injected; `--all` and `--json` list the rest. */
const MAX_UNTOLD = 10;

const why: CommandSpec = {
  arguments: [{ name: "PROMPT", isRest: true, isOptional: true }],
  options: {
    receipt: { value: "ID", help: "explain a past injection" },
    all: { short: "a", help: `list every memory that was not injected, not only the best ${MAX_UNTOLD}` },
    save: { help: "record it as a case of tests/recorded.yaml, for heed test" },
    context: { help: "also print the text that enters the context" },
    limit: { value: "N", short: "n", help: "without PROMPT: at most this many (1 to 1000, default 20)" },
  },
  details: [
    "With PROMPT a dry run: it leaves no trace. Form says how a memory is injected: rule, body, passages, pointer or",
    "none. Without PROMPT: recent injections, newest first, each with the receipt that --receipt explains.",
  ],
  examples: ['heed why "where do I see request latency?"', "heed why", "heed why --receipt 01J… --context"],
  json: '{"receipt": {"decisions": [...], ...}, "context", "isDryRun"}; without PROMPT {"receipts": [...]}',
  async run(invocation) {
    const { args, out, open } = invocation;
    const prompt = args.positionals.join(" ");
    const receipt = args.text("receipt");
    if (prompt === "" && receipt === undefined) return listReceipts(invocation);
    if (prompt !== "" && receipt !== undefined)
      throw usageError("give a prompt or --receipt ID, not both", "receipt");
    const about = receipt === undefined ? { prompt } : { receipt };
    const explanation = await open().session.why(about);
    const saved = args.has("save") ? await open().maintenance.saveTest(about) : undefined;
    out.answer(saved === undefined ? explanation : { ...explanation, saved }, () => [
      ...explain(explanation, out, { isAll: args.has("all"), isWithContext: args.has("context") }),
      ...factLines(12, [["question", explanation.question, "yellow"]]),
      ...(saved === undefined ? [] : ["", ...savedLines(saved)]),
    ]);
  },
};

async function listReceipts({ args, out, open }: Invocation): Promise<void> {
  const lost = ["all", "save", "context"].find((flag) => args.has(flag));
  if (lost !== undefined)
    throw usageError(
      `--${lost} needs a prompt. For example: heed why "how do I deploy?" --${lost}`,
      "PROMPT",
    );
  const receipts = await open().session.receipts({ limit: args.count("limit", { min: 1, max: 1000 }) });
  out.answer({ receipts }, () => {
    if (receipts.length === 0) return out.isTerminal ? ["Nothing was injected yet."] : [];
    return out.rows(
      ["receipt", "time (UTC)", "event", right("injected"), right("chars"), flexible("about")],
      receipts.map(({ id, time, kind, decisions, chars, about }) => [
        id,
        minuteOf(time),
        kind,
        String(decisions.filter(({ form }) => form !== "none").length),
        String(chars),
        about,
      ]),
    );
  });
}

function explain(
  { receipt, context, isDryRun }: Explanation,
  out: Output,
  { isAll, isWithContext }: { isAll: boolean; isWithContext: boolean },
): Text[] {
  const injected = receipt.decisions.filter(({ form }) => form !== "none");
  const untold = receipt.decisions.filter(({ form }) => form === "none");
  const shown = isAll ? untold : untold.slice(0, MAX_UNTOLD);
  const heading: Text = isDryRun
    ? [bold("dry run"), dim(" (nothing was injected, no trace is left)")]
    : [bold(`receipt ${receipt.id}`), dim(`  ${minuteOf(receipt.time)}, session ${receipt.session}`)];
  const verb = isDryRun ? "would enter" : "entered";
  return [
    heading,
    [dim(`${receipt.kind}: `), oneLine(receipt.about)],
    injected.length === 0
      ? `nothing ${verb} the context`
      : `${plural(injected.length, "memory", "memories")} ${verb} the context, ${receipt.chars} characters`,
    ...(receipt.isCut ? [yellow("the deadline cut the work: memories may be missing")] : []),
    "",
    ...(receipt.decisions.length === 0
      ? ["no memory came into question"]
      : decisionTable([...injected, ...shown], out)),
    ...(shown.length < untold.length
      ? [dim(`and ${untold.length - shown.length} more that were not told (--all lists them)`)]
      : []),
    ...termLines([...injected, ...shown]),
    ...(isWithContext && context !== "" ? ["", dim("── context ──"), context] : []),
  ];
}

function savedLines({ path, case: saved, notes }: SavedTest): Text[] {
  const parts = [
    ...(saved.whole.length > 0 ? [`whole: ${saved.whole.join(", ")}`] : []),
    ...(saved.injected.length > 0 ? [`told: ${saved.injected.join(", ")}`] : []),
    ...(saved.isNothing ? ["nothing: true"] : []),
  ];
  return [
    [green("saved "), `${path}  (${parts.join("; ")})`],
    ...notes.map((note): Text => [yellow("note: "), note]),
  ];
}

function decisionTable(decisions: readonly Decision[], out: Output): Text[] {
  const isScored = decisions.some(({ score }) => score !== undefined);
  return out.report(
    [
      "form",
      right("chars"),
      flexible("memory"),
      "type",
      ...(isScored ? [right("score"), right("p")] : []),
      flexible("why"),
    ],
    decisions.map(({ form, chars, name, type, score, probability, reason }) => [
      form === "none" ? dim(form) : green(form),
      String(chars),
      name,
      type,
      ...(isScored ? [score?.toFixed(2) ?? "", probability?.toFixed(2) ?? ""] : []),
      reason,
    ]),
  );
}

function termLines(decisions: readonly Decision[]): Text[] {
  const explained = decisions.filter(({ terms }) => terms && Object.keys(terms).length > 0);
  if (explained.length === 0) return [];
  return [
    "",
    bold("terms of score and relevance"),
    ...explained.map(({ name, terms = {} }): Text => [
      "  ",
      cyan(name),
      `  ${Object.entries(terms)
        .filter(([, value]) => value !== 0)
        .map(([term, value]) => `${term} ${Number(value.toFixed(3))}`)
        .join(", ")}`,
    ]),
  ];
}

const test: CommandSpec = {
  arguments: [{ name: "FILTER", isOptional: true }],
  options: { verbose: { short: "v", help: "also show what was injected for each case that passed" } },
  details: [
    "Cases are lists in tests/*.yaml of a store: a prompt, what must be injected (told, whole), what must not (not,",
    "nothing: true), and the most characters (max_chars). heed why --save records one. FILTER: only cases whose file,",
    "name or prompt contains it. Exits with 1 when a case fails or cannot be read, and when FILTER matches none.",
  ],
  examples: ["heed test", "heed test deploy"],
  json: '{"results": [{"file", "line", "name", "hasPassed", "failures", "injected", ...}], "passed", "failed", ...}',
  async run({ args, out, open }) {
    const filter = args.first;
    const report = await open().maintenance.test({ filter });
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
    if (place !== file) lines.push(...(file === "" ? [] : [""]), bold(place));
    file = place;
    lines.push(...caseLines(result, isVerbose));
  }
  for (const { store, problem } of problems)
    lines.push([
      red("  ! "),
      `${store.kind} ${problem.file}${problem.line === undefined ? "" : `:${problem.line}`} ${problem.message} → `,
      green(problem.remedy),
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
      dim(` (${plural(results.length, "case", "cases")}, ${(elapsedMs / 1000).toFixed(2)} s)`),
    ],
  ];
}

function caseLines(
  { name, line, hasPassed, failures, injected, chars }: TestResult,
  isVerbose: boolean,
): Text[] {
  const got =
    injected.length === 0 ? "nothing" : injected.map((item) => `${item.name} (${item.form})`).join(", ");
  const gotLine: Text = ["      ", dim(`got ${got}, ${chars} characters`)];
  if (hasPassed) return [["  ", green("✓ "), oneLine(name)], ...(isVerbose ? [gotLine] : [])];
  return [
    ["  ", red("✗ "), oneLine(name), dim(`  line ${line}`)],
    ...failures.map((failure): Text => ["      ", red(failure)]),
    gotLine,
  ];
}

/** The commands of this file. */
export const commands: Readonly<Record<string, CommandSpec>> = { why, test };
