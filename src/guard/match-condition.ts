import type { Budget } from "./shell/run-context.ts";
import type { Ternary, TextTest } from "./entry-tests.ts";
import { allOf, anyOf, matchesWildcard, MAX_TESTED_CHARS, whether } from "./entry-tests.ts";
import type { CommandUnit, GuardUnit } from "./guard-call.ts";
import type { ConditionPart, GuardCondition } from "./guard.ts";
import { matchPublishes, matchRewrites } from "./match-effects.ts";
import { asksForHelp, optionValues, matchEnv, matchFlags, matchCalled } from "./match-command.ts";
import { type PathQuestion, matchPaths } from "./match-paths.ts";
import { optionsOf } from "./shell/read-arguments.ts";
import { gitUse, proseWords, wordUse } from "./shell/programs.ts";
import { type ShellWord, HOLE, isKnown } from "./shell/shell-command.ts";

/** What matching needs besides condition and unit. */
export type MatchFrame = PathQuestion["frame"] & {
  budget: Budget;
  /** Called with each part that is asked, in order, up to the first that does not hold. */
  onPart?: (part: ConditionPart) => void;
};

/** A subcommand of git that is not its own: the machine may have made it another name of any. */
function isAlias({ program, args }: CommandUnit): boolean {
  const [sub] = args.operands;
  return program === "git" && sub !== undefined && isKnown(sub) && gitUse(sub.text) === undefined;
}

interface Asked extends PathQuestion {
  condition: GuardCondition;
  command: CommandUnit | undefined;
  frame: MatchFrame;
}

/** Whether a setting given as an option, or what the text gives a program to read, has one of the words. */
function saysBehind({ args, program, command: { fed } }: CommandUnit, wanted: readonly string[]): boolean {
  if (program === "git") return false;
  const set = args.options.flatMap(({ value }) => /=(.+)/.exec(value?.text ?? "")?.[1] ?? []);
  return [...set, ...fed.text.split(/[\s=,;]+/)].some((text) => isOneOf(text, wanted));
}

function matchArgs({ command, operands, condition, guard }: Asked): Ternary {
  // `curl --url` has an operand as its value.
  const words = [...operands, ...(command ? optionValues(command, /^--url$/) : [])];
  // The names of git's settings ignore case.
  const isSetting = command?.program === "git" && command.args.operands[0]?.text === "config";
  const wanted = isSetting ? condition.args.map((arg) => arg.toLowerCase()) : condition.args;
  const answers = words.flatMap((word) => {
    const plain = isSetting ? { ...word, text: word.text.toLowerCase() } : plainFolder(word, command);
    return [matchNamed(guard ? targetOf(word, command) : word, condition.args), matchNamed(plain, wanted)];
  });
  return anyOf([...answers, !guard && command && saysBehind(command, condition.args) ? "unknown" : "no"]);
}

const PARTS: Readonly<Record<Exclude<ConditionPart, "command">, (asked: Asked) => Ternary>> = {
  flags: ({ command, condition }) => (command ? matchFlags(command, condition.flags) : "no"),
  args: matchArgs,
  env: ({ command, condition }) => (command ? matchEnv(command, condition.env) : "no"),
  branches: ({ command, condition, guard }) =>
    // All branches include a guarded one, and more than those of an exception.
    command?.branch?.text === "*" ? whether(!guard) : matchNamed(command?.branch, condition.branches),
  remotes: ({ command, condition }) => matchRemote(command?.remote, condition.remotes),
  paths: matchPaths,
  content: ({ unit, condition, frame }) =>
    matchTexts(unit.kind === "call" ? unit.contents : [], condition.content, frame.budget),
  pattern: ({ condition, unit, frame }) => matchPattern(condition, unit, frame.budget),
  rewrites: ({ condition, unit }) => matchRewrites(unit, condition.rewrites),
  publishes: ({ unit }) => matchPublishes(unit),
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
): Ternary {
  const command = unit.kind === "command" ? unit : undefined;
  const { depth, answer: called } = matchCommands(condition, command);
  const answers: Ternary[] = condition.commands.length > 0 ? [called] : [];
  if (answers.length > 0) frame.onPart?.("command");
  if (answers[0] === "no") return "no";
  const isOther = called === "unknown" && command !== undefined && isAlias(command);
  // Settings that nobody has read name any.
  if (isOther && command.args.options.some(({ value }) => value?.text === HOLE)) return "unknown";
  const subs = guard ? Math.max(depth, matchCommands(guard, command).depth) : depth;
  const operands = command?.args.operands.slice(subs) ?? [];
  const asked: Asked = { condition, unit, command, operands, frame, guard };
  for (const part of PART_NAMES) {
    if (condition[part].length === 0) continue;
    frame.onPart?.(part);
    const answer = PARTS[part](asked);
    if (answer === "no") return "no";
    answers.push(answer);
  }
  // An unknown program, or a subcommand that git does not know, may be any: that alone says nothing.
  if (isOther && answers.length === 1) return "no";
  if (called === "unknown" && !answers.includes("yes") && depth === 0) return "no";
  return allOf(answers);
}

