import type { ConditionPart, GuardCondition } from "./guard.ts";
import type { CommandUnit, GuardUnit } from "./guard-unit.ts";
import { commandUnits } from "./guard-unit.ts";
import { asksForHelp, matchEnv, matchFlags, matchProgram, matchSubcommands } from "./match-command.ts";
import type { PathFrame, PathTest } from "./path-test.ts";
import { mayMeet, plainPrefix } from "./path-test.ts";
import { absolutePath } from "./shell/run-context.ts";
import { optionsOf } from "./shell/command-options.ts";
import { gitUse, proseWords, wordUse } from "./shell/programs.ts";
import { HOLE, isKnown, knownWord } from "./shell/shell-word.ts";
import type { ShellWord } from "./shell/shell-word.ts";
import type { TextTest } from "./text-test.ts";
import { MAX_TESTED_CHARS } from "./text-test.ts";
import type { TextBudget } from "./text-budget.ts";
import type { Ternary } from "./ternary.ts";
import { allOf, anyOf, whether } from "./ternary.ts";
import { matchesWildcard } from "./wildcard.ts";
import type { TouchedPath } from "./touched-path.ts";
import { isRecursive, writtenPaths } from "./written-paths.ts";

/** What matching needs besides condition and unit. */
export interface MatchFrame extends PathFrame {
  budget: TextBudget;
  /** Whether a file is there; absent: nobody can say. */
  exists?: ((path: string) => boolean) | undefined;
  /** Told about each part that was asked, in order. */
  onPart?: (part: ConditionPart, answer: Ternary) => void;
}

/** How paths are asked: one of those that a command changes, one of those that it names, or all that it names. */
type PathsAsked = "written" | "named" | "all";

/** Whether a condition holds for a unit. */
export function matchCondition(condition: GuardCondition, unit: GuardUnit, frame: MatchFrame): Ternary {
  const paths = condition.commands.length > 0 ? "named" : "written";
  const own = unit.kind === "command" ? unaliased(unit, condition) : [];
  if (own.some((one) => isOpen(one) || matchParts(condition, one, frame, paths) !== "no")) return "unknown";
  return matchParts(condition, unit, frame, paths);
}

/** Whether git goes by settings that nobody here has read. */
function isOpen({ args }: CommandUnit): boolean {
  return args.options.some(({ names, value }) => names.includes("-c") && value?.text === HOLE);
}

/** An alias of git that the machine may have, as what a guard names; told where more than the name is asked for. */
function unaliased(unit: CommandUnit, condition: GuardCondition): CommandUnit[] {
  const { command, args, branch } = unit;
  const [sub] = args.operands;
  const isAlias = command.words[0]?.text === "git" && sub && isKnown(sub) && gitUse(sub.text) === undefined;
  if (!isAlias) return [];
  const isMore = Object.values({ ...condition, commands: [] }).some(
    (part) => Array.isArray(part) && part.length > 0,
  );
  if (!isMore && !isOpen(unit)) return [];
  const at = command.words.indexOf(sub);
  return condition.commands.flatMap(([program, ...names]) => {
    if (program !== "git" || at < 0) return [];
    const words = [...command.words.slice(0, at), ...names.map(knownWord), ...command.words.slice(at + 1)];
    return commandUnits({ ...command, words }, branch?.text);
  });
}

/**
 * Whether an exception holds for a unit of its guard: of paths all must fit that the unit names, lest one hides another;
 * where the guard is for paths alone, all of its own that the unit changes.
 * @param isSure whether paths are left aside of which nobody can tell that they are the guard's.
 */
export function matchException(
  condition: GuardCondition,
  unit: GuardUnit,
  frame: MatchFrame,
  guarded?: GuardCondition,
  isSure = false,
): Ternary {
  const isOfPaths = guarded && guarded.commands.length === 0 && guarded.paths.length > 0;
  return matchParts(condition, unit, frame, "all", isOfPaths ? { condition: guarded, isSure } : undefined);
}

