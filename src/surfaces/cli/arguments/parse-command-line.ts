import { parseArgs } from "node:util";
import type { HeedError } from "../../../heed.ts";
import { nearestNames } from "../../../memory/nearest-names.ts";
import type { ArgumentSpec, Command, OptionSpecs } from "./command.ts";
import { ParsedArguments, checkWord, didYouMean, usageError } from "./command.ts";

/** The flags of every command. */
export const GLOBAL_OPTIONS: OptionSpecs = {
  json: { help: "answer with one JSON value on stdout" },
  cwd: { value: "DIR", help: "work as if started in this directory" },
  "no-color": { help: "no colour, also on a terminal (so does NO_COLOR=1)" },
  help: { short: "h", help: "show help for the command" },
};

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
    for (const word of spec.isList ? value.split(",") : [value])
      if (spec.words) checkWord(spec.words, `--${token.name}`, word.trim());
    flags.set(token.name, [...(flags.get(token.name) ?? []), value]);
  }
  if (!flags.has("help")) {
    checkPositionals(command, positionals);
    for (const name of flags.keys()) checkCompany(name, specs[name]?.goesWith, positionals[0], flags);
  }
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
      `"${surplus}" is an unexpected argument (quote text with spaces). Usage: ${usageLine(command)}`,
      "argument",
      surplus,
    );
  }
}

function checkCompany(
  name: string,
  others: readonly string[] | undefined,
  action: string | undefined,
  flags: ReadonlyMap<string, unknown>,
): void {
  const isThere = (other: string): boolean =>
    other.startsWith("--") ? flags.has(other.slice(2)) : other === action;
  if (others && !others.some(isThere)) throw usageError(`--${name} goes with ${others.join(" or ")}.`, name);
}

function unknownFlag(command: Command, rawName: string, names: readonly string[]): HeedError {
  const suggestions = nearestNames(rawName.replace(/^-+/, ""), names).map((name) => `--${name}`);
  return usageError(
    `heed ${command.name} has no flag ${rawName}.${didYouMean(suggestions)} See: heed help ${command.name}`,
    "flag",
    rawName,
    suggestions,
  );
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