function matchCommands(
  { commands }: GuardCondition,
  unit: CommandUnit | undefined,
): { answer: Ternary; depth: number } {
  const help = unit && asksForHelp(unit);
  if (!unit || help === "yes") return { answer: "no", depth: 0 };
  let found: { answer: Ternary; depth: number } = { answer: "no", depth: 0 };
  for (const wanted of commands) {
    const called = matchCalled(unit, wanted);
    const answer = called === "no" && wanted[0] === "git" && isAlias(unit) ? "unknown" : called;
    if (answer === "yes") return { answer: help === "no" ? answer : "unknown", depth: wanted.length - 1 };
    if (answer === "unknown") found = { answer, depth: wanted.length - 1 };
  }
  return found;
}

/** Another spelling of the current folder or of a path in it: `./`, `:/`, an absolute path, `src/`. */
function plainFolder({ text, ...word }: ShellWord, unit: CommandUnit | undefined): ShellWord | undefined {
  if (!text.includes("/") || text.includes("://")) return undefined;
  const plain =
    text === unit?.command.cwd || text === ":/" ? "." : text.replace(/(?<=.)\/+$|^\.\/(?=.)/g, "");
  return plain === text ? undefined : { ...word, text: plain };
}

/** The branch that an operand of a push pushes to; an exception is checked against it. */
function targetOf(word: ShellWord, unit: CommandUnit | undefined): ShellWord | undefined {
  const isSpec = unit?.remote && word !== unit.remote && /:|^\+?refs\//.test(word.text);
  return isSpec ? unit.branch : word;
}

function matchNamed(word: ShellWord | undefined, wanted: readonly string[]): Ternary {
  if (!word) return "no";
  if (!isKnown(word)) return "unknown";
  return whether(isOneOf(word.text, wanted));
}

const isOneOf = (text: string, wanted: readonly string[]): boolean =>
  wanted.some((pattern) => matchesWildcard(text, pattern));

/** A remote by name or address; unknown if command and guard do not name it in the same way. */
function matchRemote(word: ShellWord | undefined, wanted: readonly string[]): Ternary {
  const plain = (text: string): string => text.replaceAll(":", "/");
  const answer = matchNamed(word && { ...word, text: plain(word.text) }, wanted.map(plain));
  const isOther = wanted.some((pattern) => pattern.includes("/") !== word?.text.includes("/"));
  return answer === "no" && word && isOther ? "unknown" : answer;
}

