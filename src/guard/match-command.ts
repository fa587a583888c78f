import type { FlagNeed, FlagTest, Ternary } from "./entry-tests.ts";
import { allOf, anyOf, matchesWildcard, whether } from "./entry-tests.ts";
import type { CommandUnit } from "./guard-call.ts";
import type { GuardCondition } from "./guard.ts";
import { optionsOf, type CommandArguments } from "./shell/read-arguments.ts";
import { type ShellWord, HOLE, isKnown } from "./shell/shell-command.ts";

/** Whether a command has one of some options, and does not switch it off. */
export function hasOption({ args }: Pick<CommandUnit, "args">, flags: RegExp): boolean {
  return args.options.some(({ names, isOff }) => isOff !== true && names.some((flag) => flags.test(flag)));
}

/** The values of some options of a command. */
export function optionValues({ args }: Pick<CommandUnit, "args">, flags: RegExp): ShellWord[] {
  return args.options.flatMap(({ names, value }) =>
    value && names.some((flag) => flags.test(flag)) ? value : [],
  );
}

/** Whether a unit calls the program and the subcommands that a guard names. */
export function matchCalled(unit: CommandUnit, wanted: readonly string[]): Ternary {
  const program = matchProgram(unit, wanted);
  return program === "no" ? program : allOf([program, matchSubcommands(unit, wanted)]);
}

/** Whether a unit's program is the one that a guard names; ignores case, as some file systems do. */
function matchProgram(unit: CommandUnit, wanted: readonly string[]): Ternary {
  const [name] = unit.command.words;
  if (!name) return "no";
  if (!isKnown(name)) return "unknown";
  return whether(matchesWildcard(name.text.toLowerCase(), (wanted[0] ?? "").toLowerCase()));
}

