import type { FedText, ForeignText, ShellCommand, ShellWord } from "./shell-command.ts";
import { HOLE, isKnown, knownWord, UNKNOWN } from "./shell-command.ts";
import type { CompoundCommand, CompoundList, Redirected } from "unbash";

/** The body of a function that the text defines. */
export type FunctionBody = CompoundCommand | Redirected | CompoundList;

/** What a text has set up by the time a command in it runs. */
export interface ShellState {
  /** Variables that hold one word; all others are unknown. */
  variables: Map<string, ShellWord>;
  /** Names of exported variables. */
  exported: Set<string>;
  functions: Map<string, FunctionBody>;
  /** Text of aliases. */
  aliases: Map<string, string>;
  /** Files that the text itself wrote, by absolute path; they outlast a subshell. */
  files: Map<string, string>;
  /** Settings that `git config` and the like made; they outlast a subshell. */
  settings: Map<string, ShellWord>;
  /** What links and mounts that the text made lead to; they outlast a subshell. */
  leads: Map<string, string>;
  /** The words of the commands so far that do more than show something. */
  said: string;
  /** Absolute; undefined after a `cd` to an unknown directory. */
  cwd: string | undefined;
  /** `$1` and so on; undefined when they are not known. */
  positionals: readonly ShellWord[] | undefined;
}

/** The place of a command in a text. */
export interface RunContext {
  shell: ShellRuntime;
  state: ShellState;
  route: readonly string[];
  /** How many scripts, functions and wrappers are around it. */
  depth: number;
  /** What it reads from its standard input; undefined when that is not known. */
  input: string | undefined;
  /** The file that it reads there, as a redirection names it. */
  from?: ShellWord | undefined;
  /** The commands whose output that is, as text. */
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
  /** Reads a text as a script. Returns its output, where that is known. */
  runText(text: string, context: RunContext): string | undefined;
  runBody(body: FunctionBody, context: RunContext): string | undefined;
  /** Follows a command that another one runs. */
  runPrepared(command: PreparedCommand, context: RunContext): string | undefined;
}

/** A command as the text has it: expanded, with what belongs to it. */
export type PreparedCommand = Pick<ShellCommand, "words" | "environment" | "writes">;

/** Reads a text as a script inside of another command, with its typed text of the state. */
export function runInside(
  label: string,
  text: string,
  context: RunContext,
  own?: Partial<ShellState>,
): string | undefined {
  // A hole on the first line of a file's text: what made it is unknown.
  if (text.startsWith(`${HOLE}\n`) || (text !== "" && text.replaceAll(HOLE, "").trim() === ""))
    context.shell.blind(`${label} runs a text that only the shell knows`);
  return context.shell.runText(asScript(text), within(label, context, own));
}

/** The context inside of a command, with its typed text of the state. */
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
  // As positional parameters the words need no quoting.
  return runInside(label, rest.length > 0 ? `${text} "$@"` : text, context, { positionals: rest });
}

/** A script's text with its unknown pieces as expansions of a variable that nobody sets. */
export function asScript(text: string): string {
  return text.replaceAll(HOLE, "${__heed_unknown}");
}

/** The text that the script itself wrote to a file. */
export function fileText(file: ShellWord, { files, cwd }: ShellState): string | undefined {
  const path = isKnown(file) ? absolutePath(file.text, cwd) : HOLE;
  if (path === undefined || path === "/dev/null") return path && "";
  // What was fetched may be a folder.
  return files.get(path) ?? [...files].find(([at]) => path.startsWith(`${at}/`))?.[1];
}

/**
 * A word that names a link of the script's own, or something below it, as what it leads to; `--in=LINK` and the like too.
 * @param isFollowed false where the link itself is meant: `rm link`, and `find link`, which goes into `link/` alone.
 */
export function behindLink(word: ShellWord, { leads, cwd }: ShellState, isFollowed = true): ShellWord {
  const [, option = "", name = word.text] = /^(-*[\w-]+=)?(.*)$/s.exec(word.text) ?? [];
  const path = leads.size > 0 && isKnown(word) ? absolutePath(name, cwd) : undefined;
  const end = isFollowed || name.endsWith("/") ? "/" : "";
  const [link = "", to] = [...leads].find(([at]) => `${path}${end}`.startsWith(`${at}/`)) ?? [];
  return path === undefined || to === undefined
    ? word
    : { ...word, text: option + to + path.slice(link.length) };
}