/** What the parts of a condition are asked of. */
interface Asked {
  condition: GuardCondition;
  unit: GuardUnit;
  command: CommandUnit | undefined;
  /** Those behind the subcommands. */
  operands: readonly ShellWord[];
  frame: MatchFrame;
  paths: PathsAsked;
  /** Of an exception: of whose paths alone it is asked. */
  of: { condition: GuardCondition; isSure: boolean } | undefined;
}

const PARTS: Readonly<Record<Exclude<ConditionPart, "command">, (asked: Asked) => Ternary>> = {
  flags: ({ command, condition }) => (command ? matchFlags(command, condition.flags) : "no"),
  args: ({ operands, condition }) => anyOf(operands.map((word) => matchNamed(word, condition.args))),
  env: ({ command, condition }) => (command ? matchEnv(command, condition.env) : "no"),
  branches: ({ command, condition, paths }) =>
    // All branches are some that are guarded, and more than an exception's.
    command?.branch?.text === "*"
      ? whether(paths !== "all")
      : matchNamed(command?.branch, condition.branches),
  remotes: ({ command, condition }) => matchRemote(command?.remote, condition.remotes),
  paths: matchPaths,
  content: ({ unit, condition, frame }) =>
    matchTexts(unit.kind === "call" ? unit.contents : [], condition.content, frame.budget),
  pattern: ({ condition, unit, frame }) => matchPattern(condition, unit, frame.budget),
};
const PART_NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[];

function matchParts(
  condition: GuardCondition,
  unit: GuardUnit,
  frame: MatchFrame,
  paths: PathsAsked,
  of?: Asked["of"],
): Ternary {
  const command = unit.kind === "command" ? unit : undefined;
  const { depth, answer: called } = matchCommands(condition, command);
  const answers: Ternary[] = condition.commands.length > 0 ? [called] : [];
  if (answers.length > 0) frame.onPart?.("command", called);
  if (answers[0] === "no") return "no";
  const operands = command?.args.operands.slice(depth) ?? [];
  const asked: Asked = { condition, unit, command, operands, frame, paths, of };
  for (const part of PART_NAMES) {
    if (condition[part].length === 0) continue;
    const answer = PARTS[part](asked);
    frame.onPart?.(part, answer);
    if (answer === "no") return "no";
    answers.push(answer);
  }
  // A program that cannot be told may be any: that alone says nothing.
  if (called === "unknown" && !answers.includes("yes") && depth === 0) return "no";
  return allOf(answers);
}

/** What it says of program and subcommands, and how many operands the subcommands take. */
function matchCommands(
  { commands }: GuardCondition,
  unit: CommandUnit | undefined,
): { answer: Ternary; depth: number } {
  const help = unit && asksForHelp(unit);
  if (!unit || help === "yes") return { answer: "no", depth: 0 };
  let found: { answer: Ternary; depth: number } = { answer: "no", depth: 0 };
  for (const wanted of commands) {
    const answer = allOf([matchProgram(unit, wanted), matchSubcommands(unit, wanted)]);
    if (answer === "yes") return { answer: help === "no" ? answer : "unknown", depth: wanted.length - 1 };
    if (answer === "unknown") found = { answer, depth: wanted.length - 1 };
  }
  return found;
}

/** Every rule asks for the same of a unit. */
const writtenBy = new WeakMap<CommandUnit, readonly TouchedPath[]>();

/** Programs whose first operand is text to look for, unless an option has it or a file of it. */
const TEXT_FIRST = /^(?:[efgz]?grep|rg|ag|ack|g?sed|g?awk|jq|yq)$/;
const TEXT_OPTION = /^-[ef]$|^--(?:regexp|expression|(?:from-)?files?)$/;

