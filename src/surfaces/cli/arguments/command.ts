import { nearestNames } from "../../../memory/nearest-names.ts";
import type { ActingAs } from "./acting-as.ts";
import { given } from "../../given.ts";
import { grouped } from "../output/text.ts";
import type { Output } from "../output/output.ts";
import { type Actor, type Heed, type HeedErrorCode, HeedError, METHODS } from "../../../heed.ts";
import type { Schema } from "../../../here/schema.ts";

/** A flag. Without `value` it is a switch. */
export interface OptionSpec {
  value?: string;
  short?: string;
  /** May be given more than once; values are also split at commas. */
  isList?: boolean;
  words?: readonly string[];
  /** It needs one of these: a flag such as `--list`, or the word of an action as the first argument. */
  goesWith?: readonly string[];
  /** The field of a request that it gives, and what that may be: see `ParsedArguments.fields`. */
  sets?: string;
  schema?: Schema;
  /** What a switch gives. Default: true. */
  to?: boolean;
  /** Commas belong to a value of the list. */
  hasCommas?: boolean;
  help: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** The schemas of the fields of a request that a method takes. */
export function fieldsOf(method: string, argument: string): Readonly<Record<string, Schema>> {
  return METHODS[method]?.takes[argument]?.properties ?? {};
}

/** Flags for fields: what is not said of a flag (value, words, help with the limits) comes from the field's schema. */
export function optionsFor(
  fields: Readonly<Record<string, Schema>>,
  flags: Readonly<Record<string, Partial<OptionSpec>>>,
): OptionSpecs {
  return Object.fromEntries(
    Object.entries(flags).map(([flag, { sets = flag, help, ...own }]): [string, OptionSpec] => {
      const schema = fields[sets] ?? {};
      const { type, items, description = "", maxItems, maxLength } = schema;
      const words = own.words ?? ((items ?? schema).enum as readonly string[] | undefined);
      const limits = [
        ...(words ?? []),
        ...(maxItems ? [`at most ${maxItems}`] : []),
        // A word or a date needs no limit told.
        ...(maxLength && maxLength >= 80 ? [`at most ${grouped(maxLength)} characters`] : []),
      ].join(", ");
      const made = {
        ...(type !== "boolean" && { value: type === "integer" ? "N" : words ? "WORD" : "TEXT" }),
        ...(type === "array" && { isList: true }),
        ...(words && { words }),
        help: `${help ?? description}${limits && ` (${limits})`}`,
      };
      return [flag, { ...made, ...own, sets, schema }];
    }),
  );
}

/** A positional argument. */
export interface ArgumentSpec {
  name: string;
  isOptional?: boolean;
  /** Takes all that is left. */
  isRest?: boolean;
  words?: readonly string[];
}

/** What a command takes, says about itself and does. Help and parsing are made from it. */
export interface CommandSpec {
  arguments?: readonly ArgumentSpec[];
  options?: OptionSpecs;
  details?: readonly string[];
  examples?: readonly string[];
  /** What `--json` prints. */
  json?: string;
  /** Answers through `out`; resolves to an exit code, 0 when it gives none. */
  run: (invocation: Invocation) => Promise<number | void>;
}

/** A command with the name and summary that the table gives it. */
export interface Command extends CommandSpec {
  name: string;
  summary: string;
  arguments: readonly ArgumentSpec[];
  options: OptionSpecs;
}

/** What a command gets to work with. */
export interface Invocation {
  args: ParsedArguments;
  out: Output;
  /** Who runs it; determined when it is first asked for. */
  readonly who: ActingAs;
  readonly actor: Actor;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Opens heed there; the same one on each call. */
  open: () => Heed;
  commands: Readonly<Record<string, { group: CommandGroup; summary: string }>>;
  load: (name: string) => Promise<Command | undefined>;
}

/** The groups in the order of help, and what is in each; the first screen leaves out the last. */
export const COMMAND_GROUPS = {
  start: "stores, clients, settings",
  write: "what you keep, change and approve",
  find: "what heed knows and injects",
  keep: "guards, checks, other machines",
  more: "rarely typed",
} as const;
export type CommandGroup = keyof typeof COMMAND_GROUPS;

/** The flags and arguments of one call, already checked against the command's specification. */
export class ParsedArguments {
  readonly positionals: readonly string[];
  readonly #flags: ReadonlyMap<string, readonly string[]>;

