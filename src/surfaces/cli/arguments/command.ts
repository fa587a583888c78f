import type { Actor, Heed } from "../../../heed.ts";
import type { ActingAs } from "./acting-as.ts";
import type { Output } from "../output/output.ts";
import type { ParsedArguments } from "./parsed-arguments.ts";

/** What a word of the command line stands for: completion offers these. */
export type Completes = "memory" | "pending" | "command" | "type" | "directory" | "file" | "shell";

/** A flag. Without `value` it is a switch. */
export interface OptionSpec {
  /** Placeholder of the value in help, for example `NAME`. */
  value?: string;
  short?: string;
  /** May be given more than once; values are also split at commas. */
  isList?: boolean;
  /** The only words allowed. */
  words?: readonly string[];
  completes?: Completes;
  /** It needs one of these: a flag such as `--repair`, or the word of an action as the first argument. */
  goesWith?: readonly string[];
  help: string;
}

/** Flags by their name without dashes. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** A positional argument. */
export interface ArgumentSpec {
  /** As help shows it, for example `NAME`. */
  name: string;
  isOptional?: boolean;
  /** Takes all that is left. Only for the last one. */
  isRest?: boolean;
  words?: readonly string[];
  completes?: Completes;
}

/** What a command takes, says about itself and does. Help, parsing and completion are made from it. */
export interface CommandSpec {
  /** Default: none. */
  arguments?: readonly ArgumentSpec[];
  /** Default: none. */
  options?: OptionSpecs;
  /** What the summary leaves out, as lines. */
  details?: readonly string[];
  /** Command lines that work. */
  examples?: readonly string[];
  /** The one value that `--json` prints. */
  json?: string;
  /** Answers through `out`; resolves to an exit code, 0 when it gives none. */
  run: (invocation: Invocation) => Promise<number | void>;
}

/** A command with the name and summary that the table gives it. */
export interface Command extends CommandSpec {
  name: string;
  /** One line, lower case, without a full stop. */
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
  /** Where the command acts: `--cwd`, else the process's directory. */
  cwd: string;
  /** Opens heed there; the same one on each call. */
  open: () => Heed;
  /** All commands, for those that are about the others. */
  commands: Readonly<Record<string, { group: CommandGroup; summary: string }>>;
  /** Loads one of them; undefined for any other word. */
  load: (name: string) => Promise<Command | undefined>;
}

/** The groups in the order of help, and what is in each. */
export const COMMAND_GROUPS = {
  daily: "what you write, find and answer",
  upkeep: "keeping memories sound",
  setup: "stores, clients, optional parts",
} as const;
export type CommandGroup = keyof typeof COMMAND_GROUPS;
