import type { Guard } from "./guard.ts";
import type { RuleGuard } from "./guard-set.ts";
import type { CommandUnit } from "./guard-unit.ts";
import { commandUnits } from "./guard-unit.ts";
import type { MatchFrame } from "./match-condition.ts";
import { matchCondition, matchException } from "./match-condition.ts";
import { absolutePath } from "./shell/run-context.ts";
import type { ForeignText } from "./shell/shell-command.ts";
import { HOLE } from "./shell/shell-word.ts";
import { isWildcard, matchesWildcard } from "./wildcard.ts";

/** So many words of a text in another language are looked at, and so many behind the name of a program. */
const MAX_TOKENS = 2000;
const MAX_WORDS = 30;
/** What a text says that writes files, whatever its language. */
const WRITES =
  /(?:^|\s)(?:-[iwo]|--(?:write|fix|in-?place|output|out))\b|write|unlink|remove|rename|delete|truncate|replace|save|dump|copy|move|rmtree|>|["'][wa]b?\+?["']/i;

/**
 * Words that a program may run in a way of its own, another language among them: whether they speak of what a guard stops,
 * as they stand one behind the other in any quotes and brackets.
 */
export class Mentions {
  readonly #foreign: ForeignText;
  readonly #tokens: string[];
  readonly #names: readonly string[];
  readonly #units = new Map<string, readonly CommandUnit[]>();

  constructor(foreign: ForeignText) {
    this.#foreign = foreign;
    this.#tokens = foreign.text.split(/[^\w./:@=+~*%^\0-]+/, MAX_TOKENS).filter((token) => token !== "");
    this.#names = this.#tokens.map((token, i) =>
      // A program that cannot be told may be any.
      token === HOLE && (i > 0 || foreign.program !== "")
        ? ""
        : token
            .replace(/^.*[/=]/, "")
            .replace(/(?:-cli)?\.[cm]?js$/, "")
            .toLowerCase(),
    );
  }

  /** A command that the guard would fire on, a file of its that may be written, or text of its pattern. */
  mayBreak({ guard }: RuleGuard, frame: MatchFrame): boolean {
    const { commands, paths, pattern, flags, args, env, branches, remotes } = guard.condition;
    const { text, cwd } = this.#foreign;
    if (commands.length > 0)
      return commands.some(([program = ""]) => this.#runs(guard, program.toLowerCase(), frame));
    if (pattern.length > 0)
      return pattern.some((test) => frame.budget.take(text.length * test.cost) && test.test(text));
    const isOfPaths =
      paths.length > 0 && flags.length + args.length + env.length + branches.length + remotes.length === 0;
    return (
      isOfPaths &&
      WRITES.test(text) &&
      this.#tokens.some((token) => {
        const path = /[./]/.test(token) ? absolutePath(token, cwd) : undefined;
        return path !== undefined && paths.some((test) => test.test(path, frame));
      })
    );
  }

  #runs(guard: Guard, program: string, frame: MatchFrame): boolean {
    return this.#unitsOf(program).some(
      (unit) =>
        matchCondition(guard.condition, unit, frame) !== "no" &&
        !guard.unless.some((other) => matchException(other, unit, frame) === "yes"),
    );
  }

  /** The text as commands of a program, from each place where it is named; every guard asks for the same. */
  #unitsOf(program: string): readonly CommandUnit[] {
    const known = this.#units.get(program);
    if (known) return known;
    const { text, cwd } = this.#foreign;
    const units = this.#names.flatMap((name, i) => {
      if (name !== program && name !== HOLE && !(isWildcard(program) && matchesWildcard(name, program)))
        return [];
      const rest = this.#tokens.slice(i + 1, i + MAX_WORDS);
      if (name === HOLE && rest.length === 0) rest.push(HOLE);
      const words = [name === HOLE ? program : name, ...rest].map((word) => ({
        text: word,
        isMany: word.includes(HOLE),
      }));
      return commandUnits({
        words,
        environment: [],
        writes: [],
        fed: { text, isWhole: true },
        cwd,
        route: [],
      });
    });
    this.#units.set(program, units);
    return units;
  }
}
