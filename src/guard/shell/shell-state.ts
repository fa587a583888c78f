import type { CompoundCommand, CompoundList, Redirected } from "unbash";
import type { ShellWord } from "./shell-word.ts";
import { HOLE } from "./shell-word.ts";

/** The body of a function that the text defines. */
export type FunctionBody = CompoundCommand | Redirected | CompoundList;

/** What a text has set up by the time a command in it runs. */
export interface ShellState {
  /** Of each variable its one word, or the elements of an array. */
  variables: Map<string, readonly ShellWord[]>;
  /** Names of exported variables. */
  exported: Set<string>;
  functions: Map<string, FunctionBody>;
  /** Text of aliases. */
  aliases: Map<string, string>;
  /** Files that the text itself wrote, by absolute path; they outlast a subshell. */
  files: Map<string, string>;
  /** Settings that `git config` made; they outlast a subshell. */
  settings: Map<string, ShellWord>;
  /** Absolute; undefined when it cannot be told any more. */
  cwd: string | undefined;
  /** `$1` and so on; undefined when they cannot be told. */
  positionals: readonly ShellWord[] | undefined;
  /** `$0` */
  self: ShellWord;
}

/** A state of its own, for a subshell or a branch. */
export function copyState(state: ShellState): ShellState {
  return {
    ...state,
    variables: new Map(state.variables),
    exported: new Set(state.exported),
    functions: new Map(state.functions),
    aliases: new Map(state.aliases),
  };
}

/**
 * Makes `state` what it may be after one of several branches was taken. What all agree on is known; a variable that
 * only branches set, all alike, is taken as set; what they set differently is unknown. Functions are
 * collected from all.
 */
export function joinBranches(state: ShellState, branches: readonly ShellState[]): void {
  const names = new Set(branches.flatMap((branch) => [...branch.variables.keys()]));
  for (const name of names) {
    const values = branches.map(({ variables }) => variables.get(name));
    const first = values.find((value) => value !== undefined) ?? [];
    const text = JSON.stringify(first);
    const isSame = values.every((value) => !value || value === first || JSON.stringify(value) === text);
    state.variables.set(name, isSame ? first : [{ text: HOLE, isMany: true }]);
  }
  for (const branch of branches) {
    for (const name of branch.exported) state.exported.add(name);
    for (const [name, body] of branch.functions) state.functions.set(name, body);
    for (const [name, text] of branch.aliases) state.aliases.set(name, text);
  }
  const [first] = branches;
  state.cwd = branches.every(({ cwd }) => cwd === first?.cwd) ? first?.cwd : undefined;
}
