import { commandsIn } from "../../machine/shell-word.ts";
import type { Fields, ToolOutcome } from "./transcript/transcript-event.ts";
import { callUnitOf } from "../../guard/guard-call.ts";
import { EDIT_TOOLS, isShellTool, toolNameOf } from "../../guard/tools.ts";
import { cutText } from "../../memory/shown-text.ts";
import type { FailedCommand, Passage, PendingCommand } from "../../here/records/past-conversations.ts";
import { redactSecrets } from "../../memory/screening/find-secrets.ts";

/** The command line of a call of a shell; undefined for other tools. */
export function commandOfCall(tool: string, input: Fields): string | undefined {
  if (!isShellTool(tool)) return undefined;
  const command = input["command"] ?? input["cmd"];
  if (typeof command === "string") return command;
  if (!Array.isArray(command)) return undefined;
  const words = command.map(String);
  // `["bash", "-lc", "npm test"]`: the script is the command.
  return /^(?:\/\S*\/)?(?:ba|z|da)?sh$/.test(words[0] ?? "") && /^-\w*c$/.test(words[1] ?? "")
    ? (words[2] ?? "")
    : words.join(" ");
}

export function filesOfCall(tool: string, input: Fields): string[] {
  const call = { tool: toolNameOf(tool), input, cwd: "", roots: [], home: "~" };
  const { names, paths } = callUnitOf(call);
  if (!names.some((name) => EDIT_TOOLS.includes(name))) return [];
  return [...new Set(paths.map(({ text }) => text))].slice(0, 50);
}

/** Reads without effect: not worth a line in an episode when they succeed. */
const LOOKS =
  /^(?:cd|ls|cat|head|tail|pwd|echo|printf|grep|rg|find|fd|wc|sed -n|awk|which|type|tree|stat|file|du|df|env|date|sleep|true|jq|sort|uniq|cut|test|for|while|if|do|done|then|fi|git (?:status|log|diff|show|branch|rev-parse|remote|ls-files|blame|fetch|stash list)|gh api|gh \w+ (?:view|list|diff|checks|status|watch))\b/;

/** Whether every part of a command line is a look around. */
export function isLook(command: string): boolean {
  return programsOf(command).every((program) => LOOKS.test(program));
}

/** Programs whose first word says little: the second tells what is done. */
const WITH_SUBCOMMAND =
  /^(?:git|gh|npm|npx|pnpm|yarn|bun|bunx|docker|docker-compose|kubectl|cargo|go|pip|pip3|uv|poetry|brew|apt|apt-get|systemctl|make|terraform|aws|gcloud|az|dotnet|mvn|gradle|rails|bundle|composer|deno|just|turbo|nx|supabase|vercel|fly|heroku|wrangler)$/;

/** What starts another program: `python -m pytest` and `uv run pytest` run pytest. */
const LAUNCHER =
  /^(?:(?:uv|poetry|pdm|pipenv|hatch) run|npx|bunx|(?:npm|pnpm|yarn) (?:exec|dlx)|bundle exec|python[\d.]* -m) /;

const MAX_COMMAND_CHARS = 4000;

/** One command of a command line, as two tries at the same thing are compared. */
interface RunCommand {
  /** With its subcommand: `npm test`. */
  program: string;
  /** What stands before it: the environment, `sudo`, what starts it. */
  before: string[];
  /** What follows the program's name, without redirections. */
  args: string[];
}

