import type { FedText, ForeignText, ShellCommand } from "./shell-command.ts";
import type { FunctionBody, ShellState } from "./shell-state.ts";
import { copyState } from "./shell-state.ts";
import type { Budget } from "./shell-limits.ts";
import { MAX_SHELL_CHARS } from "./shell-limits.ts";
import type { ShellWord } from "./shell-word.ts";
import { HOLE, isKnown, knownWord } from "./shell-word.ts";

/** Where in a text a command stands. */
export interface RunContext {
  shell: ShellRuntime;
  state: ShellState;
  route: readonly string[];
  /** How many scripts, functions and wrappers are around it. */
  depth: number;
  /** What it reads from its standard input; undefined when that cannot be told. */
  input: string | undefined;
  /** What printed that, as text. */
  source?: string;
}

/** What running a command needs of the reading around it. */
export interface ShellRuntime {
  budget: Budget;
  home: string | undefined;
  /** Notes a command that would run. */
  note(command: ShellCommand): void;
  /** Notes words that a program may run in a way of its own. */
  foreign(text: ForeignText): void;
  /** Notes that something would run which cannot be read. */
  blind(reason: string): void;
  /** Reads a text as a script; what it prints, where that can be told. */
  runText(text: string, context: RunContext): string | undefined;
  runBody(body: FunctionBody, context: RunContext): string | undefined;
  /** Follows a command that another one runs. */
  runPrepared(command: PreparedCommand, context: RunContext): string | undefined;
}

/** A command as the text has it: expanded, with what belongs to it. */
export type PreparedCommand = Pick<ShellCommand, "words" | "environment" | "writes">;

/** Reads a text as a script inside of another command, with what of the state is its own. */
export function runInside(
  label: string,
  text: string,
  context: RunContext,
  own?: Partial<ShellState>,
): string | undefined {
  // What made a file stands behind the hole: its text is not told, and may say the same.
  if (text.startsWith(`${HOLE}\n`) || (text !== "" && text.replaceAll(HOLE, "").trim() === ""))
    context.shell.blind(`${label} runs a text that only the shell knows`);
  return context.shell.runText(asScript(text), within(label, context, own));
}

/** The context inside of a command, with what of the state is its own. */
export function within(label: string, context: RunContext, own?: Partial<ShellState>): RunContext {
  const state = own ? { ...context.state, ...own } : context.state;
  return { ...context, state, route: [...context.route, label], depth: context.depth + 1 };
}

/** Reads an alias's text with the words that follow it. */
export function runAlias(
  label: string,
  text: string,
  rest: readonly ShellWord[],
  context: RunContext,
): string | undefined {
  // The words go on as the positionals of the text: quoted there, they stay as they are.
  return runInside(label, rest.length > 0 ? `${text} "$@"` : text, context, { positionals: rest });
}

/** A script's text with its unknown pieces as expansions of a variable that nobody sets. */
export function asScript(text: string): string {
  return text.replaceAll(HOLE, "${__heed_unknown}");
}

/** The text that the script itself wrote to a file; of one whose name cannot be told, that nobody knows it. */
export function fileText(file: ShellWord, { files, cwd }: ShellState): string | undefined {
  const path = isKnown(file) ? absolutePath(file.text, cwd) : HOLE;
  return path === undefined ? undefined : files.get(path);
}

/** What comes to a command by its input, by substitutions and by files that the text itself wrote. */
export function fedTo(words: readonly ShellWord[], { input, state }: RunContext): FedText {
  const files = words.flatMap((word) => {
    if (word.stream !== undefined || state.files.size === 0) return word.stream;
    // `source q.sql` is a word that names a file.
    return word.text.split(/\s+/).map((text) => fileText({ ...word, text }, state));
  });
  return {
    text: [input, ...files].filter((text) => text !== undefined && text !== "").join("\n"),
    isWhole: [input ?? HOLE, ...files].every((text) => text?.includes(HOLE) !== true),
  };
}

/** Notes the words of a program that may run them in a way of its own, with what is fed to it. */
export function noteForeign(words: readonly ShellWord[], program: string, context: RunContext): void {
  const { shell, state } = context;
  // What git and its like read goes into commits, pages and requests; others, `make`, read what nobody told them.
  const isFed = !SENDS.test(program);
  const texts = words.map(({ text }) => text);
  const fed = isFed ? [fedTo(words, context).text] : [];
  const text = [...texts, ...fed].join(" ").slice(0, MAX_SHELL_CHARS);
  const phrases = [...texts.filter((one) => /[\s"'(;>]/.test(one)), ...fed]
    .join("\n")
    .slice(0, MAX_SHELL_CHARS);
  if (/[\w\0]/.test(text)) shell.foreign({ program, text, phrases, cwd: state.cwd });
  if (isFed)
    for (const file of state.files.values())
      shell.foreign({ program, text: file, phrases: file, cwd: state.cwd });
}

const SENDS = /^(?:git|gh|glab|hub|curl)$/;

/** A path made absolute without asking the file system; undefined when the directory is not known, or deeper than any. */
export function absolutePath(path: string, cwd: string | undefined): string | undefined {
  const whole = path.startsWith("/") ? path : (cwd?.length ?? Infinity) > 4096 ? undefined : `${cwd}/${path}`;
  if (whole === undefined || !/\/(?:\.|\/|$)/.test(whole)) return whole;
  const segments: string[] = [];
  for (const segment of whole.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

/** A subshell's context: what it sets is gone afterwards. */
export function inSubshell(context: RunContext): RunContext {
  return { ...context, state: copyState(context.state) };
}

/** Files in which git's settings lie. */
const GIT_SETTINGS = /(?:^|\/)(?:\.gitconfig|\.?git\/config)$/;

/** Files that something runs by itself, later. */
const RUN_LATER =
  /(?:^|\/)(?:\.husky\/|(?:\.git\/)?hooks\/|cron|\.?(?:[a-z]*rc|(?:bash_)?(?:profile|login|logout|aliases)|zshenv)$|(?:GNU)?[mM]akefile$|[jJ]ustfile$)/;

/** Keeps the text that the script itself wrote to a file, for whoever reads it later in the text. */
export function keepFile(file: ShellWord, text: string, context: RunContext): void {
  const { state } = context;
  const path = isKnown(file) ? absolutePath(file.text, state.cwd) : undefined;
  if (path === "/dev/null") return;
  state.files.set(path ?? HOLE, path === undefined ? HOLE : text);
  if (GIT_SETTINGS.test(file.text)) state.settings.set("include.path", knownWord(HOLE));
  if (RUN_LATER.test(file.text)) noteForeign([knownWord(text)], file.text, context);
}