function pathsOf(unit: GuardUnit, operands: readonly ShellWord[], asked: PathsAsked): readonly TouchedPath[] {
  if (unit.kind !== "command") return unit.kind === "call" ? unit.paths : [];
  const all = (words: readonly ShellWord[], reach: TouchedPath["reach"]): TouchedPath[] =>
    words.map((word) => ({ word, reach }));
  const isOption = unit.args.options.some(({ names }) => names.some((one) => TEXT_OPTION.test(one)));
  const isText = !isOption && TEXT_FIRST.test(unit.command.words[0]?.text ?? "");
  const files = isText ? operands.slice(1) : operands;
  const named = all([...files, ...unit.command.writes], "file");
  if (asked === "all") return named;
  const written = writtenBy.get(unit) ?? writtenPaths(unit);
  writtenBy.set(unit, written);
  if (asked === "written") return written;
  const values = unit.args.options.flatMap(({ value }) => value ?? []);
  // `grep -r x config` reads what is below.
  return [...named, ...written, ...all(values, "file"), ...all(isRecursive(unit) ? files : [], "some")];
}

function matchPaths(asked: Asked): Ternary {
  const { unit, operands, of } = asked;
  const isGuarded = (one: TouchedPath): boolean => {
    const answer = of && matchTouched(one, { ...asked, condition: of.condition, paths: "written" });
    return answer === undefined || answer === "yes" || (answer === "unknown" && !of?.isSure);
  };
  const touched = pathsOf(unit, operands, of ? "written" : asked.paths).filter(isGuarded);
  if (touched.length === 0) return "no";
  const answers = touched.map((one) => matchTouched(one, asked));
  return asked.paths === "all" ? allOf(answers) : anyOf(answers);
}

