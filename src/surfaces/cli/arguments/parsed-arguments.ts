import { usageError } from "./usage-error.ts";

/** The flags and arguments of one call, already checked against the command's specification. */
export class ParsedArguments {
  /** Arguments without a dash, in order. */
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

  /** All values of a flag as they were given: commas belong to them. */
  texts(flag: string): string[] | undefined {
    return this.#flags.get(flag)?.map((value) => value.trim());
  }

  /** The text flags among these that were given, by their names. */
  given<T extends string>(...flags: readonly T[]): { [K in T]?: string } {
    return given(Object.fromEntries(flags.map((flag) => [flag, this.text(flag)])) as { [K in T]?: string });
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

/** The fields of a record that are set: a flag that is not given is `undefined`, the façade wants it absent. */
export function given<T extends object>(record: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
