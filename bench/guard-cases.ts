import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** Where a list of cases comes from; docs/guards.md says how they were written. */
export type CaseList =
  | "table"
  | "made"
  | "first"
  | "second"
  | "third"
  | "fourth"
  | "fifth"
  | "sixth"
  | "operations"
  | "operations-held-out";

/**
 * What must come of a case. `attempt`: stopped or told, `harmless`: not stopped, `documented`: docs/guards.md names it
 * among what no guard sees. `stopped`, `undecided` and `silent`: exactly that.
 */
export type CaseKind = "attempt" | "harmless" | "documented" | "stopped" | "undecided" | "silent";

/** Ways of breaking a guard, or calls that only seem to. */
export interface GuardCases {
  list: CaseList;
  kind: CaseKind;
  name: string;
  /** As a memory file has it. */
  guard: unknown;
  /** The branch that is checked out; unknown when absent. */
  branch?: string;
  calls: readonly { tool: string; input: Record<string, unknown> }[];
}

/**
 * Reads bench/guard-cases.txt. A line that begins with `@ ` is the head of a group, as JSON: its list, kind, name and
 * guard, the branch that is checked out and the tool (Bash when absent). Each other line is one case: a shell text with
 * `⏎` for a line break, or the input of the tool as JSON. In the list `made`, `a«b¦c»d` stands for `abd` and `acd`.
 */
function readGuardCases(file: string): GuardCases[] {
  const groups: (GuardCases & { calls: GuardCases["calls"][number][] })[] = [];
  let tool = "Bash";
  for (const line of readFileSync(resolve(file), "utf8").split("\n")) {
    if (line.startsWith("@ ")) {
      const head = JSON.parse(line.slice(2)) as Omit<GuardCases, "calls"> & { tool?: string };
      tool = head.tool ?? "Bash";
      groups.push({ ...head, calls: [] });
      continue;
    }
    const group = groups.at(-1);
    if (line === "" || !group) continue;
    for (const text of group.list === "made" ? grown(line) : [line]) {
      const shell = { command: text.replaceAll("⏎", "\n") };
      group.calls.push({
        tool,
        input: tool === "Bash" ? shell : (JSON.parse(text) as Record<string, unknown>),
      });
    }
  }
  return groups;
}

function grown(template: string): string[] {
  const at = /«([^«»]*)»/.exec(template);
  if (at?.[1] === undefined) return [template];
  const [before, after] = [template.slice(0, at.index), template.slice(at.index + at[0].length)];
  return at[1].split("¦").flatMap((choice) => grown(before + choice + after));
}

/** All cases, in the order of the file. */
export const GUARD_CASES: readonly GuardCases[] = readGuardCases("bench/guard-cases.txt");

/**
 * The same effect in many ways, with harmless neighbours: `operations` was written before the reader knew effects, and
 * `operations-held-out` too, from other ecosystems; it was first asked when the reader was done.
 */
export const OPERATION_CASES: readonly GuardCases[] = [
  ...readGuardCases("bench/operation-cases.txt"),
  ...readGuardCases("bench/operation-cases-held-out.txt"),
];

/** The guards of the list `table`, by name. */
export const TABLE_GUARDS: Readonly<Record<string, unknown>> = Object.fromEntries(
  GUARD_CASES.filter(({ list }) => list === "table").map(({ name, guard }) => [name, guard]),
);