  constructor(positionals: readonly string[], flags: ReadonlyMap<string, readonly string[]>) {
    this.positionals = positionals;
    this.#flags = flags;
  }

  /** The first argument; empty without one. */
  get first(): string {
    return this.positionals[0] ?? "";
  }

  /** Every flag and argument that was given. */
  get words(): string[] {
    return [...this.#flags.keys(), ...this.positionals];
  }

  has(flag: string): boolean {
    return this.#flags.has(flag);
  }

  /** The value of a flag; the last one when it was repeated. */
  text(flag: string): string | undefined {
    return this.#flags.get(flag)?.at(-1);
  }

  /** All values of a flag, also those joined by commas. */
  list(flag: string, hasCommas = false): string[] | undefined {
    return this.#flags
      .get(flag)
      ?.flatMap((value) => (hasCommas ? value : value.split(",")))
      .map((value) => value.trim())
      .filter((value) => value !== "");
  }

  /** The text flags among these that were given, by their names. */
  given<T extends string>(...flags: readonly T[]): { [K in T]?: string } {
    return given(Object.fromEntries(flags.map((flag) => [flag, this.text(flag)])) as { [K in T]?: string });
  }

  /** What flags give of a request, by the fields that they set; what no flag gives is absent. */
  fields<T extends object>(options: OptionSpecs): Partial<T> {
    const fields = Object.entries(options).flatMap(
      ([flag, { sets, schema, to = true, hasCommas }]): [string, unknown][] => {
        if (sets === undefined || !this.has(flag)) return [];
        const { type, minimum = 1, maximum = 1_000_000 } = schema ?? {};
        if (type === "boolean") return [[sets, to]];
        if (type === "integer") return [[sets, this.count(flag, { min: minimum, max: maximum })]];
        return [[sets, type === "array" ? this.list(flag, hasCommas) : this.text(flag)]];
      },
    );
    return Object.fromEntries(fields) as Partial<T>;
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

/** ` Did you mean a, b?`, or nothing. */
export function didYouMean(suggestions: readonly string[]): string {
  return suggestions.length === 0 ? "" : ` Did you mean ${suggestions.join(", ")}?`;
}

/** @throws HeedError `invalid-input` for a word that is not allowed, with the nearest. */
export function checkWord(allowed: readonly string[], what: string, word: string): void {
  if (allowed.includes(word)) return;
  const suggestions = nearestNames(word, allowed);
  throw usageError(
    `Unknown ${what} "${word}".${didYouMean(suggestions)} Use one of ${allowed.join(", ")}.`,
    what,
    word,
    suggestions,
  );
}

/** The exit codes of `heed`; stable, pinned by a test. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  notFound: 3,
  conflict: 4,
  outside: 5,
  internal: 70,
} as const;

/** What each of them means, as `heed help exit-codes` says it. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "done; also when nothing was found, and when a write waits in the inbox",
  refused: "problems were found (check), or a write was refused",
  usage: "the command line is wrong: unknown command or flag, missing or malformed argument, ambiguous name",
  notFound: "there is no such memory, change, receipt or store",
  conflict: "another process is writing, or the file was changed outside heed: try again",
  outside: "something outside heed failed: git, the file system, an editor",
  internal: "a bug in heed; HEED_DEBUG=1 shows the stack",
};

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_OF_ERROR: Readonly<Record<HeedErrorCode, ExitCode>> = {
  "invalid-input": EXIT.usage,
  ambiguous: EXIT.usage,
  "not-found": EXIT.notFound,
  "no-store": EXIT.notFound,
  "gate-refused": EXIT.refused,
  "read-only": EXIT.refused,
  "broken-file": EXIT.refused,
  conflict: EXIT.refused,
  "changed-outside": EXIT.conflict,
  locked: EXIT.conflict,
  "git-failed": EXIT.outside,
  "io-failed": EXIT.outside,
  unreachable: EXIT.outside,
};
