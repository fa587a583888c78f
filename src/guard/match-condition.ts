import type { ConditionPart, GuardCondition } from "./guard.ts";
import type { CommandUnit, GuardUnit } from "./guard-unit.ts";
import {
  matchArgs,
  matchEnv,
  matchFlags,
  matchProgram,
  matchSubcommands,
  operandsAfter,
} from "./match-command.ts";
import type { PathFrame, PathTest } from "./path-test.ts";
import { absolutePath } from "./shell/run-context.ts";
import { isKnown } from "./shell/shell-word.ts";
import type { ShellWord } from "./shell/shell-word.ts";
import type { TextTest } from "./text-test.ts";
import { MAX_TESTED_CHARS } from "./text-test.ts";
import type { TextBudget } from "./text-budget.ts";
import type { Ternary } from "./ternary.ts";
import { allOf, anyOf, whether } from "./ternary.ts";
import { writtenPaths } from "./written-paths.ts";

/** What matching needs besides condition and unit. */
export interface MatchFrame extends PathFrame {
  budget: TextBudget;
  /** Told about each part that was asked, in order. */
  onPart?: (part: ConditionPart, answer: Ternary) => void;
}

/** How paths are asked: one of those that a command changes, one of those that it names, or all that it names. */
type PathsAsked = "written" | "named" | "all";

/** Whether a condition holds for a unit. */
export function matchCondition(condition: GuardCondition, unit: GuardUnit, frame: MatchFrame): Ternary {
  const paths = condition.commands.length > 0 ? "named" : "written";
  return matchParts(condition, unit, frame, paths);
}

/** Whether an exception holds for a unit of its guard: of paths all that it names must fit, lest one hides another. */
export function matchException(condition: GuardCondition, unit: GuardUnit, frame: MatchFrame): Ternary {
  return matchParts(condition, unit, frame, "all");
}

function matchParts(
  condition: GuardCondition,
  unit: GuardUnit,
  frame: MatchFrame,
  pathsAsked: PathsAsked,
): Ternary {
  const answers: Ternary[] = [];
  const ask = (part: ConditionPart, answer: Ternary): boolean => {
    frame.onPart?.(part, answer);
    answers.push(answer);
    return answer !== "no";
  };
  const command = unit.kind === "command" ? unit : undefined;
  const { depth, answer: called } = matchCommands(condition, command);
  const operands = command ? operandsAfter(command, depth) : [];
  if (condition.commands.length > 0 && !ask("command", called)) return "no";
  if (condition.flags.length > 0 && !ask("flags", command ? matchFlags(command, condition.flags) : "no"))
    return "no";
  if (condition.args.length > 0 && !ask("args", command ? matchArgs(operands, condition.args) : "no"))
    return "no";
  if (condition.env.length > 0 && !ask("env", command ? matchEnv(command, condition.env) : "no")) return "no";
  if (condition.paths.length > 0) {
    const words = pathsOf(unit, operands, pathsAsked);
    if (!ask("paths", matchPaths(words, condition.paths, unit, frame, pathsAsked === "all"))) return "no";
  }
  if (condition.content.length > 0) {
    const contents = unit.kind === "call" ? unit.contents : [];
    if (!ask("content", matchTexts(contents, condition.content, frame.budget))) return "no";
  }
  if (
    condition.pattern.length > 0 &&
    !ask("pattern", matchTexts([unit.text], condition.pattern, frame.budget))
  )
    return "no";
  // A program that cannot be told may be any: that alone says nothing.
  if (called === "unknown" && !answers.includes("yes") && depth === 0) return "no";
  return allOf(answers);
}

/** What it says of program and subcommands, and how many operands the subcommands take. */
function matchCommands(
  { commands }: GuardCondition,
  unit: CommandUnit | undefined,
): { answer: Ternary; depth: number } {
  if (!unit) return { answer: "no", depth: 0 };
  let found: { answer: Ternary; depth: number } = { answer: "no", depth: 0 };
  for (const wanted of commands) {
    const answer = allOf([matchProgram(unit, wanted), matchSubcommands(unit, wanted)]);
    if (answer === "yes") return { answer, depth: wanted.length - 1 };
    if (answer === "unknown") found = { answer, depth: wanted.length - 1 };
  }
  return found;
}

function pathsOf(unit: GuardUnit, operands: readonly ShellWord[], asked: PathsAsked): readonly ShellWord[] {
  if (unit.kind === "call") return unit.paths;
  if (unit.kind === "pipeline") return [];
  if (asked === "written") return writtenPaths(unit);
  const named = [...operands, ...unit.command.writes];
  if (asked === "all") return named;
  return [...named, ...unit.args.options.flatMap(({ value }) => value ?? [])];
}

function matchPaths(
  words: readonly ShellWord[],
  tests: readonly PathTest[],
  unit: GuardUnit,
  frame: PathFrame,
  isAll: boolean,
): Ternary {
  if (words.length === 0) return "no";
  const cwd = unit.kind === "command" ? unit.command.cwd : frame.cwd;
  const answers = words.map((word): Ternary => {
    const path = isKnown(word) ? absolutePath(word.text, cwd) : undefined;
    return path === undefined ? "unknown" : whether(tests.some((test) => test.test(path, frame)));
  });
  return isAll ? allOf(answers) : anyOf(answers);
}

function matchTexts(texts: readonly string[], tests: readonly TextTest[], budget: TextBudget): Ternary {
  return anyOf(
    texts.flatMap((text) =>
      tests.map((test): Ternary => {
        const part = text.slice(0, MAX_TESTED_CHARS);
        if (!budget.take(part.length * test.cost)) return "unknown";
        if (test.test(part)) return "yes";
        return text.length > MAX_TESTED_CHARS ? "unknown" : "no";
      }),
    ),
  );
}
