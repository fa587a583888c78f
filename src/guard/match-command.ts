import type { FlagNeed, FlagTest } from "./entry-tests.ts";
import { matchesWildcard } from "./entry-tests.ts";
import type { CommandUnit, GuardCondition } from "./guard.ts";
import type { CommandArguments } from "./shell/read-arguments.ts";
import { type ShellWord, isKnown } from "./shell/shell-command.ts";

/** Whether a command has one of some options, and does not switch it off. */
export function hasOption({ args }: Pick<CommandUnit, "args">, flags: RegExp): boolean {
  return args.options.some(({ names, isOff }) => isOff !== true && names.some((flag) => flags.test(flag)));
}

export function optionValues({ args }: Pick<CommandUnit, "args">, flags: RegExp): ShellWord[] {
  return args.options.flatMap(({ names, value }) =>
    value && names.some((flag) => flags.test(flag)) ? value : [],
  );
}

/** Whether a unit calls the program and the subcommands that a guard names. The case of a program is ignored, as some file systems do. */
export function matchCalled({ args, words, program }: CommandUnit, wanted: readonly string[]): boolean {
  const [name] = words;
  const [wantedProgram = "", ...subs] = wanted;
  if (!name || !isKnown(name) || !matchesWildcard(name.text.toLowerCase(), wantedProgram.toLowerCase()))
    return false;
  // They take several targets at once.
  const isTarget = subs.length === 1 && /^(?:[gb]?make|rake|rails|mvnw?|gradlew?|sbt)$/.test(program);
  return isTarget
    ? args.operands.some((word) => fitsSubcommand(program, word.text, subs[0] ?? ""))
    : matchSubcommands(program, args.operands, subs);
}

function matchSubcommands(
  program: string,
  operands: readonly ShellWord[],
  [pattern, ...more]: readonly string[],
): boolean {
  if (pattern === undefined) return true;
  const [operand, ...rest] = operands;
  if (!operand) return false;
  if (fitsSubcommand(program, operand.text, pattern) && matchSubcommands(program, rest, more)) return true;
  // It may be the value of an option that heed does not know.
  return operand.isMaybeValue === true && matchSubcommands(program, rest, [pattern, ...more]);
}

function fitsSubcommand(program: string, text: string, pattern: string): boolean {
  return (
    matchesWildcard(text, pattern) ||
    // A script by its path.
    (/^[\w-]+\.\w+$/.test(pattern) && text.endsWith(`/${pattern}`)) ||
    (program === "npm" && npmNames(pattern).includes(text))
  );
}

const NPM_NAMES: readonly (readonly string[])[] =
  "ci/clean-install/ic/install-clean exec/x install/add/i/in/ins/inst/insta/instal run/run-script/rum/urn test/t/tst uninstall/un/unlink/remove/rm/r update/up/upgrade publish/publis/publi/publ/pub"
    .split(" ")
    .map((names) => names.split("/"));

/** All names of one of npm's subcommands; none of what has only one. */
export function npmNames(name: string): readonly string[] {
  return NPM_NAMES.find((names) => names.includes(name)) ?? [];
}

export function matchFlags(unit: CommandUnit, tests: readonly FlagTest[]): boolean {
  return tests.some((test) => matchFlag(unit, test));
}

function matchFlag({ args }: CommandUnit, { needs, whole }: FlagTest): boolean {
  if (whole !== undefined && matchNeed(args, { name: whole, value: undefined })) return true;
  // The letters of a long option are not options: `-auto-approve=false`.
  const isLong = args.options.some(({ names: [name = ""] }) => name === whole);
  return !isLong && needs.every((need) => matchNeed(args, need));
}

function matchNeed({ options, spec }: CommandArguments, { name, value }: FlagNeed): boolean {
  const given = options.filter(({ names }) => names.includes(name));
  if (value === undefined) {
    const has = (one: string): boolean => options.some(({ names }) => names.includes(one));
    // `git branch -D` is `--delete --force`.
    if (spec && /^-[A-Z]$/.test(name) && has(name.toLowerCase()) && has("--force")) return true;
    const last = given.at(-1);
    if (last) return last.isOff !== true;
    // `--x=false` is `--no-x`.
    const positive = name.startsWith("--no-") ? `--${name.slice(5)}` : undefined;
    return options.some(({ names, isOff }) => positive && isOff === true && names.includes(positive));
  }
  return given.some((option) => {
    if (!option.value) return false;
    // The names of git's and ssh's settings ignore case.
    const isSetting = (name === "-c" && value.includes(".")) || (name === "-o" && value.includes("="));
    if (!isSetting) return matchesWildcard(option.value.text, value);
    const text = option.value.text.toLowerCase().replace(/^(\w+) +/, "$1=");
    return matchesWildcard(text, value.toLowerCase()) || falseAsOne(text) === falseAsOne(value.toLowerCase());
  });
}

function falseAsOne(setting: string): string {
  return setting.replace(/=(?:no|off|0|)$/, "=false");
}

export function matchEnv({ environment }: CommandUnit, wanted: GuardCondition["env"]): boolean {
  return wanted.some(({ name, value }) => {
    const given = environment.findLast((assignment) => assignment.name === name);
    return given !== undefined && (value === undefined || matchesWildcard(given.value.text, value));
  });
}
