import type { Actor, Heed } from "../../../heed.ts";
import type { ActingAs } from "./acting-as.ts";
import type { Output } from "../output/output.ts";
import type { ParsedArguments } from "./parsed-arguments.ts";

/** What a word of the command line stands for: completion offers these. */
export type Completes = "memory" | "pending" | "command" | "type" | "directory" | "file";

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
  help: string;
}

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

/** Flags by their name without dashes. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** What a command gets to work with. */
export interface Invocation {
  args: ParsedArguments;
  out: Output;
  /** Who gives it; found out when it is first asked for. */
  readonly actor: Actor;
  readonly who: ActingAs;
  env: Readonly<Record<string, string | undefined>>;
  /** Where the command acts: `--cwd`, else the process's directory. */
  cwd: string;
  /** All commands, for those that tell of the others. */
  commands: Readonly<Record<string, CommandEntry>>;
  /** Opens heed there; the same one on each call. */
  open: () => Heed;
}

/** One command of `heed`: what help, parsing and completion know of it, and what it does. */
export interface Command {
  name: string;
  /** One line, lower case, without a full stop. */
  summary: string;
  arguments: readonly ArgumentSpec[];
  options: OptionSpecs;
  /** What the summary leaves out, as lines. */
  details?: readonly string[];
  /** Command lines that work. */
  examples?: readonly string[];
  /** Answers through `out`; resolves to an exit code, 0 when it gives none. */
  run: (invocation: Invocation) => Promise<number | void>;
}

/** A command as the overview lists it, and how to load the rest. */
export interface CommandEntry {
  group: CommandGroup;
  summary: string;
  load: () => Promise<{ command: Command }>;
}

/** The groups in the order of help, and what is in each. */
export const COMMAND_GROUPS = {
  daily: "what you write, find and answer",
  upkeep: "keeping memories sound",
  setup: "stores, clients, optional parts",
} as const;
export type CommandGroup = keyof typeof COMMAND_GROUPS;
