import type { RuleGuard } from "./guard-set.ts";
import type { CommandUnit } from "./guard-unit.ts";
import { commandUnits } from "./guard-unit.ts";
import type { MatchFrame } from "./match-condition.ts";
import { matchCondition, matchException } from "./match-condition.ts";
import { decodedTexts } from "./shell/decoded-texts.ts";
import { absolutePath } from "./shell/run-context.ts";
import type { ForeignText } from "./shell/shell-command.ts";
import type { ShellWord } from "./shell/shell-word.ts";
import { HOLE, knownWord } from "./shell/shell-word.ts";
import type { TextBudget } from "./text-budget.ts";
import { isWildcard, matchesWildcard } from "./wildcard.ts";

/** So many words of a text are looked at, each up to so many characters, and so many words around a program's name. */
const MAX_TOKENS = 2000;
const MAX_TOKEN_CHARS = 300;
const MAX_WORDS = 30;
/** Steps of the budget that reading a text's character, making a command of it and asking one take. */
const COST = { char: 5, command: 10_000, asked: 1000 };
const SEPARATORS = /[^\w./:@=+~*^\0-]+/;
/** Calls of other languages that only read the file that they name. */
const READING = /(?:open|read\w*|load\w*|require|import|from|source|include)\s*\(?\s*["'`]$/i;
const READ_SO = /^["'`]\s*(?:\)|$|,\s*["'`](?:r[bt]?|utf-?8)["'`])/i;

/**
 * Words that a program may run in a way of its own, another language among them: whether they speak of what a guard
 * stops, as they stand or decoded, in any quotes and brackets.
 */
export class Mentions {
  readonly #foreign: ForeignText;
  readonly #units = new Map<string, readonly CommandUnit[]>();
  #sayings: readonly { tokens: readonly string[]; names: readonly string[] }[] | undefined;
  #files: readonly string[] | undefined;

  constructor(foreign: ForeignText) {
    this.#foreign = foreign;
  }

  /** A command that the guard would fire on, a file of its that may be written, or text of its pattern. */
  mayBreak({ guard }: RuleGuard, frame: MatchFrame): boolean {
    const { commands, paths, pattern } = guard.condition;
    const { text, phrases } = this.#foreign;
    if (commands.length > 0)
      return commands.some((wanted) => {
        const units = this.#unitsOf(wanted, frame.budget);
        // What takes too long to be looked through is not told.
        if (!units || !frame.budget.take(units.length * COST.asked)) return true;
        return units.some(
          (unit) =>
            matchCondition(guard.condition, unit, frame) !== "no" &&
            !guard.unless.some((other) => matchException(other, unit, frame, guard.condition) === "yes"),
        );
      });
    if (pattern.length > 0)
      return pattern.some((test) => frame.budget.take(text.length * test.cost) && test.test(text));
    if (paths.length === 0) return false;
    this.#files ??= decodedTexts(phrases).flatMap((said) => this.#filesIn(said));
    return this.#files.some((path) => paths.some((test) => test.test(path, frame)));
  }

  /** Files that a text names otherwise than to read them, and what may lie in folders that it names. */
  #filesIn(text: string): string[] {
    const tokens = Array.from(text.matchAll(/[\w./:@+~*-]+/g)).slice(0, MAX_TOKENS);
    return tokens.flatMap(({ 0: token, index }) => {
      const end = index + token.length;
      const path = absolutePath(token, this.#foreign.cwd);
      const isQuoted = /["'`]/.test(text[index - 1] ?? "") && /["'`]/.test(text[end] ?? "");
      if (path === undefined || !(isQuoted || /[./]/.test(token))) return [];
      const isRead = READING.test(text.slice(Math.max(0, index - 40), index));
      return isRead && READ_SO.test(text.slice(end, end + 12)) ? [] : [path, `${path}/\u0001`];
    });
  }

  /** The text as commands of a program, from each place where it is named; many guards ask for the same. */
  #unitsOf(wanted: readonly string[], budget: TextBudget): readonly CommandUnit[] | undefined {
    const program = wanted[0]?.toLowerCase() ?? "";
    const known = this.#units.get(wanted.join(" "));
    if (known) return known;
    if (!this.#sayings && !budget.take(this.#foreign.text.length * COST.char)) return undefined;
    this.#sayings ??= decodedTexts(this.#foreign.text).map((text) => {
      const tokens = text
        .split(SEPARATORS, MAX_TOKENS)
        .filter((token) => token !== "" && token.length < MAX_TOKEN_CHARS);
      return { tokens, names: tokens.map((token, i) => this.#nameOf(token, i)) };
    });
    const isMeant = (name: string): boolean =>
      name === program || name === HOLE || (isWildcard(program) && matchesWildcard(name, program));
    const units: CommandUnit[] = [];
    for (const { tokens, names } of this.#sayings)
      for (const [i, name] of names.entries()) {
        if (!isMeant(name)) continue;
        if (!budget.take(COST.command)) return undefined;
        units.push(...this.#unitAt(program, wanted.slice(1), tokens, i));
      }
    this.#units.set(wanted.join(" "), units);
    return units;
  }

  /** The program that a word may name; a hole for one that may be any, nothing for a word that is not told. */
  #nameOf(token: string, at: number): string {
    const { program } = this.#foreign;
    // `tfenv exec apply` runs what tfenv manages.
    if (at === 0 && (program === "" ? /^\0[\w-]*$/.test(token) : program.endsWith("env") && token === "exec"))
      return HOLE;
    if (token.includes(HOLE)) return "";
    return token
      .replace(/^.*(?:[/=]|::)|^-[a-zA-Z](?=\w{3})/, "")
      .replace(/(?:-cli)?\.[cm]?js$|(?<=\w)[@:][\w.^~-]+$/, "")
      .toLowerCase();
  }

  #unitAt(program: string, subs: readonly string[], tokens: readonly string[], at: number): CommandUnit[] {
    const { text, phrases, cwd } = this.#foreign;
    const behind = tokens[at + 1] === "--" ? at + 2 : at + 1;
    const rest = tokens.slice(behind, behind + MAX_WORDS);
    if (rest.length === 0 && tokens[at] === HOLE) rest.push(HOLE);
    const environment = tokens.flatMap((token) => {
      const [, name, value = HOLE] = /^([A-Z_][A-Z0-9_]+)(?:=(.*))?$/.exec(token) ?? [];
      return name === undefined ? [] : [{ name, value: knownWord(value) }];
    });
    const asUnit = (words: readonly string[]): CommandUnit[] =>
      commandUnits({
        words: [program, ...words].map((word): ShellWord => ({ text: word, isMany: word.includes(HOLE) })),
        environment,
        writes: [],
        fed: { text, isWhole: true },
        cwd,
        route: [],
      });
    // Code puts a command together in any order.
    const around = /[\w.]\s*[([]/.test(phrases)
      ? tokens.slice(Math.max(0, at - MAX_WORDS), at).concat(rest)
      : [];
    if (around.length === 0 || !subs.every((sub) => around.includes(sub))) return asUnit(rest);
    return [...asUnit(rest), ...asUnit([...subs, ...around.filter((token) => !subs.includes(token))])];
  }
}
