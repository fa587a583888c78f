import { type CommandSpec, type OptionSpec, optionsOf } from "./command-options.ts";
import { HOLE, type ShellWord } from "./shell-command.ts";

/** An option of a command as it is given. */
export interface GivenOption {
  /** All spellings of it that are known. */
  names: readonly string[];
  value: ShellWord | undefined;
  /** `--dry-run=false`: named, but switched off. */
  isOff?: boolean | "unknown";
  /** May be the value of the option before it; heed does not know whether that option takes one. */
  isDoubtful?: boolean;
}

/** The arguments of a command, parsed. */
export interface CommandArguments {
  options: readonly GivenOption[];
  operands: readonly ShellWord[];
  /** An unknown word may be an option. */
  hasUnknown: boolean;
  /** The options of the command, if heed knows them: the command refuses all others. */
  spec: CommandSpec | undefined;
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
  let hasUnknown = false;
  const seen = new Set<string>();
  // The index of an option that may take the next word.
  let bareAt = -2;
  let isFirst = true;
  // The words after the image run in it.
  let imageAt = Infinity;
  for (let i = 0; i < args.length; i++) {
    const word = args[i];
    if (!word) break;
    const { text } = word;
    if (text === "--" || operands.length > imageAt) {
      // The words that npm gives to a script are not npm's.
      const isOfScript = spec?.isNpm && operands[1] && /^(?:ru[nm]|urn)/.test(operands[0]?.text ?? "");
      if (!isOfScript) operands.push(...args.slice(text === "--" ? i + 1 : i));
      break;
    }
    if (text.startsWith(HOLE) || (text.startsWith("-") && text.slice(0, 3).includes(HOLE))) {
      hasUnknown ||= word.isOperand !== true;
      imageAt += Number(word.isMany);
      operands.push(word);
    } else if (/^-./.test(text)) {
      const next = args[i + 1];
      const read = readOption(word, next, spec);
      if (read.isNextTaken) i += 1;
      const isDoubtful = bareAt === i - 1;
      for (const given of read.options) {
        const option = isDoubtful ? { ...given, isDoubtful } : given;
        // The last of an option and its negation counts.
        const opposites = option.names.map((one) =>
          one.startsWith("--no-") ? `--${one.slice(5)}` : `--no-${one.slice(2)}`,
        );
        if (opposites.some((one) => seen.has(one)))
          options = options.filter(({ names }) => !names.some((one) => opposites.includes(one)));
        for (const one of option.names) seen.add(one);
        options.push(option);
      }
      const isNamed = spec ? !/^--\w[\w-]*$/.test(text) || findLong(text, spec) : text.includes("=");
      if (!read.isNextTaken && !isNamed && spec?.byName.size !== 0) bareAt = i;
    } else {
      // An unknown option may take this word as its value; `cargo +nightly` precedes the subcommand.
      const isMaybeValue: boolean =
        bareAt === i - 1 ? !spec || isFirst : isFirst && /^(?:\+.*|alpha|beta)$/.test(text);
      isFirst &&= isMaybeValue;
      imageAt += Number(bareAt === i - 1);
      operands.push(isMaybeValue ? { ...word, isMaybeValue } : word);
      if (operands.length <= MAX_SUBCOMMANDS && !text.includes(HOLE)) {
        const inner = optionsOf(`${command} ${text}`);
        // The options of git itself are not those of a subcommand that heed does not know.
        if (inner || command === "git") {
          command = `${command} ${text}`;
          spec = inner;
          if (command === "docker run") imageAt = operands.length;
        }
      }
    }
  }
  return { options, operands, hasUnknown, spec };
}

/** Reads a word with a dash: one option, or several letters, and whether the next word is its value. */
export function readOption(
  word: ShellWord,
  next: ShellWord | undefined,
  spec: CommandSpec | undefined,
): { options: GivenOption[]; isNextTaken: boolean } {
  const { text } = word;
  const [, written = text, ownText] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const isLong = text.startsWith("--");
  const found = spec && written.length > 2 ? findLong(written, spec) : undefined;
  const isOpen = !spec?.byName.size;
  if (!isLong && !found && (!isOpen || written.length === 2)) return readLetters(word, next, spec);
  const own = ownText === undefined ? undefined : { ...word, text: ownText };
  const isSwitch = found?.value !== "next";
  // After an unknown option it may be a value, and a word of its own.
  const maybe = (isOpen || (isLong && !found)) && !next?.text.startsWith("-") ? next : undefined;
  // npm takes a `false` after a switch as its value.
  const isNpmValue = spec?.isNpm === true && /^(?:true|false|null)$/.test(next?.text ?? "");
  const isNextTaken = !own && next !== undefined && (!isSwitch || isNpmValue);
  const value = own ?? (isNextTaken ? next : maybe);
  const isUntold = isSwitch && value !== maybe && value?.text.includes(HOLE) === true;
  const isOff = isUntold ? "unknown" : isSwitch && value !== undefined && OFF.test(value.text);
  const names = found?.names ?? (isOpen ? [written, isLong ? written.slice(1) : `-${written}`] : [written]);
  // One dash may stand before letters, or before a long name: `-auto-approve=false`.
  const letters = isLong || found ? [] : readLetters(word, next, spec).options;
  return { options: [{ names, value, isOff }, ...letters], isNextTaken };
}

const OFF = /^(?:false|f|0|no|off|none|never|null)$/i;

/**
 * A long option by its name or by an unambiguous beginning, as git, GNU's programs, npm and others complete it. A program
 * that does not complete it refuses the command.
 */
function findLong(written: string, spec: CommandSpec): OptionSpec | undefined {
  const exact = spec.byName.get(written);
  if (exact || written.length < 3) return exact;
  const fitting = new Set<OptionSpec>();
  for (const [name, option] of spec.byName) if (name.startsWith(written)) fitting.add(option);
  const [only] = fitting;
  return fitting.size === 1 ? only : undefined;
}

function readLetters(
  word: ShellWord,
  next: ShellWord | undefined,
  spec: CommandSpec | undefined,
): { options: GivenOption[]; isNextTaken: boolean } {
  const options: GivenOption[] = [];
  const letters = word.text.slice(1);
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i] ?? "";
    // `-n5`: a character that is not a letter begins a value.
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
    const after = rest === "" ? next : { ...word, text: rest };
    options.push({ names, value: spec || after?.text.startsWith("-") ? undefined : after });
  }
  return { options, isNextTaken: false };
}