/** Whether the first operands of a unit are the subcommands that a guard names. */
function matchSubcommands({ args, command, program }: CommandUnit, wanted: readonly string[]): Ternary {
  const isCompleting = /^(?:hg|ip|nmcli)$/.test(program);
  const fits = (text: string, pattern: string): boolean =>
    matchesWildcard(text, pattern) ||
    // A script by its path.
    (/^[\w-]+\.\w+$/.test(pattern) && text.endsWith(`/${pattern}`)) ||
    (program === "npm" && fitsNpm(text, pattern)) ||
    (isCompleting && text.length > 1 && pattern.startsWith(text));
  const [sub = "", more] = wanted.slice(1);
  // They take several targets at once.
  const isTarget = sub !== "" && more === undefined && /^(?:[gb]?make|rake|rails)$/.test(program);
  const answer = isTarget
    ? anyOf(args.operands.map((word) => matchOperands([word], [sub], fits)))
    : matchOperands(args.operands, wanted.slice(1), fits);
  if (answer !== "no" || /^(?:git|npm|pnpm|yarn|bun)$/.test(program)) return answer;
  // It may be taken from a later word, from what the program is fed, or an alias: `mix do ecto.drop, x`, `helm secrets upgrade`.
  const { fed, before = "" } = command;
  const given = [...args.operands.map(({ text }) => text), fed.text, /alias/i.test(before) ? before : ""]
    .join(" ")
    .split(/[\s"'`()[\]{},;]+/);
  return wanted.slice(1).every((one) => given.includes(one)) ? "unknown" : "no";
}

/** Whether a command only shows its help; unknown for a program that heed does not know. */
export function asksForHelp(unit: CommandUnit): Ternary {
  if (!hasOption(unit, /^--help$/)) return "no";
  return optionsOf(unit.program) === undefined ? "unknown" : "yes";
}

/** npm's own subcommands, each with its other names, and those that do it and more; npm completes an unambiguous beginning. */
const NPM_COMMANDS: readonly (readonly string[])[] =
  "access adduser/add-user approve-scripts audit bugs/issues cache/c ci/clean-install/ic/install-clean/isntall-clean/install-ci-test/cit/clean-install-test/sit completion config/c dedupe/ddp deprecate diff dist-tag/dist-tags docs/home doctor edit exec/x explain/why explore find-dupes fund get help/hlep help-search init/create/innit install/add/i/in/ins/inst/insta/instal/isnt/isnta/isntal/isntall/install-test/it link/ln ll/la login logout ls/list org/ogr outdated owner/author pack ping pkg prefix profile prune publish query rebuild/rb repo restart root run-script/run/rum/urn sbom search/find/s/se set shrinkwrap star stars start stop team test/t/tst token trust undeprecate uninstall/un/unlink/remove/rm/r unpublish unstar update/up/upgrade/udpate version/verison view/v/info/show whoami"
    .split(" ")
    .map((names) => names.split("/"));

function fitsNpm(text: string, wanted: string): boolean {
  const meant = NPM_COMMANDS.filter((names) => names.includes(text));
  const begun = NPM_COMMANDS.filter(
    (names) => text.length > 1 && names.some((name) => name.startsWith(text)),
  );
  const found = meant.length > 0 ? meant : begun.length === 1 ? begun : [];
  return found.some((names) => names.includes(wanted));
}

function matchOperands(
  operands: readonly ShellWord[],
  wanted: readonly string[],
  fits: (text: string, pattern: string) => boolean,
): Ternary {
  const [pattern, ...restWanted] = wanted;
  if (pattern === undefined) return "yes";
  const [operand, ...rest] = operands;
  if (!operand) return "no";
  // An unknown word may be the subcommand, or a word before it.
  const isOther = !operand.text.includes(HOLE) && !fits(operand.text, pattern);
  const asSubcommand = isOther ? "no" : matchOperands(rest, restWanted, fits);
  if (isKnown(operand) && asSubcommand === "yes") return "yes";
  const asOther = operand.isMany || operand.isMaybeValue ? matchOperands(rest, wanted, fits) : "no";
  return asSubcommand === "no" && asOther === "no" ? "no" : "unknown";
}

/** By their numbers, from 1. */
const SIGNALS = "HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM".split(" ");

/** The signals that options name, by number: `-9`, `-SIGKILL`, `-s KILL`, `--signal=9`. */
function signalsIn(words: readonly string[]): string[] {
  const text = words.map((word) => word.replace(/\s/g, "_")).join(" ");
  const named = text.matchAll(/(?<= )-(?:(?:[sn]|-signal)[ =]?)?(?:SIG|sig)?([A-Za-z]+|\d+)(?= |$)/g);
  return Array.from(named, ([, name = ""]) => String(SIGNALS.indexOf(name.toUpperCase()) + 1 || name));
}

/** Whether a unit has one of the flags that a guard names. */
export function matchFlags(unit: CommandUnit, tests: readonly FlagTest[]): Ternary {
  return anyOf(tests.map((test) => matchFlag(unit, test)));
}

/** Variables and options that choose where a program works; of what an earlier command chose, the reader makes one. */
const CHOOSES =
  /(?:CONFIG|CONTEXT|WORKSPACE|PROFILE|NAMESPACE|CLUSTER|PROJECT|STACK|HOST|REGION|^-.*config)$/;

function matchFlag(unit: CommandUnit, { text, needs, whole }: FlagTest): Ternary {
  const { args, command, program } = unit;
  const isKill = /^(?:[pk]|sk)?kill(?:all)?$/.test(program);
  const [asked] = isKill && /^-(?:SIG)?(?:[A-Z]+|\d+)$/.test(text) ? signalsIn(["", text]) : [];
  if (asked !== undefined && signalsIn(command.words.map((word) => word.text)).includes(asked)) return "yes";
  const ofWhole = whole === undefined ? "no" : matchNeed(args, { name: whole, value: undefined });
  if (ofWhole === "yes") return ofWhole;
  // The letters of a long option are not options: `-auto-approve=false`.
  const isLong = args.options.some(({ names: [name = ""] }) => name === whole);
  const answer = isLong ? "no" : allOf(needs.map((need) => matchNeed(args, need)));
  if (answer !== "no") return answer;
  // `TF_CLI_ARGS=-auto-approve` goes on to the program.
  const { environment, before = "" } = command;
  const isPassedOn = needs.every((need) => {
    const flag = whole ?? need.name;
    // `PIP_BREAK_SYSTEM_PACKAGES=1`, `pip config set global.break-system-packages true` or an alias before it.
    const long = need.value === undefined && flag.length > 5 && flag.replace(/^-+/, "");
    if (long && /alias|config/i.test(before) && before.includes(long)) return true;
    const setting = long && `_${long.replaceAll("-", "_").toUpperCase()}`;
    return environment.some(
      ({ name, value }) =>
        (/ARG|OPT|FLAG|PARAM/i.test(name) && value.text.split(/[\s']+/).includes(flag)) ||
        (setting && name.endsWith(setting) && !/^(?:0|false|no|off|)$/i.test(value.text)),
    );
  });
  const given = args.options.flatMap(({ names }) => names);
  const isElsewhere = needs.some(
    ({ name, value }) =>
      value !== undefined &&
      (!given.includes(name) || /\b(?:rename|set-context)/.test(before)) &&
      mayWorkElsewhere(unit, value),
  );
  // curl has options in files too.
  const isInFile = program === "curl" && given.includes("--config");
  return args.hasUnknown || isPassedOn || isElsewhere || isInFile ? "unknown" : "no";
}

/**
 * Whether something else than what a guard names may give a command the wanted value: what the text chose before, a
 * variable or an option that chooses, or one of them, or the text before, that speaks of the value.
 */
function mayWorkElsewhere({ command, args, program }: CommandUnit, wanted: string): boolean {
  const { environment, fed, before = "" } = command;
  if (program === "git") return false;
  const options = args.options.map(({ names: [name = ""], value }) => ({ name, value }));
  const given = [...environment, ...options.filter(({ name }) => !SELECTS.test(name))];
  if (given.some(({ name }) => CHOOSES.test(name))) return true;
  const said = [before, fed.text, ...given.flatMap(({ value }) => value?.text ?? [])];
  const parts = said.flatMap((text) => [text, ...text.split(/[^\w.*-]+/), ...text.split(/[^a-z\d*]+/i)]);
  return /[a-z]{2}/i.test(wanted) && parts.some((text) => matchesWildcard(text, wanted));
}

/** Options that say of what, or how it is shown, and not where. */
const SELECTS = /^-(?:[lomf]|-(?:.*selector|output|message|filename))$/;

function matchNeed({ options, spec }: CommandArguments, { name, value }: FlagNeed): Ternary {
  const given = options.filter(({ names }) => names.includes(name));
  const isOpen = spec?.byName.has(name) !== true;
  if (value === undefined) {
    const last = given.at(-1);
    const has = (one: string): boolean => options.some(({ names }) => names.includes(one));
    // `git branch -D` is `--delete --force`.
    if (spec && /^-[A-Z]$/.test(name) && has(name.toLowerCase()) && has("--force")) return "yes";
    if (last && last.isOff !== true) return last.isOff === "unknown" ? "unknown" : "yes";
    // `--x=false` is `--no-x`.
    const positive = name.startsWith("--no-") && `--${name.slice(5)}`;
    if (options.some(({ names, isOff }) => positive && isOff === true && names.includes(positive)))
      return "yes";
    // An option that heed does not know may be another spelling of this one; the end of `--no-$X` is unknown.
    const isMaybe = options.some(
      ({ names: [one = ""], isOff }) =>
        (isOpen && isOff !== true && mayBeSame(one, name)) ||
        (one.includes(HOLE) && matchesWildcard(name, one.replaceAll(HOLE, "*"))),
    );
    return isMaybe ? "unknown" : "no";
  }
  // Of a program that heed does not know `--proj x` may be `--project x`.
  const maybe = options.filter((option) => isOpen && mayBeSame(option.names[0] ?? "", name));
  if (maybe.some((option) => option.value && matchesWildcard(option.value.text, value))) return "unknown";
  return anyOf(
    given.map((option) => {
      if (!option.value) return "no";
      if (option.value.text.includes(HOLE) && !option.value.text.includes("=")) return "unknown";
      // The names of git's and ssh's settings ignore case.
      const isSetting = (name === "-c" && value.includes(".")) || (name === "-o" && value.includes("="));
      const [text, wanted] = isSetting
        ? [option.value.text.toLowerCase().replace(/^(\w+) +/, "$1="), value.toLowerCase()]
        : [option.value.text, value];
      if (matchesWildcard(text, wanted) || (isSetting && falseAsOne(text) === falseAsOne(wanted)))
        return "yes";
      return option.value.text.includes(HOLE) || option.value.stream !== undefined ? "unknown" : "no";
    }),
  );
}

/** Whether an option may be the beginning of the other, or its letter. */
function mayBeSame(given: string, name: string): boolean {
  if (/^--\w{2,}/.test(given) && name.startsWith(given)) return given !== name;
  const [short = "", long = ""] = [given, name].sort((a, b) => a.length - b.length);
  return /^-\w$/.test(short) && long.toLowerCase().startsWith(`-${short.toLowerCase()}`);
}

/** Git takes `no`, `off`, `0` and nothing for `false`. */
function falseAsOne(setting: string): string {
  return setting.replace(/=(?:no|off|0|)$/, "=false");
}

/** Whether a unit's environment has one of the assignments. */
export function matchEnv(unit: CommandUnit, wanted: GuardCondition["env"]): Ternary {
  const { environment } = unit.command;
  return anyOf(
    wanted.map(({ name, value }) => {
      const given = environment.findLast((assignment) => assignment.name === name);
      const isOpen = environment.some((one) => one.name.includes(HOLE));
      if (!given) return isOpen || (value !== undefined && mayWorkElsewhere(unit, value)) ? "unknown" : "no";
      if (value === undefined) return "yes";
      return isKnown(given.value) ? whether(matchesWildcard(given.value.text, value)) : "unknown";
    }),
  );
}
