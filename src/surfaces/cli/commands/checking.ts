import { isAbsolute, relative, resolve } from "node:path";
import type { Attestation, CheckReport, HealthSection, RepairResult, TidyReport } from "../../../heed.ts";
import { remedyLine } from "../../remedy-line.ts";
import type { CommandSpec, Invocation } from "../arguments/command.ts";
import { EXIT, usageError, fieldsOf, optionsFor } from "../arguments/command.ts";
import { given } from "../../given.ts";
import { undoHint, verdictLines, answerRefused, diffLines, problemLine } from "../terminal/answers.ts";
import { type Text, plural, bold, cyan, dim, doneLine, green, red, yellow } from "../output/output.ts";
import { askYesNo, canAsk } from "../terminal/read-given.ts";

/** Shown as lines of the files themselves. */
const IN_FILES: ReadonlySet<string> = new Set(["errors", "warnings"]);

const ATTESTATION_OPTIONS = optionsFor(fieldsOf("maintenance.verify", "attestation"), {
  claim: { sets: "claims", value: "CLAIM", hasCommas: true, goesWith: ["--confirm"] },
  note: { short: "n", goesWith: ["--confirm"] },
});
/** What a report on a change takes. */
const OF_CHANGE = ["--fix", "--format"];

const check: CommandSpec = {
  arguments: [{ name: "files|health|NAME", isOptional: true, neededBy: ["--confirm"] }],
  options: {
    confirm: {
      onlyWith: ["files|health|NAME", "--claim", "--note"],
      help: "record that the memory NAME still holds",
    },
    ...ATTESTATION_OPTIONS,
    fix: { help: "update NAME where the code moved or changed; without NAME remove duplicates" },
    yes: { short: "y", goesWith: ["--fix"], help: "make the changes without asking" },
    values: { goesWith: ["--fix"], help: "and --yes: change values too (the code may be wrong instead)" },
    base: {
      sets: "base",
      value: "REF",
      onlyWith: OF_CHANGE,
      help: "check the commits since REF against the memories of this repository",
    },
    staged: {
      onlyWith: OF_CHANGE,
      help: "check what is staged against them; --fix repairs the work tree",
    },
    format: {
      value: "WORD",
      words: ["text", "markdown", "github", "sarif", "patch"],
      goesWith: ["--base", "--staged"],
      help: "for a terminal, a pull request, annotations of GitHub, SARIF 2.1, or git apply",
    },
  },
  details: [
    "files: problems in memory files, with line and remedy. health: memories that are stale or expired, or on other",
    "branches, rules that do not fit; each with the command that fixes it. Default: both.",
    "Exit code 1: a file has errors, or a memory says something that is no longer true.",
    "",
    "--confirm NAME checks the claims of a memory, and those that --claim adds, against the repository. It is refused when one",
    "is false or cannot be checked here. For a memory without claims, --note says how you checked it.",
    "",
    "--fix NAME shows what git knows about each claim that no longer holds (a renamed file, a moved symbol, another value)",
    "and the change that follows, and asks. --fix alone merges exact duplicates and moves expired episodes to the history.",
    "",
    "--base and --staged report on a change: the rules and guards that it brings, the memories that it makes false, with the",
    "repair, and errors in memory files. Exit code 1: something is false or wrong; 2: REF is not here. CI: docs/teams.md.",
  ],
  examples: [
    "heed check --confirm deploy-freeze",
    'heed check --confirm wiki-page --note "opened the page, it is there"',
    "heed check --fix route-table",
    "heed check --base origin/main",
    "heed check --staged --fix",
  ],
  json: '{"stores": [{"store", "files", "memories", "problems": [...]}], "errors", "warnings", "health"}; health {"total", "byType", ..., "sections": [{"kind", "findings"}]}; --confirm {"outcome": "verified", "attested", "change", "verdict"} or "refused" with "refusals"; --fix NAME {"outcome": "proposed"|"repaired"|"nothing", "steps", "open", "diff", "hash", "verdict"}; --fix {"steps": [{"action", "name", "other", "reason"}], "isApplied", "changes"}; --base {"base", "head", "rules", "findings", "patch", "fixed", "errors", "warnings"}',
  async run(invocation) {
    const { args } = invocation;
    if (args.has("base") || args.has("staged")) return checkChange(invocation);
    if (args.has("fix")) return args.first === "" ? tidy(invocation) : repair(invocation);
    if (args.has("confirm")) return confirm(invocation);
    if (["", "files", "health"].includes(args.first)) return report(invocation);
    throw usageError(
      "give files, health or nothing. For one memory: heed check --confirm NAME, or --fix NAME",
      "NAME",
      args.first,
    );
  },
};

