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
  const values = new Map<string, unknown>();
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const { name, value } = token;
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    if (!spec) throw unknownFlag(command, token.rawName, Object.keys(specs));
    if (spec.value === undefined) {
      if (value !== undefined) throw usageError(`--${name} takes no value. Remove "=${value}".`, name, value);
      values.set(name, true);
      continue;
    }
    // `--limit --json` means a forgotten value far more often than a value that begins with two dashes.
    if (value === undefined || (!token.inlineValue && value.startsWith("--")))
      throw usageError(`--${name} needs a value: --${name} ${spec.value}.`, name);
    const all = spec.isList && !spec.hasCommas ? value.split(",") : [value];
    const words = spec.isList ? all.map((one) => one.trim()).filter((one) => one !== "") : all;
    for (const word of words) if (spec.words) checkWord(spec.words, `--${name}`, word);
    const before = (values.get(name) ?? []) as string[];
    values.set(
      name,
      spec.isList ? [...before, ...words] : spec.range ? numberOf(name, value, spec.range) : value,
    );
  }
  if (!values.has("help")) checkCompany(command, positionals, new Set(values.keys()));
  return new ParsedArguments(positionals, values, specs);
}

function numberOf(flag: string, value: string, [from, to]: readonly [number, number]): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= from && number <= to) return number;
  throw usageError(`--${flag} is "${value}": give a whole number from ${from} to ${to}.`, flag, value);
}

/** Which arguments and flags there have to be, and which may stand beside each other. */
function checkCompany(command: Command, positionals: readonly string[], flags: ReadonlySet<string>): void {
  const last = command.arguments.length - 1;
  const given = [...flags].map((flag) => `--${flag}`);
  const isThere = (other: string): boolean => given.includes(other) || other === positionals[0];
  for (const [index, { name, isOptional, words, goesWith, neededBy }] of command.arguments.entries()) {
    const value = positionals[index];
    if (value === undefined && (!isOptional || neededBy?.some(isThere)))
      throw usageError(`${name} is missing. Usage: ${usageLine(command)}`, name);
    if (value === undefined) continue;
    if (words) checkWord(words, name, value);
    if (isOptional) given.push(name);
    checkNeeds(name, goesWith);
  }
  const surplus = positionals[last + 1];
  if (surplus !== undefined && !command.arguments[last]?.isRest)
    throw usageError(
      `"${surplus}" is an unexpected argument (quote text with spaces). Usage: ${usageLine(command)}`,
      "argument",
      surplus,
    );
  for (const [flag, { goesWith, onlyWith }] of Object.entries(command.options)) {
    if (!flags.has(flag)) continue;
    checkNeeds(`--${flag}`, goesWith);
    const beside = [
      `--${flag}`,
      ...(onlyWith ?? given),
      ...Object.keys(GLOBAL_OPTIONS).map((name) => `--${name}`),
    ];
    const other = given.find((one) => !beside.includes(one));
    if (other !== undefined)
      throw usageError(
        `--${flag} does not go with ${other}: give it alone${onlyWith?.length ? `, or with ${onlyWith.join(", ")}` : ""}.`,
        flag,
      );
  }

  function checkNeeds(what: string, others: readonly string[] | undefined): void {
    if (others && !others.some(isThere))
      throw usageError(`${what} goes with ${others.join(" or ")}.`, what.replace(/^--/, ""));
  }
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