function matchTouched(one: TouchedPath, { condition, unit, frame, paths }: Asked): Ternary {
  const isAll = paths === "all";
  const cwd = unit.kind === "command" ? unit.command.cwd : frame.cwd;
  const { text, isMany, isGlob } = one.word;
  // An exception may hold by the part of a name that is told; that it may not is asked for by `withoutDoubtful`.
  const isPart = isAll && text !== HOLE;
  const path = absolutePath(isPart ? text.replace(/^\0\//, "").replaceAll(HOLE, "x") : text, cwd);
  if (path === undefined || path.includes(HOLE) || (isMany && isGlob !== true && !isPart)) return "unknown";
  const sure = matchPath(path, one, condition.paths, frame, isAll);
  const answer = one.isUnsure && sure === "yes" ? "unknown" : sure;
  // A word may be no file at all.
  const isWord = one.isUnsure === true && !/[./]/.test(one.word.text);
  if (isWord && frame.exists?.(path) === false) return "no";
  if (condition.files === undefined || answer === "no") return answer;
  if (one.word.isGlob === true || one.reach !== "file" || !frame.exists) return "unknown";
  return frame.exists(path) === (condition.files === "existing") ? answer : "no";
}

function matchPath(
  path: string,
  { word, reach }: TouchedPath,
  tests: readonly PathTest[],
  frame: PathFrame,
  isAll: boolean,
): Ternary {
  const isGlob = word.isGlob === true;
  // What any name would fit, each file of a glob fits.
  const sample = isGlob ? path.replace(/\[[^\]]*\]|\*+|\?/g, "x") : path;
  const fits = (one: string): boolean => tests.some((test) => test.test(one, frame));
  if (reach === "maybe") return fits(sample) || fits(`${sample}/\u0001`) ? "unknown" : "no";
  if (fits(sample)) return "yes";
  if (!isGlob && reach === "file") return "no";
  const patterns = tests.flatMap((test) => test.patterns(frame));
  if (isAll) return isGlob && patterns.some((pattern) => mayMeet(path, pattern)) ? "unknown" : "no";
  const folder = isGlob ? (path.endsWith("/**") ? plainPrefix(path) : undefined) : path;
  const isAbove =
    folder !== undefined &&
    patterns.some((pattern) => `${plainPrefix(pattern)}/`.startsWith(`${folder}/`.replace("//", "/")));
  if (reach === "tree" && isAbove) return "yes";
  // Where a name in any folder is guarded: of what comes into one, nobody knows the names.
  const isAnyName = patterns.every((pattern) => path.startsWith(plainPrefix(pattern)));
  if (reach === "some") return fits(`${sample}/\u0001`) ? "yes" : isAbove && !isAnyName ? "unknown" : "no";
  return isGlob && patterns.some((pattern) => mayMeet(path, pattern)) ? "unknown" : "no";
}

/** An operand, branch or remote against wildcard patterns. */
function matchNamed(word: ShellWord | undefined, wanted: readonly string[]): Ternary {
  if (!word) return "no";
  if (!isKnown(word)) return "unknown";
  return whether(wanted.some((pattern) => matchesWildcard(word.text, pattern)));
}

/** A remote by its name or its address: of one that is given otherwise than a guard names it nobody can tell. */
function matchRemote(word: ShellWord | undefined, wanted: readonly string[]): Ternary {
  const plain = (text: string): string => text.replaceAll(":", "/");
  const answer = matchNamed(word && { ...word, text: plain(word.text) }, wanted.map(plain));
  const isOther = wanted.some((pattern) => pattern.includes("/") !== word?.text.includes("/"));
  return answer === "no" && word && isOther ? "unknown" : answer;
}

/** A pattern against a command as text and, where the guard names the program, against what is fed to it. */
function matchPattern({ commands, pattern }: GuardCondition, unit: GuardUnit, budget: TextBudget): Ternary {
  // `-e'drop …'` is an option and its value.
  const texts =
    commands.length === 0 ? [unit.text] : [unit.text, unit.text.replace(/ -[a-zA-Z](?=\w)/g, " ")];
  const own = matchTexts(texts, pattern, budget, commands.length === 0 ? unit : undefined);
  if (own === "yes" || unit.kind !== "command" || commands.length === 0) return own;
  if (unit.text.includes("\u2026") && !unit.command.words.every(isKnown)) return "unknown";
  const { fed } = unit.command;
  const isFile =
    /(?:^|[\s;])(?:\\ir?|\\\.|\.read|source|@) *\S/.test(unit.text) ||
    unit.args.options.some(({ names, value }) => value && names.some((name) => /^(?:--file|-f)$/.test(name)));
  const answer = fed.text === "" ? "no" : matchTexts([fed.text], pattern, budget);
  if (answer === "yes") return answer;
  return !fed.isWhole || (isFile && fed.text === "") ? "unknown" : anyOf([own, answer]);
}

/** @param unit of which an expression that begins with a program is not asked what only people read. */
function matchTexts(
  texts: readonly string[],
  tests: readonly TextTest[],
  budget: TextBudget,
  unit?: GuardUnit,
): Ternary {
  return anyOf(
    texts.flatMap((text) =>
      tests.map((test): Ternary => {
        const part = text.slice(0, MAX_TESTED_CHARS);
        if (!budget.take(part.length * test.cost)) return "unknown";
        if (test.test(part)) return whether(test.test(withoutProse(part, test, unit)));
        return text.length > MAX_TESTED_CHARS ? "unknown" : "no";
      }),
    ),
  );
}

const isCommand = (first = ""): boolean => (wordUse(first) ?? optionsOf(first)) !== undefined;

function withoutProse(text: string, test: TextTest, unit: GuardUnit | undefined): string {
  if (!unit || unit.kind === "call" || !isCommand(test.first)) return text;
  const commands = unit.kind === "command" ? [unit.command] : unit.commands;
  const said = commands.flatMap(({ words }) => proseWords(words)).filter((word) => test.test(word));
  return said.reduce((rest, word) => rest.replaceAll(word, "…"), text);
}
