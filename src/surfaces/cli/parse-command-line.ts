import { parseArgs } from "node:util";
import { HeedError } from "../../heed.ts";
import type { ArgumentSpec, Command, OptionSpecs } from "./command.ts";
import { GLOBAL_OPTIONS } from "./global-options.ts";
import { nearestWords } from "./nearest-words.ts";

/** The flags and arguments of one call, already checked against the command's specification. */
export class ParsedArguments {
  /** Arguments without a dash, in order. */
  readonly positionals: readonly string[];
  readonly #flags: ReadonlyMap<string, readonly string[]>;

  constructor(positionals: readonly string[], flags: ReadonlyMap<string, readonly string[]>) {
    this.positionals = positionals;
    this.#flags = flags;
  }

  has(flag: string): boolean {
    return this.#flags.has(flag);
  }

  /** The value of a flag; the last one when it was repeated. */
  text(flag: string): string | undefined {
    return this.#flags.get(flag)?.at(-1);
  }

  /** All values of a flag, also those joined by commas. */
  list(flag: string): string[] | undefined {
    return this.#flags
      .get(flag)
      ?.flatMap((value) => value.split(","))
      .map((value) => value.trim())
      .filter((value) => value !== "");
  }

  /** One of the allowed words. */
  word<T extends string>(flag: string, allowed: readonly T[]): T | undefined {
    const value = this.text(flag);
    return allowed.find((word) => word === value);
  }

  /** A whole number within bounds. */
  count(flag: string, bounds: { min: number; max: number }): number | undefined {
    const value = this.text(flag);
    if (value === undefined) return undefined;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= bounds.min && number <= bounds.max))
      throw usageError(
        `--${flag} is "${value}": give a whole number from ${bounds.min} to ${bounds.max}.`,
        flag,
        value,
      );
    return number;
  }
}

/** A wrong command line, with the remedy in its message. */
export function usageError(
  message: string,
  argument: string,
  value?: string,
  suggestions: string[] = [],
): HeedError {
  return new HeedError("invalid-input", message, {
    argument,
    ...(value !== undefined && { value }),
    ...(suggestions.length > 0 && { suggestions }),
  });
}

/** Checks the words after the command's name. Throws `invalid-input` with a suggestion for what was mistyped. */
export function parseCommandLine(command: Command, words: readonly string[]): ParsedArguments {
  const specs: OptionSpecs = { ...command.options, ...GLOBAL_OPTIONS };
  const { tokens } = parseArgs({
    args: [...words],
    // Not strict: unknown flags come back as tokens, so that this function can say what was meant.
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(specs).map(([name, spec]) => [
        name,
        {
          type: spec.value === undefined ? "boolean" : "string",
          ...(spec.short && { short: spec.short }),
        } as const,
      ]),
    ),
  });
  const positionals: string[] = [];
  const flags = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const spec = Object.hasOwn(specs, token.name) ? specs[token.name] : undefined;
    if (!spec) throw unknownFlag(command, token.rawName, Object.keys(specs));
    if (spec.value === undefined) {
      if (token.value !== undefined)
        throw usageError(
          `--${token.name} takes no value. Remove "=${token.value}".`,
          token.name,
          token.value,
        );
      flags.set(token.name, []);
      continue;
    }
    const value = token.value;
    // `--limit --json` means a forgotten value far more often than a value that begins with two dashes.
    if (value === undefined || (!token.inlineValue && value.startsWith("--")))
      throw usageError(`--${token.name} needs a value: --${token.name} ${spec.value}.`, token.name);
    if (spec.words) checkWord(spec.words, `--${token.name}`, value);
    flags.set(token.name, [...(flags.get(token.name) ?? []), value]);
  }
  if (!flags.has("help")) checkPositionals(command, positionals);
  return new ParsedArguments(positionals, flags);
}

function checkPositionals(command: Command, positionals: readonly string[]): void {
  for (const [index, spec] of command.arguments.entries()) {
    const value = positionals[index];
    if (value === undefined && !spec.isOptional)
      throw usageError(`${spec.name} is missing. Usage: ${usageLine(command)}`, spec.name);
    if (value !== undefined && spec.words) checkWord(spec.words, spec.name, value);
  }
  if (!command.arguments.at(-1)?.isRest && positionals.length > command.arguments.length) {
    const surplus = positionals[command.arguments.length] ?? "";
    throw usageError(
      `"${surplus}" is one argument too many (words with blanks need quotes). Usage: ${usageLine(command)}`,
      "argument",
      surplus,
    );
  }
}

function checkWord(allowed: readonly string[], what: string, value: string): void {
  for (const word of value.split(",")) {
    if (allowed.includes(word)) continue;
    const suggestions = nearestWords(word, allowed);
    throw usageError(
      `${what} is "${word}", which is not known.${didYouMean(suggestions)} Use one of ${allowed.join(", ")}.`,
      what,
      word,
      suggestions,
    );
  }
}

function unknownFlag(command: Command, rawName: string, names: readonly string[]): HeedError {
  const suggestions = nearestWords(rawName.replace(/^-+/, ""), names).map((name) => `--${name}`);
  return usageError(
    `heed ${command.name} has no flag ${rawName}.${didYouMean(suggestions)} See: heed help ${command.name}`,
    "flag",
    rawName,
    suggestions,
  );
}

/** ` Did you mean a, b?`, or nothing. */
export function didYouMean(suggestions: readonly string[]): string {
  return suggestions.length === 0 ? "" : ` Did you mean ${suggestions.join(", ")}?`;
}

/** `heed show NAME [flags]`. */
export function usageLine(command: Command): string {
  const hasFlags = Object.keys(command.options).length > 0;
  return [
    "heed",
    command.name,
    ...command.arguments.map(argumentLabel),
    ...(hasFlags ? ["[flags]"] : []),
  ].join(" ");
}

function argumentLabel(spec: ArgumentSpec): string {
  const name = spec.isRest ? `${spec.name}...` : spec.name;
  return spec.isOptional ? `[${name}]` : name;
}
