import { Budget, BudgetSpent } from "./shell-limits.ts";
import type { ShellReading } from "./shell-command.ts";
import { ShellReader } from "./shell-reader.ts";
import type { ShellState } from "./shell-state.ts";
import { knownWord } from "./shell-word.ts";

/** Commands, words and pieces of text that are followed in one text: 10 ms of work. */
const MAX_STEPS = 30_000;

/** Where a shell text is read, absolute, and when reading it stops, by `performance.now()`. */
export interface ShellPlace {
  cwd: string;
  home?: string | undefined;
  untilMs?: number | undefined;
}

/**
 * Reads a shell text without running it: every command that it would run, with quotes, variables, functions, aliases,
 * loops, substitutions, here-documents and nested scripts followed as far as the text itself tells them. Pure and
 * bounded; what cannot be told is named among the blind spots.
 */
export function readShell(source: string, { cwd, home, untilMs }: ShellPlace): ShellReading {
  const reader = new ShellReader(new Budget(MAX_STEPS, untilMs), home);
  const state: ShellState = {
    variables: new Map(home === undefined ? [] : [["HOME", [knownWord(home)]]]),
    exported: new Set(),
    functions: new Map(),
    aliases: new Map(),
    files: new Map(),
    settings: new Map(),
    cwd,
    positionals: undefined,
    self: knownWord("bash"),
  };
  try {
    reader.runText(source, { shell: reader, state, route: [], depth: 0, input: "" });
  } catch (error) {
    // The parser and the walk end by themselves; a stack that is too small for them must not end the caller.
    reader.blind(
      error instanceof BudgetSpent ? error.message : `the text cannot be read: ${String(error).slice(0, 80)}`,
    );
  }
  return reader.reading();
}
