/** Stands for a piece of text that only the running shell knows: NUL, which no argument of a program can hold. */
export const HOLE: string = "\0";

/** One argument of a command after expansion. */
export interface ShellWord {
  /** The text, with a HOLE for each piece that only the running shell knows. */
  text: string;
  /** May stand for no word or for several: an unquoted expansion that is not known. */
  isMany: boolean;
  /** Comes from a list of operands (the input of xargs, the files of find): never an option. */
  isOperand?: boolean;
  /** May be the value of the option before it; heed does not know whether that option takes one. */
  isMaybeValue?: boolean;
  /** Holds a wildcard that the shell expands to the files that fit. */
  isGlob?: boolean;
  /** Output is added to this file, which keeps what it holds; or there is none, so that it is emptied. */
  isAppended?: boolean;
  isEmptied?: boolean;
  /** The output of a process substitution: what reading this word as a file gives. */
  stream?: string | undefined;
}

/** A word whose text is known. */
export function knownWord(text: string): ShellWord {
  return { text, isMany: false };
}

/** A word of which nothing is known. */
export const UNKNOWN: ShellWord = knownWord(HOLE);
/** No word, one or several, all unknown. */
export const UNKNOWN_WORDS: ShellWord = { text: HOLE, isMany: true };

/** Whether every character of a word is known. */
export function isKnown(word: ShellWord): boolean {
  return !word.isMany && !word.text.includes(HOLE);
}

/** A word as people read it, with an ellipsis for each unknown piece. */
export function showWord(word: ShellWord): string {
  return word.text.replaceAll(HOLE, "…");
}

/** An assignment that a command sees in its environment. */
export interface ShellAssignment {
  name: string;
  value: ShellWord;
}

/** Text that reaches a command otherwise than by its words. */
export interface FedText {
  text: string;
  /** False when some of it is not known: the output of a program, a file that exists already. */
  isWhole: boolean;
}

/** One command that a shell text would run, with its words expanded as far as they are known. */
export interface ShellCommand {
  /** Name first. Empty for a redirection alone. */
  words: readonly ShellWord[];
  /** Exported variables, those of `env`, and the assignments in front of the command; the last of a name wins. */
  environment: readonly ShellAssignment[];
  /** Files into which its output is redirected. */
  writes: readonly ShellWord[];
  /** Files that code of another language removes, moves away or empties. */
  removes?: readonly ShellWord[];
  /** The absolute directory in which it runs; undefined after a `cd` to an unknown one. */
  cwd: string | undefined;
  /** What it reads, where that is known: its input, and files that the text itself wrote. */
  fed: FedText;
  /** The file that is its input. */
  from?: ShellWord | undefined;
  /** The words of the commands before it that do more than show something. */
  before?: string;
  /** The commands around it, outermost first: `sh -c`, `xargs`, `alias gc` … */
  route: readonly string[];
}

/** The words and the input of a program that may run them in its own way: another language or machine, a wrapper. */
export interface ForeignText extends FedText {
  /** Empty where it is not known. */
  program: string;
  /** Those words that hold several words, and the input: places that may name files. */
  phrases: string;
  cwd: string | undefined;
}

/** Commands joined by pipes. */
export interface ShellPipeline {
  text: string;
  commands: readonly ShellCommand[];
}

/** What a shell text would run. */
export interface ShellReading {
  commands: readonly ShellCommand[];
  /** Each pipeline of two commands or more. */
  pipelines: readonly ShellPipeline[];
  foreign: readonly ForeignText[];
  /** Why a part of the text could not be read: syntax errors, scripts that only the shell knows, limits. */
  blindSpots: readonly string[];
}

/** A command as one line of text, words joined by a blank. */
export function commandText(command: ShellCommand): string {
  return command.words.map(showWord).join(" ");
}

/** A command for people: words with blanks and empty words are quoted. */
export function shownCommand(command: ShellCommand): string {
  const said = (text: string): string =>
    /^[^\s"'`$\\|&;<>()]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  const changed = [
    ...(command.removes ?? []).map((word) => `removes ${showWord(word)}`),
    ...command.writes.map((word) => `${word.isAppended ? ">>" : ">"} ${showWord(word)}`),
  ];
  const words = command.words.map((word) => said(showWord(word)));
  return words.length === 0 ? changed.join(", ") : [...words, ...changed].join(" ");
}
