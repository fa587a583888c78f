import type { RuleGuard } from "./guard.ts";
import { type CommandUnit, commandUnits } from "./guard-call.ts";
import { speaksOfEffect } from "./match-effects.ts";
import { type MatchFrame, joinedTexts, matchCondition } from "./match-condition.ts";
import { absolutePath, type Budget } from "./shell/run-context.ts";
import { type ForeignText, type ShellWord, HOLE, knownWord } from "./shell/shell-command.ts";
import { matchesWildcard } from "./entry-tests.ts";

const MAX_TOKENS = 2000;
const MAX_TOKEN_CHARS = 300;
const MAX_WORDS = 30;
const COST = { char: 5, command: 10_000, asked: 1000 };
const SEPARATORS = /[^\w./:@=+~*^\0-]+/;
/** Calls of other languages that only read the file that they name. */
const READING = /(?:open|read\w*|load\w*|require|import|from|source|include)\s*\(?\s*["'`]$/i;
const READ_SO = /^["'`]\s*(?:\)|$|,\s*["'`](?:r[bt]?|utf-?8)["'`])/i;

/** What other programs put in: `{{flags}}`, `${{ inputs.flags }}`, `$1`, `{flags}`. */
const PUT_IN = /\$?\{\{[^{}]{0,200}\}\}|(?<!\w)\{[\w.]{0,200}\}|\$(?:\{[^{}]{0,200}\}|[\w@*])/g;
const RUNS = /system|exec|spawn|popen|subprocess|eval/i;
const ENCODED =
  /\\x[0-9a-f]{2}|\\u00|\\[0-7]{3}|\[::-1\]|revers|b(?:ase)?64|atob|fromhex|unhex|charcode|\bchr\b|rot13/i;

/**
 * Searches words that a program may run in a way of its own, such as code of another language, for what a guard stops,
 * in any quotes and brackets.
 */
export class Mentions {
  readonly #foreign: ForeignText;
  readonly #files = new Map<boolean, readonly string[]>();
  readonly #units = new Map<string, readonly CommandUnit[]>();
  #tokens: readonly string[] | undefined;

  constructor(foreign: ForeignText) {
    this.#foreign = foreign;
  }

  /** Whether the text has a command that the guard fires on, a guarded file that may be written, or text of its pattern. */
  mayBreak({ guard }: RuleGuard, frame: MatchFrame): boolean {
    const { commands, paths, pattern, effect, rewrites, publishes } = guard.condition;
    const { text, phrases } = this.#foreign;
    const ofEffects = rewrites.length > 0 ? "rewrites" : publishes.length > 0 ? "publishes" : undefined;
    if (ofEffects) return speaksOfEffect(joinedTexts(text), ofEffects);
    if (commands.length > 0 && RUNS.test(phrases) && ENCODED.test(phrases)) return true;
    if (commands.length > 0)
      return commands.some((wanted) => {
        const units = this.#unitsOf(wanted, frame.budget);
        // A text that takes too long to search is unknown.
        if (!units || !frame.budget.take(units.length * COST.asked)) return true;
        return units.some(
          (unit) =>
            matchCondition(guard.condition, unit, frame) !== "no" &&
            !guard.unless.some((other) => matchCondition(other, unit, frame, guard.condition) === "yes"),
        );
      });
    if (pattern.length > 0)
      return pattern.some((test) => frame.budget.take(text.length * test.cost) && test.test(text));
    if (paths.length === 0) return false;
    const isBare = effect !== undefined;
    const files = this.#files.get(isBare) ?? this.#filesIn(joinedTexts(phrases), isBare);
    this.#files.set(isBare, files);
    return files.some((path) => paths.some((test) => test.test(path, frame)));
  }

  /** Files that a text names for more than reading, and files in folders that it names. @param isBare a word may be one. */
  #filesIn(text: string, isBare: boolean): string[] {
    const tokens = Array.from(text.matchAll(/[\w./:@+~*\\-]+/g)).slice(0, MAX_TOKENS);
    return tokens.flatMap(({ 0: token, index }) => {
      const end = index + token.length;
      const path = absolutePath(token.replaceAll("\\", "/"), this.#foreign.cwd);
      const isQuoted = /["'`]/.test(text[index - 1] ?? "") && /["'`]/.test(text[end] ?? "");
      if (path === undefined || !(isBare || isQuoted || /[./]/.test(token))) return [];
      const isRead = READING.test(text.slice(Math.max(0, index - 40), index));
      return isRead && READ_SO.test(text.slice(end, end + 12)) ? [] : [path, `${path}/\u0001`];
    });
  }

  /** Reads the text as a command from each place that names the program; cached, since many guards need the same. */
  #unitsOf(wanted: readonly string[], budget: Budget): readonly CommandUnit[] | undefined {
    const program = wanted[0]?.toLowerCase() ?? "";
    const known = this.#units.get(wanted.join(" "));
    if (known) return known;
    if (!this.#tokens && !budget.take(this.#foreign.text.length * COST.char)) return undefined;
    const tokens = (this.#tokens ??= joinedTexts(this.#foreign.text)
      .replace(PUT_IN, HOLE)
      .split(SEPARATORS, MAX_TOKENS)
      .filter((token) => token !== "" && token.length < MAX_TOKEN_CHARS));
    const names = tokens.map((token, i) => this.#nameOf(token, i));
    const units: CommandUnit[] = [];
    for (const [i, name] of names.entries()) {
      if (name !== HOLE && !matchesWildcard(name, program)) continue;
      if (!budget.take(COST.command)) return undefined;
      units.push(...this.#unitAt(program, wanted.slice(1), tokens, i));
    }
    this.#units.set(wanted.join(" "), units);
    return units;
  }

  /** The program that a word may name: HOLE for any program, empty for an unknown word. */
  #nameOf(token: string, at: number): string {
    const { program } = this.#foreign;
    // `tfenv exec apply` runs what tfenv manages.
    if (at === 0 && (program === "" ? /^\0[\w-]*$/.test(token) : program.endsWith("env") && token === "exec"))
      return HOLE;
    const name = token
      .replace(/^.*(?:[/=]|::|\bnpm:)|^-[a-zA-Z](?=\w{3})|^@/, "")
      // `from alembic.config import main`
      .replace(/^(?:from|import)$/.test(this.#tokens?.[at - 1] ?? "") ? /\..*/ : "", "")
      .replace(/(?:-cli)?\.[cm]?js$|(?<=\w)[@:][\w.^~-]+$/, "")
      .toLowerCase();
    if (!name.includes(HOLE)) return name;
    // `rm${IFS}-rf`
    return at === 0 && program === "" ? token.slice(0, token.indexOf(HOLE)) : "";
  }

  #unitAt(program: string, subs: readonly string[], tokens: readonly string[], at: number): CommandUnit[] {
    const { text, phrases, cwd, isWhole } = this.#foreign;
    const behind = tokens[at + 1] === "--" ? at + 2 : at + 1;
    const rest = tokens.slice(behind, behind + MAX_WORDS);
    if (tokens[at]?.includes(HOLE) && (rest.length === 0 || tokens[at] !== HOLE)) rest.unshift(HOLE);
    const environment = tokens.flatMap((token) => {
      const [, name, value = HOLE] = /^([A-Z_][A-Z0-9_]+)(?::|=(.*))?$/.exec(token) ?? [];
      return name === undefined ? [] : [{ name, value: knownWord(value) }];
    });
    const asUnit = (words: readonly string[]): CommandUnit[] =>
      commandUnits({
        words: [program, ...words].map((word): ShellWord => ({ text: word, isMany: word.includes(HOLE) })),
        environment,
        writes: [],
        fed: { text, isWhole },
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
