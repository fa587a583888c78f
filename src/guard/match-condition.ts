import type { Budget } from "./shell/budget.ts";
import type { TextTest } from "./entry-tests.ts";
import { matchesWildcard, MAX_TESTED_CHARS } from "./entry-tests.ts";
import type { CommandUnit, ConditionPart, GuardCondition, GuardUnit } from "./guard.ts";
import { PUBLISHING_COMMANDS } from "./publishing-commands.ts";
import { hasOption, matchCalled, matchEnv, matchFlags } from "./match-command.ts";
import { type PathQuestion, matchPaths } from "./match-paths.ts";
import { type ShellCommand, type ShellWord, HOLE, isKnown, showWord } from "./shell/shell-command.ts";

export type MatchFrame = PathQuestion["frame"] & {
  budget: Budget;
  /** Called with each part that is asked, in order, up to the first that does not hold. */
  onPart?: (part: ConditionPart) => void;
};

interface Asked extends PathQuestion {
  condition: GuardCondition;
  command: CommandUnit | undefined;
  frame: MatchFrame;
}

const PARTS: Readonly<Record<Exclude<ConditionPart, "command">, (asked: Asked) => boolean>> = {
  flags: ({ command, condition, guard }) =>
    command !== undefined &&
    (matchFlags(command, condition.flags) || (guard !== undefined && isOpen(command, condition.flags))),
  args: matchArgs,
  env: ({ command, condition }) => command !== undefined && matchEnv(command, condition.env),
  branches: ({ command, condition, guard }) =>
    // All branches include a guarded one, and more than those of an exception.
    command?.branch?.text === "*" ? !guard : isNamed(command?.branch, condition.branches),
  remotes: ({ command, condition }) => isNamed(command?.remote, condition.remotes),
  paths: matchPaths,
  content: ({ unit, condition, frame }) =>
    matchTexts(unit.kind === "call" ? unit.contents : [], condition.content, frame.budget),
  pattern: ({ condition, unit, frame }) => matchPattern(condition, unit, frame.budget),
  rewrites: ({ command, condition }) =>
    command !== undefined &&
    matchCalled(command, ["git", "push"]) &&
    !hasOption(command, /^--dry-run$/) &&
    hasOption(command, /^(?:-f|-d|--force|--force-with-lease|--delete|--mirror)$/) &&
    command.branch !== undefined &&
    isKnown(command.branch) &&
    (command.branch.text === "*" || isNamed(command.branch, condition.rewrites)),
  publishes: ({ command }) =>
    command !== undefined &&
    !hasOption(command, /^--(?:dry-?run|snapshot|help)$/) &&
    PUBLISHING_COMMANDS.some(
      ({ command: words, flags }) =>
        matchCalled(command, words) && (flags.length === 0 || matchFlags(command, flags)),
    ),
};
const PART_NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[];

/**
 * Whether a condition holds for a unit.
 *
 * @param guard Given: the condition is an exception of this one. All paths that the guard stops must fit (all that the
 *   command names, if the guard has no paths), so that one does not hide another.
 */
export function matchCondition(
  condition: GuardCondition,
  unit: GuardUnit,
  frame: MatchFrame,
  guard?: GuardCondition,
): boolean {
  const command = unit.kind === "command" ? unit : undefined;
  if (condition.commands.length > 0) {
    frame.onPart?.("command");
    if (subcommandsOf(condition, command) === undefined) return false;
  }
  const depth = Math.max(
    subcommandsOf(condition, command) ?? 0,
    (guard && subcommandsOf(guard, command)) ?? 0,
  );
  const operands = command?.args.operands.slice(depth) ?? [];
  const asked: Asked = { condition, unit, command, operands, frame, guard };
  return PART_NAMES.every((part) => {
    if (condition[part].length === 0) return true;
    frame.onPart?.(part);
    return PARTS[part](asked);
  });
}

/** Whether a flag of an exception may be one that is not literal, or has a value that is not. */
function isOpen({ args: { operands, options } }: CommandUnit, flags: GuardCondition["flags"]): boolean {
  const isOpenValue = (name: string): boolean =>
    options.some((option) => option.names.includes(name) && option.value?.text.startsWith(HOLE));
  return (
    operands.some(({ text }) => text.startsWith(`${HOLE}-`)) ||
    flags.some(({ needs }) => needs.some(({ name, value }) => value !== undefined && isOpenValue(name)))
  );
}

