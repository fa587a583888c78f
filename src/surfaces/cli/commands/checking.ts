import { isAbsolute, join, relative } from "node:path";
import type { Attestation, CheckReport, HealthReport, HealthSection, RepairResult } from "../../../heed.ts";
import { remedyLine } from "../../remedy-line.ts";
import type { CommandSpec, Invocation } from "../arguments/command.ts";
import { EXIT, usageError, fieldsOf, optionsFor } from "../arguments/command.ts";
import { given } from "../../given.ts";
import { undoHint, verdictLines, answerRefused, diffLines, problemLine } from "../terminal/answers.ts";
import { plural, bold, cyan, dim, doneLine, green, red, yellow, factLines } from "../output/text.ts";
import type { Text } from "../output/text.ts";
import { askYesNo } from "../terminal/read-given.ts";

const MAX_TAGS = 12;
/** Shown as lines of the files themselves. */
const IN_FILES: ReadonlySet<string> = new Set(["errors", "warnings"]);

const check: CommandSpec = {
  arguments: [{ name: "WHAT", isOptional: true, words: ["files", "health"] }],
  options: {
    base: { value: "REF", help: "what the commits since REF make of the memories in this repository" },
    staged: { help: "the same for what is staged" },
    fix: { goesWith: ["--base", "--staged"], help: "make the repairs in the work tree" },
    format: {
      value: "WORD",
      words: ["text", "markdown", "github", "sarif", "patch"],
      goesWith: ["--base", "--staged"],
      help: "how to answer: for a terminal, a pull request, annotations of GitHub, SARIF 2.1, or git apply",
    },
  },
  details: [
    "files: every problem in a file of a memory, with line and remedy. health: memories that are stale, unverified or",
    "expired; claims that cannot be checked; what is injected and never used; descriptions that",
    "are too long; rules that do not fit. Each with the command that fixes it. Default: both.",
    "Exits with 1 when a file has errors or cannot be read, or what a memory says does not hold; with 0 otherwise.",
    "",
    "With --base or --staged: rules and guards that the change brings; what memories say that it makes false, with the repair;",
    "and what is wrong with the memory files that it touches. Exits with 1 when something is false or wrong, with 0 when there",
    "is nothing or a warning, with 2 when REF is not here. docs/teams.md has the set-up for CI.",
  ],
  examples: ["heed check --base origin/main", "heed check --staged --fix"],
  json: '{"stores": [{"store", "files", "memories", "problems": [...]}], "errors", "warnings", "health"}; health: {"total", "byType", ..., "sections": [{"kind", "findings", "withheld"}], "telemetry"}; --base {"base", "head", "rules", "findings", "patch", "fixed", "errors", "warnings"}',
  async run({ args, out, open, cwd, actor }) {
    const { maintenance } = open();
    if (args.has("base") || args.has("staged")) {
      if (args.has("base") && args.has("staged"))
        throw usageError("--base and --staged exclude each other.", "staged");
      const report = await maintenance.checkDiff(
        { ...args.given("base"), isStaged: args.has("staged"), isFixed: args.has("fix") },
        actor,
      );
      const { diffLinesAs } = await import("../terminal/diff-report.ts");
      out.answer(report, () => diffLinesAs(args.text("format") ?? "text", report));
      return report.errors > 0 ? EXIT.refused : EXIT.done;
    }
    const health = args.first === "files" ? undefined : await maintenance.health();
    if (args.first === "health" && health) {
      out.answer(health, () => [...countLines(health), ...sectionLines(health.sections)]);
      return health.errors > 0 ? EXIT.refused : EXIT.done;
    }
    const files = await maintenance.check();
    const { errors, warnings, sections } = health ?? { ...files, sections: [] };
    const broken = sections.flatMap(({ kind, findings }) => (kind === "broken" ? findings : []));
    const others = sections.filter(({ kind, withheld }) => !IN_FILES.has(kind) && withheld === undefined);
    const found = sectionLines(others);
    out.answer({ ...files, errors, warnings, ...given({ health }) }, () => [
      ...files.stores.flatMap(({ store, problems }) =>
        problems
          .filter(({ message }) => !broken.some(({ words }) => words.includes(message)))
          .map((problem) => problemLine(problem, pathFrom(cwd, join(store.root, problem.file)))),
      ),
      ...found,
      ...(found.length > 0 ? [""] : []),
      summaryLine({ ...files, errors, warnings }),
    ]);
    return errors > 0 ? EXIT.refused : EXIT.done;
  },
};

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

