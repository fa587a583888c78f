import type { GateRefusal, NearMemory, Problem, WriteResult, Change, Verdict } from "../../../heed.ts";
import { EXIT } from "../arguments/command.ts";
import { SECTIONS } from "../arguments/memory-options.ts";
import type { Invocation } from "../arguments/command.ts";
import {
  type Output,
  type Text,
  bold,
  cleanText,
  cyan,
  dim,
  green,
  red,
  styled,
  yellow,
  doneLine,
} from "../output/output.ts";
import { askYesNo } from "./read-given.ts";

const FOR_SCRIPTS = "many at once: heed import FILE, which asks once, in a terminal of your own";

/** Prints the result of a write and gives the exit code: 1 for a refusal, 0 for a memory that waits in the inbox. */
export function answerWrite(result: WriteResult, invocation: Pick<Invocation, "out" | "actor">): number {
  const { out } = invocation;
  if (result.outcome === "refused") return answerRefused(out, result);
  out.answer(result, () => {
    if (result.outcome === "pending")
      return [
        result.announcement,
        ...(invocation.actor.kind === "model"
          ? [dim(invocation.actor.client === "script" ? FOR_SCRIPTS : result.reason)]
          : []),
        ...nearLines(result.near),
        ...diffLines(result.diff),
      ];
    const isNews = result.outcome !== "unchanged" || result.announcement.startsWith("confirmed");
    return [
      [green(isNews ? "✓ " : "= "), result.announcement],
      ...[...new Set(result.warnings)].map((warning): Text => [yellow("  note: "), warning]),
      ...nearLines(result.near),
      ...diffLines(result.diff),
    ];
  });
  return EXIT.done;
}

function nearLines(near: readonly NearMemory[] = []): Text[] {
  return near.map(({ name, statement, removed }) => [
    dim("  near: "),
    bold(name),
    ` ${statement}`,
    removed === undefined ? "" : yellow(` (${removed})`),
  ]);
}

/** Writes and prints; a person is asked whether to keep words such as "next friday" when only those are refused. */
export async function answerAsking(
  attempt: (also: { keepsRelativeDates?: true }) => Promise<WriteResult>,
  { out, actor }: Pick<Invocation, "out" | "actor">,
): Promise<number> {
  const result = await attempt({});
  const [refusal, ...more] = result.outcome === "refused" ? result.refusals : [];
  const isAsked =
    refusal?.gate === "relative-dates" && more.length === 0 && actor.kind === "person" && !out.isJson;
  const isKept =
    isAsked &&
    (await askYesNo(`${refusal.reason.replace(/^./, (first) => first.toUpperCase())}. Keep it as it is?`));
  return answerWrite(isKept ? await attempt({ keepsRelativeDates: true }) : result, { out, actor });
}

export function answerRefused(out: Output, result: { refusals: readonly GateRefusal[] }): number {
  out.complain(result, ...refusalLines(result.refusals));
  return EXIT.refused;
}

/** A refusal for people: the gate, the reason, the remedy, and a draft that would pass. */
function refusalLines(refusals: readonly GateRefusal[]): Text[] {
  return refusals.flatMap(({ gate, reason, remedy, proposal }): Text[] => [
    [red("✗ refused"), ` by the gate ${gate}: ${reason}`],
    [dim("  remedy:   "), asFlags(remedy)],
    ...Object.entries(proposal ?? {}).flatMap(([key, value]): Text[] => proposalLines(key, value)),
  ]);
}

/** Remedies name parts of a text; here they are flags. */
function asFlags(remedy: string): string {
  return remedy.replace(/add a line `\*\*([^*`]+):\*\* …`/g, (line, label: string) => {
    const flag = SECTIONS.find(([, name]) => name === label)?.[0];
    return flag === undefined ? line : `give --${flag}`;
  });
}

function proposalLines(key: string, value: unknown): Text[] {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const [first = "", ...rest] = cleanText(text).split("\n");
  return [
    [dim("  proposal: "), cyan(key), `: ${first}`],
    ...rest.map((line): Text => `              ${line}`),
  ];
}

/** A unified diff, line by line in the usual colours. */
export function diffLines(diff: string | undefined): Text[] {
  if (diff === undefined || diff.trim() === "") return [];
  return cleanText(diff)
    .replace(/\n+$/, "")
    .split("\n")
    .map((line): Text => {
      if (/^(\+\+\+|---|diff |index )/.test(line)) return bold(line);
      if (line.startsWith("@@")) return cyan(line);
      if (line.startsWith("+")) return green(line);
      if (line.startsWith("-")) return red(line);
      return line;
    });
}

/** A problem in a file with its place and remedy; `path` as the reader would type it. */
export function problemLine({ severity, line, code, message, remedy }: Problem, path: string): Text {
  return [
    bold(`${path}${line === undefined ? "" : `:${line}`} `),
    styled(severity === "error" ? "red" : "yellow", severity),
    ` ${code}: ${message} → `,
    green(remedy),
  ];
}

export function shortId(id: string): string {
  return id.slice(0, 10);
}

export const CHANGE_JSON = '{"change": {"id", "time", "actor", "summary", "files"}}';

/** Prints one change that a command made. */
export function answerChange(out: Output, change: Change): void {
  const { id, summary } = change;
  out.answer({ change }, () => [id === "" ? ["= ", summary] : doneLine(summary, undoHint(id))]);
}

/** How to undo a change; empty without one. */
export function undoHint(id: string | undefined): ReturnType<typeof dim> {
  return dim(id ? `  (heed undo ${shortId(id)} takes it back)` : "");
}

const LOOKS = { fresh: "green", check: "yellow", stale: "red" } as const;

/** A verdict in a line, in the colour of its standing. */
export function verdictWords({ standing, words }: Pick<Verdict, "standing" | "words">): Text {
  return styled(LOOKS[standing], words);
}

/** A verdict with its evidence, a line a claim. */
export function verdictLines({ claims, unchecked, commits, paths, ...verdict }: Verdict): Text[] {
  const since =
    commits &&
    `${commits.count} ${commits.count === 1 ? "commit" : "commits"} ${paths.checked.length > 0 ? "on its files" : "here"} since ${commits.since}`;
  return [
    verdictWords(verdict),
    ...claims.broken.map(({ claim, finding, since: when, became, moved, isViolated }): Text => [
      red("  ✗ "),
      claim,
      dim(`  ${moved ?? finding ?? ""}${when ? `, since ${when.commit.slice(0, 8)} of ${when.date}` : ""}`),
      became && !isViolated ? [" → ", green(became.claim)] : "",
    ]),
    ...claims.unchecked.map(({ claim, finding }): Text => [
      yellow("  ? "),
      claim,
      dim(`  ${finding ?? "not measured"}`),
    ]),
    ...claims.kept.map((claim): Text => [green("  ✓ "), claim]),
    ...unchecked
      .filter((reason) => !claims.unchecked.some(({ finding }) => finding === reason))
      .map((reason): Text => [yellow("  ? "), reason]),
    ...(since === undefined ? [] : [dim(`  ${since}`)]),
  ];
}