function readCommand(given: readonly string[]): RunCommand | undefined {
  const [first = "", ...rest] = given;
  // `ID=$(curl …)` runs curl.
  let words = [...first.replace(/^\w+=\$\(/, "").split(/\s+/), ...rest];
  while (words.length > 0 && isPrefix(words[0] ?? "")) words.shift();
  if (LAUNCHER.test(words.join(" "))) {
    words.splice(0, words[0]?.endsWith("x") ? 1 : 2);
    while (words[0]?.startsWith("-")) words.shift();
  }
  if (words[0] === "timeout" || words[0] === "gtimeout") words.splice(0, 2);
  // `sh tools/build`: the script is the program.
  if (/^(?:ba|z|da)?sh$/.test(words[0] ?? "") && /^[^-]/.test(words[1] ?? "")) words.shift();
  const name = (words[0] ?? "").split("/").at(-1) ?? "";
  if (!/^[\w.+-]{1,60}$/.test(name)) return undefined;
  const before = given.slice(0, Math.max(0, given.length - words.length));
  words = words.slice(1);
  const sub = WITH_SUBCOMMAND.test(name) ? subcommandsOf(words) : [];
  // `gh pr` says as little as `gh`.
  const program = [name, ...sub.slice(0, name === "gh" ? 2 : 1)].join(" ");
  return { program, before, args: words.filter((word) => !/^\d*&?[<>]/.test(word)) };
}

function commandsOf(command: string): string[][] {
  return commandsIn(withoutHeredocs(command.slice(0, MAX_COMMAND_CHARS)));
}

/** The programs that a command line runs, with their subcommands: `npm ci && git -C x push` gives `npm ci`, `git push`. */
export function programsOf(command: string): string[] {
  const programs = commandsOf(command).flatMap((words) => readCommand(words)?.program ?? []);
  return [...new Set(programs)].slice(0, 20);
}

/** The programs by which two tries at the same thing are found; empty where a command only looks around. */
export const doingOf = (command: string): string =>
  partsDoing(command)
    .commands.map(({ program }) => program)
    .join(" && ");

function partsDoing(command: string): { commands: RunCommand[]; settings: string[] } {
  const all = commandsOf(command).map((words) => ({ words, read: readCommand(words) }));
  const isSetting = ({ words }: (typeof all)[number]): boolean =>
    SETS.has(words[0] ?? "") || words.every((word) => /^\w+=/.test(word));
  const commands = all.flatMap((one) =>
    one.read && !isSetting(one) && !LOOKS.test(one.read.program) ? [one.read] : [],
  );
  const settings = all.filter(isSetting).map(({ words }) => words.join(" "));
  return { commands, settings: [...settings, ...commands.map(({ before }) => before.join(" "))] };
}

const SETS = new Set(["cd", "export", "source", "."]);

/** Whether a command line is another try at the same: programs and operands are alike, word by word, and environment, folder or flags differ. */
export function isOtherTry(one: string, other: string): boolean {
  const [a, b] = [partsDoing(one), partsDoing(other)];
  const areAlike =
    a.commands.length > 0 &&
    a.commands.length === b.commands.length &&
    a.commands.every(({ program, args }, i) => {
      const beside = b.commands[i];
      return beside?.program === program && differOnlyInFlags(args, beside.args);
    });
  const plain = ({ commands, settings }: typeof a): string =>
    JSON.stringify([settings, commands.map(({ args }) => args)]);
  return areAlike && plain(a) !== plain(b);
}

/** A flag that only one of them has may bring its value along. */
function differOnlyInFlags(a: readonly string[], b: readonly string[]): boolean {
  const without = (some: readonly string[], others: readonly string[]): string[] => {
    const isOwn = some.map((word) => !others.includes(word));
    const isOwnFlag = some.map((word, i) => isOwn[i] === true && word.startsWith("-"));
    return some.filter((_, i) => !isOwnFlag[i] && !(isOwn[i] === true && isOwnFlag[i - 1] === true));
  };
  return without(a, b).join("\0") === without(b, a).join("\0");
}

function isPrefix(word: string): boolean {
  return /^(?:\w+=.*|sudo|time|env|command|exec|nohup|\(|\{|!|do|then|else|if|while)$/.test(word);
}

function subcommandsOf(words: readonly string[]): string[] {
  const found: string[] = [];
  for (let i = 0; i < words.length && found.length < 2; i++) {
    const word = words[i] ?? "";
    if (/^-(?:C|c|f|p|R)$|^--(?:prefix|cwd|dir|filter|project|git-dir|work-tree|repo)$/.test(word)) i++;
    else if (!word.startsWith("-")) {
      if (!/^[\w:.@/-]{1,40}$/.test(word)) break;
      found.push(word);
    }
  }
  return found;
}

export function withoutHeredocs(command: string): string {
  const lines = command.split("\n");
  const kept: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    kept.push(line);
    const mark = /<<-?\s*["']?(\w{1,40})["']?/.exec(line)?.[1];
    if (mark === undefined) continue;
    while (i + 1 < lines.length && lines[i + 1]?.trim() !== mark) i++;
    i++;
  }
  return kept.join("\n");
}

export function oneLine(text: string, maxChars: number): string {
  // Only the beginning of a long text is folded; blanks may shrink.
  const line = text
    .slice(0, maxChars * 4 + 200)
    .replace(/\s+/g, " ")
    .trim();
  return cutText(line, maxChars, true);
}

export function setBounded<T>(record: Record<string, T>, key: string, value: T, max: number): void {
  record[key] = value;
  const [oldest, ...others] = Object.keys(record);
  if (others.length >= max && oldest !== undefined) delete record[oldest];
}

export function pushBounded<T>(list: T[], item: T, max: number): void {
  list.push(item);
  if (list.length > max) list.shift();
}

const MAX_FOLLOWED = 200;

/** The time from which on nothing stands, where a message follows what another one followed before; undefined else. */
export function rewoundTo(
  followed: Record<string, string>,
  { time, parent = "" }: { time: string; parent?: string },
): string | undefined {
  if (parent === "" || time === "") return undefined;
  const before = Object.hasOwn(followed, parent) ? followed[parent] : undefined;
  setBounded(followed, parent, time, MAX_FOLLOWED);
  return before;
}

export interface Struggle {
  text: string;
  failures: number;
  failed: string;
}

/** Whether the model is asked about a struggle: after two failures and another command, or three and the same. */
export function isAsked({ failures = 0, failed, text }: Passage): boolean {
  return failures >= (failed === workedIn(text) ? 3 : 2);
}

const FAILED = "failed: ";
const WORKED = "worked then: ";

export function workedIn(text: string): string {
  const line = text.split("\n").at(-1) ?? "";
  return line.startsWith(WORKED) ? line.slice(WORKED.length) : "";
}

/** What may be a command that failed, of the text of a struggle: the output behind it is in brackets, and so may its own end be. */
export function triesIn(text: string): string[] {
  const lines = text.split("\n").filter((line) => line.startsWith(FAILED));
  return lines.flatMap((line) =>
    Array.from(line.matchAll(/ \(/g), ({ index }) => line.slice(FAILED.length, index)),
  );
}

/** After this many other commands a failure is given up. */
const MAX_AGE = 25;
const MAX_OPEN = 8;
const MAX_TRIES = 5;
const MAX_CHANGES = 6;

/** Takes the result of a command: by exit status, test summary and program names tells whether a struggle ended; never by prose. */
export function trackStruggles(
  open: FailedCommand[],
  { what, size, programs }: PendingCommand,
  given: ToolOutcome,
  output: string,
): Struggle | undefined {
  for (const failure of open.splice(0)) if ((failure.age += 1) <= MAX_AGE) open.push(failure);
  const doing = programs.filter((program) => !isLook(program));
  if (given === "refused" || doing.length === 0) return undefined;
  const hasFailed = given === "failed" || TESTS_FAILED.test(output.replaceAll(ESCAPES, ""));
  const at = open.findLastIndex((failure) => failure.programs.some((program) => doing.includes(program)));
  const known = open[at];
  if (hasFailed) {
    const failure = known ?? {
      programs: doing,
      tries: [],
      failed: what,
      failures: 0,
      size,
      age: 0,
      changes: [],
    };
    if (!known) pushBounded(open, failure, MAX_OPEN);
    failure.age = 0;
    failure.failed = what;
    failure.size = size;
    failure.failures += 1;
    // The first and the last tries tell most.
    const line = `${FAILED}${what} (${lastLine(redactSecrets(output))})`;
    if (!failure.tries.includes(line)) failure.tries.push(line);
    if (failure.tries.length > MAX_TRIES) failure.tries.splice(1, 1);
    return undefined;
  }
  if (!known) {
    noteChange(open, oneLine(what, 80));
    return undefined;
  }
  open.splice(at, 1);
  const { tries, failures, failed, changes } = known;
  const isSame = known.size === size && tries.every((line) => line.startsWith(`${FAILED}${what} (`));
  // It passed by itself: a network, a lock.
  if (isSame && changes.length === 0) return undefined;
  const changed = changes.length === 0 ? [] : [`changed meanwhile: ${changes.join("; ")}`];
  return { text: [...tries, ...changed, WORKED + what].join("\n"), failures, failed };
}

/** Notes a changed file or a command that was run for all that has failed. */
export function noteChange(open: readonly FailedCommand[], what: string): void {
  for (const { changes } of open) if (!changes.includes(what)) pushBounded(changes, what, MAX_CHANGES);
}

const ESCAPES = /\p{Cc}\[[\d;]{0,20}m/gu;

/** Summaries of failed runs: pytest and unittest; Go; Cargo; Maven and Gradle; Jest, Vitest, Mocha, Playwright, Bun, node. */
const TESTS_FAILED = new RegExp(
  [
    "=* ?(?:\\d+ \\w+, )?[1-9]\\d* (?:failed|errors?)\\b.* in [\\d.]+s\\b",
    "FAILED \\((?:failures|errors)=\\d",
    "(?:FAIL|--- FAIL:)(?:\\s|$)",
    "test result: FAILED\\.|error: could not compile",
    "\\[(?:INFO|ERROR)\\] BUILD FAILURE|BUILD FAILED\\b",
    "[ \\t]*Tests:?[ \\t]+(?:\\d+ \\w+[,| ]+)*[1-9]\\d* failed",
    "[ \\t]+[1-9]\\d* (?:failing|failed|fail)$",
    "[ℹ#] fail [1-9]",
  ]
    .map((form) => `^(?:${form})`)
    .join("|"),
  "m",
);

function lastLine(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return oneLine(lines.at(-1) ?? "", 240);
}