/** Makes one text of those that code joins: `'drop '||'table'`, `"drop" + "Database"`, `Path("src") / "a.ts"`. */
export function joinedTexts(text: string): string {
  return text
    .replace(/["'`]\)?\s*\/\s*["'`]/g, "/")
    .replace(/["'`]\s*(?:\|\||\+)\s*["'`]/g, "")
    .replace(/["'`]\s*\.\.?\s*["'`]/g, "");
}

/** What parts words: comments, white space, `-e` before its value. */
const PARTING =
  /(?: -[a-zA-Z](?=\w)|\/\*!\d*|\/\*[^*]{0,500}\*\/|(?:--(?![a-z][\w-]*(?:[ =]|$))|#)(?:[^\n\\]|\\(?!n))*(?:\n|\\n|$)|\*\/|\\[nrt]|\s)+/g;

/** A statement that a database puts together from parts. */
const IS_MADE = /(?=.*\b(?:execute|prepare|exec)\b)(?=.*(?:\|\||\bconcat|\b(?:cha?r|format) *\())/is;

/** A pattern against a command as text and, where the guard names the program, against what is fed to it. */
function matchPattern({ commands, pattern }: GuardCondition, unit: GuardUnit, budget: Budget): Ternary {
  // `concat('drop ', 'table a')` joins as well.
  const parted = (text: string): string =>
    joinedTexts(text.replace(/(["'])\s?,\s?\1/g, "$1+$1")).replace(PARTING, " ");
  // Only with its line breaks does the end of a comment show.
  const whole = unit.kind === "call" ? JSON.stringify(unit.input).slice(0, MAX_TESTED_CHARS) : unit.text;
  const plain = parted(whole);
  const texts = commands.length === 0 && unit.kind !== "call" ? [unit.text] : [unit.text, plain];
  const own = matchTexts(texts, pattern, budget, commands.length === 0 ? unit : undefined);
  if (unit.kind === "call" && own === "no" && /"(?:sql|query|statement)":/.test(whole) && IS_MADE.test(whole))
    return "unknown";
  if (unit.kind !== "command" || commands.length === 0) return own;
  // A text value of SQL is no statement: `comment on table a is 'never drop table a'`.
  const isSaid = (value: string): boolean => pattern.some((test) => test.test(value));
  const bare = /sql|mariadb/.test(unit.program)
    ? plain.replace(/'[^']*'/g, (value) => (isSaid(value) ? "''" : value))
    : plain;
  if (own === "yes") return bare !== plain && matchTexts([bare], pattern, budget) === "no" ? "unknown" : own;
  if (unit.text.includes("\u2026") && !unit.command.words.every(isKnown)) return "unknown";
  const { fed } = unit.command;
  const isFile =
    /(?:^|[\s;])(?:\\ir?|\\\.|\.read|source|@) *\S/.test(unit.text) ||
    optionValues(unit, /^(?:--file|-f)$/).length > 0;
  const answer = fed.text === "" ? "no" : matchTexts([fed.text, parted(fed.text)], pattern, budget);
  if (answer === "yes") return answer;
  // psql puts its variables in, and runs what a query gives.
  const isMade =
    /sql|mariadb/.test(unit.program) &&
    (/\\gexec|(?<!:):["']?[a-z_]/i.test(fed.text) || IS_MADE.test(`${unit.text} ${fed.text}`));
  return !fed.isWhole || isMade || (isFile && fed.text === "") ? "unknown" : anyOf([own, answer]);
}

/** @param unit given: an expression that begins with a program skips what only people read in it. */
function matchTexts(
  texts: readonly string[],
  tests: readonly TextTest[],
  budget: Budget,
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
  const said = commands.flatMap(({ words }) => proseWords(words));
  return said.reduce((rest, word) => rest.replaceAll(word, "…"), text);
}

/** A command without the options that may be values of others, or that an unknown word may take back. */
export function asStated(unit: GuardUnit): GuardUnit {
  if (unit.kind !== "command") return unit;
  const { operands, options } = unit.args;
  const isOpen = operands.some(({ text, isOperand }) => text.startsWith(HOLE) && !isOperand);
  const certain = isOpen ? [] : options.filter(({ isDoubtful }) => isDoubtful !== true);
  return { ...unit, args: { ...unit.args, options: certain } };
}

/** Whether a command has a word with an unknown piece in it, and none that is unknown as a whole. */
export function isPartlyLiteral(unit: GuardUnit): boolean {
  if (unit.kind !== "command") return false;
  const { words, writes, environment } = unit.command;
  const texts = [...words, ...writes, ...environment.map(({ value }) => value)].map(({ text }) => text);
  return !texts.includes(HOLE) && texts.some((text) => text.includes(HOLE));
}
