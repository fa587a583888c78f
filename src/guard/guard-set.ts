import type { Guard } from "./guard.ts";
import type { PathTest } from "./path-test.ts";
import { SHELL_TOOLS } from "./tool-names.ts";
import { isWildcard, matchesWildcard } from "./wildcard.ts";

/** A guard of a rule that is in force, and the paths that the rule holds for (empty: all). */
export interface RuleGuard {
  guard: Guard;
  scope: readonly PathTest[];
}

/** Guards arranged by what decides most quickly whether they can matter: tool, then program. */
export class GuardSet<R extends RuleGuard> {
  readonly #byTool = new Map<string, R[]>();
  readonly #byToolPattern: { pattern: string; rule: R }[] = [];
  readonly #byProgram = new Map<string, R[]>();
  readonly #ofAnyProgram: R[] = [];
  readonly #forShell: R[] = [];

  constructor(rules: readonly R[]) {
    for (const rule of rules) {
      for (const tool of new Set(rule.guard.tools)) {
        if (tool === "Bash" || SHELL_TOOLS.has(tool)) this.#addShell(rule);
        else if (isWildcard(tool)) {
          this.#byToolPattern.push({ pattern: tool, rule });
          if (matchesWildcard("Bash", tool)) this.#addShell(rule);
        } else add(this.#byTool, tool, rule);
      }
    }
  }

  /** The guards that shell calls are asked about. */
  get forShell(): readonly R[] {
    return this.#forShell;
  }

  /** The guards of a tool that runs no shell. */
  forTool(tool: string): readonly R[] {
    const patterns = this.#byToolPattern.filter(({ pattern }) => matchesWildcard(tool, pattern));
    return [...(this.#byTool.get(tool) ?? []), ...patterns.map(({ rule }) => rule)];
  }

  /** The guards that a program can matter to; all when it is not known. */
  forProgram(program: string | undefined): readonly R[] {
    if (program === undefined) return this.#forShell;
    const named = this.#byProgram.get(program.toLowerCase());
    return named ? [...named, ...this.#ofAnyProgram] : this.#ofAnyProgram;
  }

  #addShell(rule: R): void {
    if (this.#forShell.includes(rule)) return;
    this.#forShell.push(rule);
    const programs = new Set(rule.guard.condition.commands.map(([name = ""]) => name.toLowerCase()));
    if (programs.size === 0 || [...programs].some(isWildcard)) this.#ofAnyProgram.push(rule);
    else for (const program of programs) add(this.#byProgram, program, rule);
  }
}

function add<R>(map: Map<string, R[]>, key: string, rule: R): void {
  const list = map.get(key);
  if (list) list.push(rule);
  else map.set(key, [rule]);
}