async function checkChange({ args, out, open, actor }: Invocation): Promise<number> {
  const report = await open().maintenance.checkDiff(
    { ...args.fields<{ base: string }>(), isStaged: args.has("staged"), isFixed: args.has("fix") },
    actor,
  );
  const { diffLinesAs } = await import("../terminal/diff-report.ts");
  out.answer(report, () => diffLinesAs(args.text("format") ?? "text", report));
  return report.errors > 0 ? EXIT.refused : EXIT.done;
}

async function report({ args, out, open, cwd }: Invocation): Promise<number> {
  const { maintenance } = open();
  if (args.first === "health") {
    const health = await maintenance.health();
    out.answer(health, () => {
      const lines = sectionLines(health.sections);
      return lines.length > 0
        ? lines.slice(1)
        : [doneLine(`nothing to fix in ${plural(health.total, "memory", "memories")}`)];
    });
    return health.errors > 0 ? EXIT.refused : EXIT.done;
  }
  const { health, ...files } = await maintenance.check({ withHealth: args.first !== "files" });
  const { errors, warnings, sections } = health ?? { ...files, sections: [] };
  const broken = sections.flatMap(({ kind, findings }) => (kind === "broken" ? findings : []));
  const found = sectionLines(sections.filter(({ kind }) => !IN_FILES.has(kind)));
  out.answer({ ...files, errors, warnings, ...given({ health }) }, () => [
    ...files.problems.map((problem) => problemLine(problem, problem.file)),
    ...files.stores.flatMap(({ store, problems }) =>
      problems
        .filter(({ message }) => !broken.some(({ words }) => words.includes(message)))
        .map((problem) => problemLine(problem, pathFrom(cwd, resolve(store.root, problem.file)))),
    ),
    ...found,
    ...(found.length > 0 ? [""] : []),
    summaryLine({ ...files, errors, warnings }),
  ]);
  return errors > 0 ? EXIT.refused : EXIT.done;
}

async function confirm({ args, out, actor, open }: Invocation): Promise<number> {
  const result = await open().maintenance.verify(args.first, args.fields<Attestation>(), actor);
  if (result.outcome === "refused") return answerRefused(out, result);
  out.answer(result, () => [
    doneLine(result.announcement, undoHint(result.change)),
    ...verdictLines(result.verdict),
  ]);
  return EXIT.done;
}

/** The path as a person in `cwd` would type it, so that a terminal can open it. */
function pathFrom(cwd: string, path: string): string {
  const near = relative(cwd, path);
  return near.startsWith("..") || isAbsolute(near) ? path : near;
}

function summaryLine({ stores, errors, warnings }: CheckReport): Text {
  const memories = stores.reduce((sum, store) => sum + store.memories, 0);
  return [
    errors > 0 ? red("✗ ") : green("✓ "),
    `${plural(memories, "memory", "memories")} in ${plural(stores.length, "store")}: `,
    `${plural(errors, "error")}, ${plural(warnings, "warning")}`,
  ];
}

function sectionLines(sections: readonly HealthSection[]): Text[] {
  return sections.flatMap(({ title, findings, count }): Text[] => {
    if (count === 0) return [];
    const shown = count > findings.length ? ` (${findings.length} of ${count})` : "";
    return [
      "",
      bold(title + shown),
      ...findings.flatMap(({ subject, words, remedies }): Text[] => [
        ["  ", cyan(subject), `  ${words}`],
        ...(remedies.length === 0 ? [] : [dim(`    ${remedies.map(remedyLine).join("   or   ")}`)]),
      ]),
    ];
  });
}