function countLines({ total, byType, byScope, byTag, byStanding, telemetry }: HealthReport): Text[] {
  const list = (counts: Record<string, number>): string =>
    Object.entries(counts)
      .slice(0, MAX_TAGS)
      .map(([word, count]) => `${word} ${count}`)
      .join(", ");
  const { since, receipts, uses } = telemetry;
  return factLines(10, [
    ["memories", String(total)],
    ["standing", list(byStanding)],
    ["types", list(byType)],
    ["scopes", list(byScope)],
    ["tags", list(byTag)],
    [
      "use",
      since === undefined
        ? "nothing was injected yet"
        : `${plural(receipts, "receipt")} since ${since.slice(0, 10)}, ${plural(uses, "report or citation", "reports and citations")}`,
    ],
  ]);
}

function sectionLines(sections: readonly HealthSection[]): Text[] {
  const unknown = sections.filter(({ withheld }) => withheld !== undefined);
  const known = sections.filter(({ withheld }) => withheld === undefined);
  const lines = known.flatMap(({ title, findings, failed }): Text[] => {
    if (failed !== undefined) return ["", [bold(title), red(`  could not be checked: ${failed}`)]];
    if (findings.length === 0) return [];
    return [
      "",
      bold(title),
      ...findings.flatMap(({ subject, words, remedies }): Text[] => [
        ["  ", cyan(subject), `  ${words}`],
        ...(remedies.length === 0 ? [] : [dim(`    ${remedies.map(remedyLine).join("   or   ")}`)]),
      ]),
    ];
  });
  if (unknown.length === 0) return lines;
  const [titles, reasons] = [
    unknown.map(({ title }) => title.toLowerCase()),
    unknown.map(({ withheld }) => withheld),
  ];
  return [...lines, "", dim(`not known yet: ${titles.join("; ")} (${[...new Set(reasons)].join("; ")})`)];
}

const ATTESTATION_OPTIONS = optionsFor(fieldsOf("maintenance.verify", "attestation"), {
  claim: { sets: "claims", value: "CLAIM", hasCommas: true },
  note: { short: "n" },
});

const verify: CommandSpec = {
  arguments: [{ name: "NAME", isOptional: true, isRest: true }],
  options: {
    ...ATTESTATION_OPTIONS,
    repair: { help: "correct what NAME says about things that moved or changed" },
    yes: { short: "y", goesWith: ["--repair"], help: "make the change without asking" },
    values: { goesWith: ["--repair"], help: "and --yes: also values; the code may be what is wrong" },
    "extract-claims": {
      help: "add the claims that memories make about this repository; default: all of them",
    },
    apply: { goesWith: ["--extract-claims"], help: "do it; default: a dry run" },
  },
  details: [
    "Checks every claim of the memory, and those given, against the repository; refused when one is false or cannot be",
    "checked here, and when there was nothing to check. Where nothing can be checked by a claim, a note verifies.",
    "",
    "--repair shows what git knows about each claim that no longer holds (a renamed file, a moved symbol, another value)",
    "and the change that follows, as a diff, and asks. --extract-claims reads what memories name in code spans, links and paths,",
    "and keeps what holds now: files, symbols, values, scripts, dependencies, keys of configurations, branches.",
    "The forms of claims: heed help claims",
  ],
  examples: [
    "heed verify deploy-freeze",
    'heed verify wiki-page --note "opened the page, it is there"',
    "heed verify route-table --repair",
    "heed verify --extract-claims --apply",
  ],
  json: '{"outcome": "verified", "attested", "change", "verdict"} or "refused" with "refusals"; --repair {"outcome": "proposed"|"repaired"|"nothing", "steps", "open", "diff", "hash", "verdict"}; --extract-claims {"memories": [{"name", "has", "added"}], "looked", "isApplied", "changes", "notes"}',
  async run(invocation) {
    const { args, out, actor, open } = invocation;
    const ways = [["repair"], ["extract-claims"], ["claim", "note"]].flatMap(
      (way) => way.find((flag) => args.has(flag)) ?? [],
    );
    if (ways.length > 1) throw usageError(`--${ways[0]} and --${ways[1]} exclude each other.`, ways[1] ?? "");
    if (args.has("extract-claims")) return extractClaims(invocation);
    if (args.positionals.length !== 1)
      throw usageError("give the name of one memory. Usage: heed verify NAME [flags]", "NAME");
    if (args.has("repair")) return repair(args.first, invocation);
    const attestation = args.fields<Attestation>(ATTESTATION_OPTIONS);
    const result = await open().maintenance.verify(args.first, attestation, actor);
    if (result.outcome === "refused") return answerRefused(out, result);
    out.answer(result, () => [
      doneLine(result.announcement, undoHint(result.change)),
      ...verdictLines(result.verdict),
    ]);
    return EXIT.done;
  },
};

