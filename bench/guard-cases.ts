import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/**
 * What must come of a case by its text alone. `unseen`: an attempt of which the text says too little. Of the lists that are
 * held out, `attempt` and `harmless`: nothing is fitted to them.
 */
type CaseKind = "stopped" | "silent" | "unseen" | "attempt" | "harmless";

/** Ways of breaking a guard, or calls that only seem to. */
export interface GuardCases {
  kind: CaseKind;
  name: string;
  /** As a memory file has it. */
  guard: unknown;
  /** The branch that is checked out; unknown when absent. */
  branch?: string;
  calls: readonly { tool: string; input: Record<string, unknown> }[];
}

/**
 * Reads a list of cases. A line that begins with `@ ` is the head of a group, as JSON: its kind, name and guard, the
 * branch that is checked out and the tool (Bash when absent). Each other line is one case: a shell text with `⏎` for a
 * line break, or the input of the tool as JSON.
 */
export function readGuardCases(file: string): GuardCases[] {
  const groups: (GuardCases & { calls: GuardCases["calls"][number][] })[] = [];
  let tool = "Bash";
  for (const line of readFileSync(resolve(file), "utf8").split("\n")) {
    if (line.startsWith("@ ")) {
      const head = JSON.parse(line.slice(2)) as Omit<GuardCases, "calls"> & { tool?: string };
      tool = head.tool ?? "Bash";
      groups.push({ ...head, calls: [] });
    } else if (line !== "") {
      const command = line.replaceAll("⏎", "\n");
      const input = tool === "Bash" ? { command } : (JSON.parse(line) as Record<string, unknown>);
      groups.at(-1)?.calls.push({ tool, input });
    }
  }
  return groups;
}

/** One line a kind of evasion, and its harmless neighbours. */
export const GUARD_CASES: readonly GuardCases[] = readGuardCases("bench/guard-cases.txt");
