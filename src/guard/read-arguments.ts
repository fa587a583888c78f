import type { CommandSpec, OptionSpec } from "./command-options.ts";
import { isValuedDash, optionsOf } from "./command-options.ts";
import { HOLE } from "./shell/shell-word.ts";
import type { ShellWord } from "./shell/shell-word.ts";

/** An option of a command as it is given. */
export interface GivenOption {
  /** All spellings of it that are known. */
  names: readonly string[];
  value: ShellWord | undefined;
}

/** The arguments of a command, told apart. */
export interface CommandArguments {
  options: readonly GivenOption[];
  operands: readonly ShellWord[];
  /** Words that begin with a dash, whole: `-delete` of find. */
  dashed: readonly string[];
  /** A word that cannot be told may be an option. */
  hasUnknown: boolean;
}

const MAX_SUBCOMMANDS = 3;

/**
 * Tells options, their values and operands apart. Where heed knows the command, an option's value is not taken for an
 * operand or another option (`git commit -m -n`), letters of one word are parted (`-nm x`), and git's shortened long
 * options are completed; of other commands every letter after one dash counts as an option without a value.
 */
export function readArguments(words: readonly ShellWord[]): CommandArguments {
  const [name, ...args] = words;
  let command = name?.text ?? "";
  let spec = optionsOf(command);
  let options: GivenOption[] = [];
  const operands: ShellWord[] = [];
  const dashed: string[] = [];
  let hasUnknown = false;
  for (let i = 0; i < args.length; i++) {
    const word = args[i];
    if (!word) break;
    const { text } = word;
    if (text === "--") {
      operands.push(...args.slice(i + 1));
      break;
    }
    if (text.startsWith(HOLE) || (text.startsWith("-") && text.slice(0, 3).includes(HOLE))) {
      hasUnknown ||= word.isOperand !== true;
      operands.push(word);
    } else if (text.startsWith("--")) {
      const read = readLong(word, args[i + 1], spec);
      if (read.isNextTaken) i += 1;
      options = spec?.isGit ? withoutOpposite(options, read.option) : options;
      options.push(read.option);
    } else if (/^-./.test(text)) {
      dashed.push(text);
      if (isValuedDash(command, text)) {
        i += 1;
        continue;
      }
      const read = readShort(word, args[i + 1], spec);
      if (read.isNextTaken) i += 1;
      options.push(...read.options);
    } else {
      operands.push(word);
      if (operands.length <= MAX_SUBCOMMANDS && !text.includes(HOLE)) {
        const inner = optionsOf(`${command} ${text}`);
        if (inner) {
          command = `${command} ${text}`;
          spec = inner;
        }
      }
    }
  }
  return { options, operands, dashed, hasUnknown };
}

function readLong(
  { text, isMany }: ShellWord,
  next: ShellWord | undefined,
  spec: CommandSpec | undefined,
): { option: GivenOption; isNextTaken: boolean } {
  const at = text.indexOf("=");
  const written = at < 0 ? text : text.slice(0, at);
  const found = spec && findLong(written, spec);
  const own = at < 0 ? undefined : { text: text.slice(at + 1), isMany };
  const isNextTaken = own === undefined && found?.value === "next" && next !== undefined;
  return {
    option: { names: found?.names ?? [written], value: own ?? (isNextTaken ? next : undefined) },
    isNextTaken,
  };
}

/** A long option by its name or, for git, by an unambiguous beginning of it. */
function findLong(written: string, spec: CommandSpec): OptionSpec | undefined {
  const exact = spec.byName.get(written);
  if (exact || !spec.isGit || written.length < 3) return exact;
  const fitting = new Set<OptionSpec>();
  for (const [name, option] of spec.byName) if (name.startsWith(written)) fitting.add(option);
  const [only] = fitting;
  return fitting.size === 1 ? only : undefined;
}

function readShort(
  word: ShellWord,
  next: ShellWord | undefined,
  spec: CommandSpec | undefined,
): { options: GivenOption[]; isNextTaken: boolean } {
  const options: GivenOption[] = [];
  const letters = word.text.slice(1);
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i] ?? "";
    // `-n5`: what is no letter is a value.
    if (i > 0 && !/[A-Za-z]/.test(letter)) break;
    const known = spec?.byName.get(`-${letter}`);
    const names = known?.names ?? [`-${letter}`];
    const rest = letters.slice(i + 1);
    if (known && known.value !== "none") {
      const isNextTaken = rest === "" && known.value === "next" && next !== undefined;
      const value = rest !== "" ? { ...word, text: rest.replace(/^=/, "") } : isNextTaken ? next : undefined;
      options.push({ names, value });
      return { options, isNextTaken };
    }
    // An unknown command's option may have its value in the same word or in the next.
    const value = !spec && letters.length === 1 && next && !next.text.startsWith("-") ? next : undefined;
    options.push({ names, value });
  }
  return { options, isNextTaken: false };
}

/** Git takes the last of an option and its negation. */
function withoutOpposite(options: GivenOption[], last: GivenOption): GivenOption[] {
  const opposites = last.names.map((name) =>
    name.startsWith("--no-") ? `--${name.slice(5)}` : `--no-${name.slice(2)}`,
  );
  return options.filter(({ names }) => !names.some((name) => opposites.includes(name)));
}