async function repair(handle: string, { args, out, actor, open }: Invocation): Promise<number> {
  const { maintenance } = open();
  const request = { isApplied: args.has("yes"), takesValues: args.has("values") };
  const proposed = await maintenance.repair(handle, request, actor);
  if (proposed.outcome !== "proposed") {
    out.answer(proposed, () =>
      proposed.outcome === "repaired" ? repairedLines(proposed) : nothingLines(proposed),
    );
    return proposed.outcome === "nothing" && proposed.open.length > 0 ? EXIT.refused : EXIT.done;
  }
  if (!process.stdin.isTTY || !process.stdout.isTTY || out.isJson) {
    const isValue = proposed.steps.some(({ was, becomes }) => was.split("=")[0] === becomes.split("=")[0]);
    const next = `heed verify ${proposed.name} --repair --yes${isValue ? " --values" : ""}`;
    out.answer(proposed, () => [...proposalLines(proposed), `Nothing is changed yet: ${next}`]);
    return EXIT.done;
  }
  out.note(...proposalLines(proposed));
  if (!(await askYesNo("Make this change?"))) {
    out.answer(proposed, () => ["Nothing is changed."]);
    return EXIT.done;
  }
  const repaired = await maintenance.repair(handle, { isApplied: true, ifHash: proposed.hash }, actor);
  out.answer(repaired, () => repairedLines(repaired));
  return EXIT.done;
}

function proposalLines({ steps, open, diff }: RepairResult): Text[] {
  return [
    ...steps.map(({ was, becomes, words, since }): Text => {
      const when = since ? ` (${since.commit.slice(0, 8)}, ${since.date})` : "";
      return [red(was), " → ", green(becomes), dim(`  ${words}${when}`)];
    }),
    ...open.map((claim): Text => [yellow("not known what became of "), claim]),
    ...diffLines(diff),
  ];
}

function repairedLines(result: RepairResult): Text[] {
  const { name, change, verdict } = result;
  const next = `${verdict.doubts[0]} If so: heed verify ${name}; if not: heed edit ${name} --statement "…"`;
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
    ? `Only a value changed. To accept it, run heed verify --repair ${name} without --yes, or add --values.`
    : `heed cannot find where the things in ${name} moved: correct it with heed edit ${name}.`;
  return [why, ...lines];
}

async function extractClaims({ args, out, actor, open }: Invocation): Promise<number> {
  const isApplied = args.has("apply");
  const handles = args.positionals.length > 0 ? args.positionals : undefined;
  const report = await open().maintenance.extractClaims({ ...given({ handles }), isApplied }, actor);
  out.answer(report, () => {
    const claims = report.memories.reduce((sum, { added }) => sum + added.length, 0);
    const notes = report.notes.map(dim);
    if (claims === 0)
      return [`Nothing to extract in ${plural(report.looked, "memory", "memories")}.`, ...notes];
    const count = `${plural(claims, "claim")} in ${plural(report.memories.length, "memory", "memories")}`;
    return [
      ...report.memories.flatMap(({ name, has, added }): Text[] => [
        [bold(name), dim(has > 0 ? `  has ${plural(has, "claim")}` : "")],
        ...added.map((claim): Text => [green("  + "), claim]),
      ]),
      ...notes,
      isApplied
        ? `Added ${count}.`
        : `${count} to add. Nothing is changed yet: heed verify --extract-claims --apply`,
    ];
  });
  return EXIT.done;
}

const ACTION_WORDS = { "merge-duplicate": "merge", "drop-episode": "drop" } as const;

const tidy: CommandSpec = {
  options: { apply: { help: "do it; heed undo takes each step back" } },
  details: [
    "Exact duplicates are merged, expired episodes move to the history. What only resembles or contradicts another memory",
    "stays.",
  ],
  json: '{"steps": [{"action", "name", "other", "reason"}], "isApplied", "changes", "isCut"}',
  async run({ args, out, open }) {
    const report = await open().maintenance.tidy({ isApplied: args.has("apply") });
    out.answer(report, () => {
      if (report.steps.length === 0) return out.nothing("Nothing to tidy.");
      const count = plural(report.steps.length, "step");
      const more = report.isCut ? "; more is left for the next run" : "";
      return [
        ...report.steps.map(({ action, name, other, reason }): Text => [
          cyan(`${ACTION_WORDS[action]}  `),
          bold(name),
          other === undefined ? "" : ` -> ${other}`,
          dim(`  ${reason}`),
        ]),
        ...report.problems.map((problem): Text => [yellow("! "), problem]),
        report.isApplied
          ? `${count} done${more}.`
          : `${count} to do${more}. Nothing is changed yet: heed tidy --apply`,
      ];
    });
  },
};

/** The commands of this file. */
export const commands: Readonly<Record<string, CommandSpec>> = { check, verify, tidy };
