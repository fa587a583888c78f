import type { CommandArguments } from "./read-arguments.ts";
import { readArguments } from "./read-arguments.ts";
import type { ShellCommand } from "./shell/shell-command.ts";
import { commandText } from "./shell/shell-command.ts";
import type { ShellWord } from "./shell/shell-word.ts";

/** What a condition is asked of: one command of a shell text, one of its pipelines, or a call of another tool. */
export type GuardUnit = CommandUnit | PipelineUnit | CallUnit;

/** A command that a shell text would run. */
export interface CommandUnit {
  kind: "command";
  text: string;
  command: ShellCommand;
  args: CommandArguments;
}

/** The commands of a pipeline together: only a pattern can be asked of them. */
export interface PipelineUnit {
  kind: "pipeline";
  text: string;
}

/** A call of a tool that runs no shell. */
export interface CallUnit {
  kind: "call";
  /** The input as JSON text. */
  text: string;
  /** Files that it names. */
  paths: readonly ShellWord[];
  /** Texts that it brings into files. */
  contents: readonly string[];
}

/** Makes the unit of a command. */
export function commandUnit(command: ShellCommand): CommandUnit {
  return { kind: "command", text: commandText(command), command, args: readArguments(command.words) };
}