/** What a command reads: its input, substitutions and files that the text itself wrote, where its words or input name them. */
export function fedTo(words: readonly ShellWord[], { input, state }: RunContext): FedText {
  const said =
    input === undefined || state.files.size === 0 ? [] : [knownWord(input.slice(0, MAX_FED_CHARS))];
  const files = [...words, ...said].flatMap((word) => {
    if (word.stream !== undefined || state.files.size === 0) return word.stream;
    // `source q.sql` is a word that names a file.
    return word.text.split(/[\s"';]+/).map((text) => fileText({ ...word, text }, state));
  });
  return {
    text: [input, ...files].filter((text) => text !== undefined && text !== "").join("\n"),
    isWhole: [input ?? HOLE, ...files].every((text) => text?.includes(HOLE) !== true),
  };
}

/** Notes the words of a program that may run them in a way of its own, with what is fed to it. */
export function noteForeign(words: readonly ShellWord[], program: string, context: RunContext): void {
  const { shell, state } = context;
  // What git and its like read goes into commits, pages and requests; others, `make`, read files unasked.
  const isFed = !SENDS.test(program);
  const texts = words.map(({ text }) => text);
  const { text: input, isWhole } = fedTo(words, context);
  const fed = isFed ? [input] : [];
  const text = [...texts, ...fed].join(" ").slice(0, MAX_SHELL_CHARS);
  // Another machine gets its words as one text.
  const said = program === "ssh" ? [texts.join(" ")] : texts.filter((one) => /[\s"'(;>]/.test(one));
  const phrases = [...said, ...fed].join("\n").slice(0, MAX_SHELL_CHARS);
  if (/[\w\0]/.test(text)) shell.foreign({ program, text, phrases, isWhole, cwd: state.cwd });
  if (isFed)
    for (const file of state.files.values())
      shell.foreign({ program, text: file, phrases: file, isWhole, cwd: state.cwd });
}

/** So much of what a command is fed is looked through for files that it names. */
const MAX_FED_CHARS = 4000;
const SENDS = /^(?:git|gh|glab|hub|curl)$/;

/** Makes a path absolute without asking the file system; undefined when the directory is unknown or too deep. */
export function absolutePath(path: string, cwd: string | undefined): string | undefined {
  const said = path.replace(/^\/proc\/[\w-]+\/(?:cwd\/|root(?=\/))/, "");
  const whole = said.startsWith("/") ? said : (cwd?.length ?? Infinity) > 4096 ? undefined : `${cwd}/${said}`;
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
  const { state } = context;
  const copy = {
    variables: new Map(state.variables),
    exported: new Set(state.exported),
    functions: new Map(state.functions),
    aliases: new Map(state.aliases),
  };
  return { ...context, state: { ...state, ...copy } };
}

const GIT_SETTINGS = /(?:^|\/)(?:\.gitconfig|\.?git\/config)$/;

const RUN_LATER =
  /(?:^|\/)(?:\.husky\/|(?:\.git\/)?hooks\/|cron|\.?(?:[a-z]*rc|(?:bash_)?(?:profile|login|logout|alias(?:es)?)|zshenv)$|(?:GNU)?[mM]akefile$|[jJ]ustfile$)/;

/** Keeps the text that the script itself wrote to a file, for commands after it. */
export function keepFile(file: ShellWord, text: string, context: RunContext): void {
  const { state } = context;
  const path = isKnown(file) ? absolutePath(file.text, state.cwd) : undefined;
  if (path === "/dev/null") return;
  state.files.set(path ?? HOLE, path === undefined ? HOLE : text);
  if (GIT_SETTINGS.test(file.text)) state.settings.set("include.path", UNKNOWN);
  if (RUN_LATER.test(file.text)) noteForeign([knownWord(text)], file.text, context);
}

/**
 * Steps for all expressions of one decision. A step is one instruction at one character: 20 million take about 100 ms in
 * the worst case seen, 200 ordinary expressions over a command line take thousands.
 */
export const MAX_TEXT_STEPS: number = 20_000_000;
/**
 * Time for one decision in milliseconds: reading the call, heed's own records and the guards. Real calls take 10 to 20;
 * thousands of commands and a hundred guards take longer than any hook may.
 */
const MAX_MS = 500;

/** When a decision that begins now must end, by `performance.now()`. */
export function decisionEnd(): number {
  return performance.now() + MAX_MS;
}

/** Longer texts are not read, in characters: the parser takes the square of the nesting depth. */
export const MAX_SHELL_CHARS: number = 64 * 1024;
/** Limit of here-documents and expansions in a text, for the same reason; whole programs have far fewer. */
const MAX_NESTED = 2000;

/** Loops and lists are read once for each known value; the values of a longer list are unknown. */
export const MAX_EACH = 32;

/** Why a text is too much to be read, or undefined. */
export function whyNotRead(source: string): string | undefined {
  if (source.length > MAX_SHELL_CHARS)
    return `the text has ${source.length} characters, ${MAX_SHELL_CHARS} at most are read`;
  if (source.split(/<<|\$[{(]/).length > MAX_NESTED)
    return `the text has more than ${MAX_NESTED} here-documents and expansions`;
  return undefined;
}

/** Thrown when a budget is spent; caught where reading began. */
export class BudgetSpent extends Error {}

/** Steps that a piece of work may take, and when it must end, by `performance.now()`. */
export class Budget {
  #left: number;
  readonly #untilMs: number;

  constructor(steps: number, untilMs: number = Infinity) {
    this.#left = steps;
    this.#untilMs = untilMs;
  }

  /** Takes steps. Returns false, and takes none, when fewer are left. */
  take(steps: number): boolean {
    if (steps > this.#left) return false;
    this.#left -= steps;
    return true;
  }

  /** Whether the time is over. */
  isLate(): boolean {
    return performance.now() > this.#untilMs;
  }

  /** Takes steps and checks the clock every 64 steps. @throws BudgetSpent when steps or time are over. */
  spend(steps: number): void {
    const before = this.#left >> 6;
    if (!this.take(steps)) throw new BudgetSpent("the text takes too many steps to read");
    if (before !== this.#left >> 6 && this.isLate()) throw new BudgetSpent("the text takes too long to read");
  }
}
