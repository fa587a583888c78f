import type { Guard, RuleGuard } from "./guard.ts";
import { type FlagTest, parseFlagTest } from "./entry-tests.ts";
import { npmNames } from "./match-command.ts";
import { PUBLISHING_COMMANDS } from "./publishing-commands.ts";
import { optionsOf } from "./shell/read-arguments.ts";

/** Words with which a guard may be about the start of a program: all subcommands, and one of the flags if there are any. */
interface GuardedStart {
  program: string;
  subcommands: readonly string[];
  flags: readonly FlagTest[];
}

/** Builds call these by the hundred, and what a shell runs is seen by itself: what they change is seen in the files. */
const NEVER: ReadonlySet<string> = new Set(
  "rm mv cp ln sed awk grep find chmod chown touch mkdir cat ls env sh bash zsh dash ksh".split(" "),
);
const REWRITES = ["--force", "--force-with-lease", "--delete", "--mirror"].flatMap(
  (flag) => parseFlagTest(flag) ?? [],
);

function startsOf({ condition, action, duty }: Guard): GuardedStart[] {
  if (action === "warn" || duty) return [];
  const { commands, flags, publishes, rewrites } = condition;
  const named = commands.filter((words) => words.length > 1).map((command) => ({ command, flags }));
  const meant = rewrites.length > 0 ? [{ command: ["git", "push"], flags: REWRITES }] : [];
  const rows = commands.length > 0 ? named : publishes.length > 0 ? PUBLISHING_COMMANDS : meant;
  return rows.flatMap(({ command: [program = "", ...subcommands], flags: needed }) =>
    /^[\w.+-]+$/.test(program) && !NEVER.has(program) ? [{ program, subcommands, flags: needed }] : [],
  );
}

/** The guards that are asked when a program starts: they stop it, and no order decides, which only a session knows. */
export function guardsOfStarts<R extends RuleGuard>(rules: readonly R[]): R[] {
  return rules.filter(({ guard }) => startsOf(guard).length > 0);
}

export function guardedPrograms(rules: readonly RuleGuard[]): string[] {
  return [...new Set(rules.flatMap(({ guard }) => startsOf(guard).map(({ program }) => program)))].sort();
}

/** Shell text that sets `heed_ask` where a guard may be about a start (`words`) or a git alias; `own`: git's own commands. */
export function startFilter(rules: readonly RuleGuard[], own: readonly string[]): string {
  const starts = rules.flatMap(({ guard }) => startsOf(guard));
  const cases = guardedPrograms(rules).map((program) => {
    // By start, the patterns of which each must fit a word.
    const asked = starts
      .filter((start) => start.program === program)
      .map(({ subcommands, flags }) => [
        ...subcommands.map((word) => wordSpellings(word, program)),
        ...(flags.length > 0 ? [flags.flatMap((flag) => flagSpellings(flag, program, subcommands))] : []),
      ])
      .map((needed) => needed.map((spellings) => [...new Set(spellings)].join("|")));
    const patterns = [...new Set(asked.flat())];
    const all = asked.map((needed) => {
      const found = needed.map((pattern) => `$heed_${patterns.indexOf(pattern)}`).join("");
      return `case 1${found} in 1${"1".repeat(needed.length)}) heed_ask=\${heed_ask:-words};; esac`;
    });
    // Settings that the environment gives count as `-c`.
    const isSetting = (pattern: string): boolean => /(?:^|\|)-c\*/.test(pattern);
    const first = patterns.map((one, at) => `heed_${at}=${isSetting(one) ? "${GIT_CONFIG_COUNT:+1}" : ""}`);
    const each = patterns.map((one, at) => `case $heed_w in ${one}) heed_${at}=1;; esac`);
    const loop = each.length > 0 ? [first.join(" "), `for heed_w do\n${each.join("\n")}\ndone`] : [];
    const alias = program === "git" ? [aliasTest(own)] : [];
    return [`${program})`, ...alias, ...loop, ...new Set(all), ";;"].join("\n");
  });
  return `case $heed_p in\n${cases.join("\n")}\nesac\n`;
}

function aliasTest(own: readonly string[]): string {
  const valued = [...(optionsOf("git")?.byName ?? [])].flatMap(([name, { value }]) =>
    value === "next" ? name : [],
  );
  return [
    "heed_v=",
    "for heed_w do",
    "if [ $heed_v ]; then heed_v=; continue; fi",
    `case $heed_w in ${valued.join("|")}) heed_v=1;; -*) ;; ${["''", ...own].join("|")}) break;; *) heed_ask=alias; break;; esac`,
    "done",
  ].join("\n");
}

/** A subcommand of a guard as patterns of a shell. */
function wordSpellings(word: string, program: string): string[] {
  const isScript = /^[\w-]+\.\w+$/.test(word);
  return [word, ...(program === "npm" ? npmNames(word) : []), ...(isScript ? [`*/${word}`] : [])].map(quoted);
}

/** Every way to write a flag, and more, as patterns of a shell: letters among others, shortened and negated long options. */
function flagSpellings(
  { needs, whole }: FlagTest,
  program: string,
  subcommands: readonly string[],
): string[] {
  const commands = [0, 1, 2].map((count) => [program, ...subcommands.slice(0, count)].join(" "));
  const specs = commands.flatMap((command) => optionsOf(command) ?? []);
  const same = (name: string): string[] => [
    name,
    ...specs.flatMap(({ byName }) => byName.get(name)?.names ?? []),
  ];
  // All needs must hold: one that does not is enough to pass.
  const names = [needs[0]?.name ?? "", ...(whole === undefined ? [] : [whole])].flatMap((name) => [
    ...same(name),
    // `-D` is `--delete --force`, `--x=false` is `--no-x`.
    ...(/^-[A-Z]$/.test(name) ? same(name.toLowerCase()) : []),
    ...(name.startsWith("--no-") ? same(`--${name.slice(5)}`) : []),
  ]);
  const isPush = /^--(?:force|delete)$/;
  return [
    ...names.flatMap((name) => spellingsOf(name, specs.length > 0)),
    // `git push origin +main :old`
    ...(names.some((name) => isPush.test(name)) ? ["+*", ":*", ...spellingsOf("--mirror", true)] : []),
    ...(names.includes("-c") ? spellingsOf("--config-env", true) : []),
  ];
}

const MAX_PREFIX = 5;

function spellingsOf(name: string, isShortened: boolean): string[] {
  const long = quoted(name.replace(/^-+/, ""));
  if (/^-[^-]$/.test(name)) return [`-${long}*`, `-[!-]*${long}*`];
  const starts = isShortened ? Array.from({ length: MAX_PREFIX }, (_, at) => long.slice(0, at + 1)) : [];
  return [
    ...starts.filter((start) => start !== long).map((start) => `--${start}`),
    isShortened && long.length > MAX_PREFIX ? `--${long.slice(0, MAX_PREFIX)}?*` : `--${long}`,
    `--${long}=*`,
    `-${long}`,
    `-${long}=*`,
  ];
}

function quoted(pattern: string): string {
  return pattern.replaceAll(/[^\w*?/.:@%+=,-]+/g, (text) => `'${text.replaceAll("'", `'\\''`)}'`);
}
