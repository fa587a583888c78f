import type { ShellWord } from "./shell-word.ts";
import { showWord } from "./shell-word.ts";

/** An assignment that a command sees in its environment. */
export interface ShellAssignment {
  name: string;
  value: ShellWord;
}

/** Text that comes to a command otherwise than by its words. */
export interface FedText {
  text: string;
  /** False when some of it cannot be told: the output of a program, a file that lies there. */
  isWhole: boolean;
}

/** One command that a shell text would run, with its words expanded as far as they can be told. */
export interface ShellCommand {
  /** Name first. Empty for a redirection alone. */
  words: readonly ShellWord[];
  /** Assignments in front of it, those of `env`, and exported ones, in this order of precedence reversed: last wins. */
  environment: readonly ShellAssignment[];
  /** Files into which its output is redirected. */
  writes: readonly ShellWord[];
  /** Where it runs, absolute; undefined when a `cd` before it cannot be told. */
  cwd: string | undefined;
  /** What it reads, where that is known: its input, and files that the text itself wrote. */
  fed: FedText;
  /** What it stands in, outermost first: `sh -c`, `xargs`, `alias gc` … */
  route: readonly string[];
}

/** What a program says that may run its words in a way of its own: another language, another machine, a wrapper. */
export interface ForeignText {
  /** Empty where it cannot be told. */
  program: string;
  /** Words and input. */
  text: string;
  /** The words of several words among them, and the input: where else than by their name files may be spoken of. */
  phrases: string;
  cwd: string | undefined;
}

/** Commands of which one reads what another prints. */
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

/** The same for people: words that hold blanks or are empty are quoted, so that `-m "no -n"` reads as what it is. */
export function shownCommand(command: ShellCommand): string {
  const isPlain = (text: string): boolean => /^[^\s"'`$\\|&;<>()]+$/.test(text);
  const texts = command.words.map(showWord);
  return texts.map((text) => (isPlain(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)).join(" ");
}
