import { commandsIn } from "../../machine/shell-word.ts";
import type { Fields } from "./transcript/transcript-event.ts";
import { callUnitOf } from "../../guard/guard-call.ts";
import { EDIT_TOOLS, isShellTool, toolNameOf } from "../../guard/tools.ts";

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
