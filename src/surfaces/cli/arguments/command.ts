import { nearestNames } from "../../../memory/nearest-names.ts";
import type { ActingAs } from "./acting-as.ts";
import { type Output, grouped } from "../output/output.ts";
import { type Actor, type Heed, type HeedErrorCode, HeedError, METHODS } from "../../../heed.ts";
import type { Schema } from "../../../here/schema.ts";

/** A flag. Without `value` it is a switch. */
export interface OptionSpec {
  value?: string;
  short?: string;
  /** May be given more than once; values are also split at commas, unless they may hold some. */
  isList?: boolean;
  hasCommas?: boolean;
  words?: readonly string[];
  /** A whole number from and to. */
  range?: readonly [from: number, to: number];
  /** It needs one of these: a flag such as `--list`, or the word of an action as the first argument. */
  goesWith?: readonly string[];
  /** Nothing but these flags and arguments, and those that there have to be, may stand beside it. */
  onlyWith?: readonly string[];
  /** The field of a request that it gives: see `ParsedArguments.fields`. */
  sets?: string;
  /** What a switch gives. Default: true. */
  to?: false | null;
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
      const { type, items, description = "", maxItems, maxLength, ...schema } = fields[sets] ?? {};
      const words = own.words ?? ((items ?? schema).enum as readonly string[] | undefined);
      const limits = [
        ...(words ?? []),
        ...(maxItems ? [`at most ${maxItems}`] : []),
        // A word or a date needs no limit told.
        ...(maxLength && maxLength >= 80 ? [`at most ${grouped(maxLength)} characters`] : []),
      ].join(", ");
      const made = {
        ...(type !== "boolean" && { value: words ? "WORD" : "TEXT" }),
        ...(type === "array" && { isList: true }),
        ...(words && { words }),
        help: `${help ?? description}${limits && ` (${limits})`}`,
      };
      return [flag, { ...made, ...own, sets }];
    }),
  );
}

/** How many are listed. */
export const limitTo = (max: number, usual: number, what = "at most this many"): OptionSpec => ({
  value: "N",
  short: "n",
  sets: "limit",
  range: [1, max],
  help: `${what} (1 to ${max}, default ${usual})`,
});

/** How many days of sessions are read. */
export const daysWith = (...goesWith: readonly string[]): OptionSpec => ({
  value: "N",
  sets: "days",
  range: [1, 3650],
  goesWith,
  help: "read the sessions of the last N days (default 30)",
});

/** A positional argument. */
export interface ArgumentSpec {
  name: string;
  isOptional?: boolean;
  /** Takes all that is left. */
  isRest?: boolean;
  words?: readonly string[];
  goesWith?: readonly string[];
  /** An optional argument may not be left out beside one of these. */
  neededBy?: readonly string[];
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
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #options: OptionSpecs;

  constructor(positionals: readonly string[], values: ReadonlyMap<string, unknown>, options: OptionSpecs) {
    this.positionals = positionals;
    this.#values = values;
    this.#options = options;
  }

  /** The first argument; empty without one. */
  get first(): string {
    return this.positionals[0] ?? "";
  }

  /** Every flag and argument that was given. */
  get words(): string[] {
    return [...this.#values.keys(), ...this.positionals];
  }

  has(flag: string): boolean {
    return this.#values.has(flag);
  }

  /** The value of a flag; the last one when it was repeated. */
  text(flag: string): string | undefined {
    return this.#values.get(flag) as string | undefined;
  }

  /** All values of a flag that is a list. */
  list(flag: string): string[] | undefined {
    return this.#values.get(flag) as string[] | undefined;
  }

  /** The value of a flag with a range. */
  count(flag: string): number | undefined {
    return this.#values.get(flag) as number | undefined;
  }

  /** What flags give of a request, by the fields that they set; what no flag gives is absent. */
  fields<T extends object>(): Partial<T> {
    const set = Object.entries(this.#options).filter(([flag, { sets }]) => sets && this.has(flag));
    return Object.fromEntries(
      set.map(([flag, { sets = "", to }]): [string, unknown] => [
        sets,
        to === undefined ? this.#values.get(flag) : to,
      ]),
    ) as Partial<T>;
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

/** The exit codes of `heed`; stable. */
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
  outside: "something outside heed failed: git, the file system, the network",
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