/** How many subcommands the command of a condition has that a unit calls; undefined where it calls none of them. */
function subcommandsOf({ commands }: GuardCondition, unit: CommandUnit | undefined): number | undefined {
  if (!unit || hasOption(unit, /^--help$/)) return undefined;
  const called = commands.find((wanted) => matchCalled(unit, wanted));
  return called && called.length - 1;
}

function matchArgs({ command, operands, condition, guard }: Asked): boolean {
  // The names of git's settings ignore case.
  const isSetting = command?.program === "git" && command.args.operands[0]?.text === "config";
  const wanted = isSetting ? condition.args.map((arg) => arg.toLowerCase()) : [];
  return operands.some((word) => {
    // What is not literal is not beyond an exception.
    if (guard && word.text.startsWith(HOLE)) return true;
    if (isNamed(guard ? pushedTo(word, command) : word, condition.args)) return true;
    return (
      isNamed({ text: word.text.toLowerCase() }, wanted) ||
      isNamed(plainFolder(word, command), condition.args)
    );
  });
}

/** Another spelling of the current folder or of a path in it: `./`, `:/`, an absolute path, `src/`. */
function plainFolder({ text }: ShellWord, unit: CommandUnit | undefined): ShellWord | undefined {
  if (!text.includes("/") || text.includes("://")) return undefined;
  const isHere = text === unit?.cwd || text === ":/";
  const plain = isHere ? "." : text.replace(/(?<=.)\/+$|^\.\/(?=.)/g, "");
  return plain === text ? undefined : { text: plain };
}

/** The branch that an operand of a push pushes to; an exception is checked against it. */
function pushedTo(word: ShellWord, unit: CommandUnit | undefined): ShellWord | undefined {
  const isSpec = unit?.remote && word !== unit.remote && /:|^\+?refs\//.test(word.text);
  return isSpec ? unit.branch : word;
}

/** Whether a word is one of those that are named. One that is open as a whole is none. */
function isNamed(word: ShellWord | undefined, wanted: readonly string[]): boolean {
  return (
    word !== undefined && word.text !== HOLE && wanted.some((pattern) => matchesWildcard(word.text, pattern))
  );
}

const PARTING = /(?:\/\*!\d*|\/\*[^*]{0,500}\*\/|(?:--|#)(?:[^\n\\]|\\(?!n))*(?:\n|\\n)|\*\/|\\[nrt]|\s)+/g;

/** A pattern against a command as text and, where the guard names the program, against what it reads. */
function matchPattern({ commands, pattern }: GuardCondition, unit: GuardUnit, budget: Budget): boolean {
  if (unit.kind === "call") {
    return matchTexts([unit.text], pattern, budget);
  }
  if (commands.length === 0) return matchTexts([unit.text], pattern, budget, unit);
  const input = unit.kind === "command" ? (unit.input ?? "") : "";
  const whole = [unit.text, input];
  return matchTexts([...whole, ...whole.map((text) => text.replace(PARTING, " "))], pattern, budget);
}

/** @param unit given: an expression that begins with a program skips what only people read in it. */
function matchTexts(
  texts: readonly string[],
  tests: readonly TextTest[],
  budget: Budget,
  unit?: Exclude<GuardUnit, { kind: "call" }>,
): boolean {
  return texts.some((text) =>
    tests.some((test) => {
      const part = text.slice(0, MAX_TESTED_CHARS);
      if (!budget.take(part.length * test.cost) || !test.test(part)) return false;
      return unit === undefined || test.first === undefined || test.test(withoutProse(part, unit));
    }),
  );
}

function withoutProse(text: string, unit: Exclude<GuardUnit, { kind: "call" }>): string {
  const commands = unit.kind === "command" ? [unit] : unit.commands;
  return commands.flatMap(proseOf).reduce((rest, word) => rest.replaceAll(word, "…"), text);
}

const PROSE_OPTION = /^(?:-\w*[mb]|--(?:message|body|title|notes?|subject|description))$/;

/** The sentences that a command only shows or looks for, and messages. */
function proseOf({ words: [name, ...args] }: ShellCommand): string[] {
  const isShown = /^(?:echo|printf|[ef]?grep|rg|g?sed|g?awk)$/.test(name?.text ?? "");
  const isMessage = (at: number): boolean => PROSE_OPTION.test(args[at - 1]?.text ?? "");
  return args.flatMap((word, at) =>
    /\s/.test(word.text) && (isShown || isMessage(at)) ? [showWord(word)] : [],
  );
}