async function repair({ args, out, actor, open }: Invocation): Promise<number> {
  const { maintenance } = open();
  const request = { isApplied: args.has("yes"), takesValues: args.has("values") };
  let result = await maintenance.repair(args.first, request, actor);
  if (result.outcome === "proposed" && canAsk(out)) {
    out.note(...proposalLines(result));
    if (!(await askYesNo("Make this change?"))) {
      out.note("Nothing is changed.");
      return EXIT.done;
    }
    result = await maintenance.repair(args.first, { isApplied: true, ifHash: result.hash }, actor);
  }
  out.answer(result, () => REPAIR_LINES[result.outcome](result));
  return result.outcome === "nothing" && result.open.length > 0 ? EXIT.refused : EXIT.done;
}

const REPAIR_LINES = { proposed: unmadeLines, repaired: repairedLines, nothing: nothingLines };

function unmadeLines(proposed: RepairResult): Text[] {
  const isValue = proposed.steps.some(({ was, becomes }) => was.split("=")[0] === becomes.split("=")[0]);
  const next = `heed check --fix ${proposed.name} --yes${isValue ? " --values" : ""}`;
  return [...proposalLines(proposed), `Nothing is changed yet: ${next}`];
}

function proposalLines({ steps, open, diff }: RepairResult): Text[] {
  return [
    ...steps.map(({ was, becomes, words, since }): Text => {
      const when = since ? ` (${since.commit.slice(0, 8)}, ${since.date})` : "";
      return [red(was), " → ", green(becomes), dim(`  ${words}${when}`)];
    }),
    ...open.map((claim): Text => [yellow("heed cannot find where this moved: "), claim]),
    ...diffLines(diff),
  ];
}

function repairedLines(result: RepairResult): Text[] {
  const { name, change, verdict } = result;
  const next = `${verdict.doubts[0]} If so: heed check --confirm ${name}; if not: heed edit ${name} --statement "…"`;
  return [
    ...proposalLines(result),
    doneLine(`repaired ${name}`, undoHint(change)),
    ...(verdict.doubts.length > 0 ? [next] : []),
  ];
}

function nothingLines({ open, verdict, name }: RepairResult): Text[] {
  const lines = verdictLines(verdict);
  if (open.length === 0) return [`Nothing in ${name} is broken.`, ...lines];
  const isValue = verdict.claims.broken.every(({ became, isViolated }) => became && !isViolated);
  const why = isValue
    ? `Only a value changed. To accept it, run heed check --fix ${name} without --yes, or add --values.`
    : `heed cannot find where this moved. Correct it: heed edit ${name}`;
  return [why, ...lines];
}

async function tidy({ args, out, open }: Invocation): Promise<number> {
  const { maintenance } = open();
  let report = await maintenance.tidy({ isApplied: args.has("yes") });
  if (!report.isApplied && report.steps.length > 0 && canAsk(out)) {
    out.note(...report.steps.map(stepLine));
    if (await askYesNo("Make these changes?")) report = await maintenance.tidy({ isApplied: true });
  }
  out.answer(report, () => {
    if (report.steps.length === 0) return out.nothing("No duplicates, and no expired episodes.");
    const count = plural(report.steps.length, "step");
    return [
      ...report.steps.map(stepLine),
      ...report.problems.map((problem): Text => [yellow("! "), problem]),
      report.isApplied ? `${count} done.` : `${count} to do. Nothing is changed yet: heed check --fix --yes`,
    ];
  });
  return EXIT.done;
}

function stepLine({ action, name, other, reason }: TidyReport["steps"][number]): Text {
  return [
    cyan(action === "merge-duplicate" ? "merge  " : "drop  "),
    bold(name),
    other === undefined ? "" : ` -> ${other}`,
    dim(`  ${reason}`),
  ];
}

export const commands: Readonly<Record<string, CommandSpec>> = { check };
