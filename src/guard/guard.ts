import { type FlagTest, type PathTest, type TextTest, matchesWildcard } from "./entry-tests.ts";
import type { CommandArguments } from "./shell/read-arguments.ts";
import type { ShellCommand, ShellPipeline, ShellWord, TouchedPath } from "./shell/shell-command.ts";
import type { FileUse } from "./tools.ts";

/** What happens when a guard fires; `deny` goes before `ask`, that before `warn`. */
export const GUARD_ACTIONS = ["deny", "ask", "warn"] as const;
export type GuardAction = (typeof GUARD_ACTIONS)[number];

/** What a call must be like: every part that is given holds, by one of its entries; all parts for the same command. */
export interface GuardCondition {
  /** Program and subcommands, each a wildcard pattern: `["git", "commit"]`. */
  commands: readonly (readonly string[])[];
  flags: readonly FlagTest[];
  /** Wildcard patterns of operands: `main`, `+*`. */
  args: readonly string[];
  /** For git: branches that the command concerns, and remotes that it reaches; wildcard patterns. */
  branches: readonly string[];
  remotes: readonly string[];
  paths: readonly PathTest[];
  /** What must happen to `paths`: any change, or that they are removed, moved away or emptied. Undefined: they are named. */
  effect: "writes" | "destroys" | undefined;
  files: "existing" | "new" | undefined;
  /** Variables of the environment, with a wildcard pattern for the value where one is given. */
  env: readonly { name: string; value: string | undefined }[];
  content: readonly TextTest[];
  pattern: readonly TextTest[];
  /** Branches of a remote whose history is rewritten, or that are deleted there; wildcard patterns. */
  rewrites: readonly string[];
  publishes: readonly string[];
}

/** What must have happened before something is done, or before a turn ends. */
export interface Duty {
  /** `before`: the commands of the condition; `turn-end`: the end of a turn in which a file of `after` was changed. */
  moment: "before" | "turn-end";
  /** One of these commands must have passed, program and subcommands as in a condition. */
  needs: readonly (readonly string[])[];
  /** … since one of these files was last changed; empty: any file of the repository. */
  after: readonly PathTest[];
}

export interface Guard {
  tools: readonly string[];
  condition: GuardCondition;
  action: GuardAction;
  say: string | undefined;
  /** The guard stays silent when one of these holds for the same command or call. */
  unless: readonly GuardCondition[];
  /** Stops only what is done too early. */
  duty: Duty | undefined;
  /** Calls that it must stop, and must not; see `examples.ts`. */
  examples: { stops: readonly unknown[]; allows: readonly unknown[] };
}

export type ConditionPart = Exclude<keyof GuardCondition, "commands" | "files" | "effect"> | "command";

/** One guard of a rule in force (a `rule` to what evaluates it), with the paths that the rule holds for (empty: all). */
export interface RuleGuard {
  guard: Guard;
  scope: readonly PathTest[];
}

/** What a condition is checked against: a command or pipeline of a shell text, or a call of another tool. */
export type GuardUnit = CommandUnit | PipelineUnit | CallUnit;

interface Unit {
  text: string;
  cwd: string | undefined;
  changed: readonly TouchedPath[];
}

/** A command that a shell text would run; a push of several branches is one for each of them. */
export interface CommandUnit extends Unit, ShellCommand {
  kind: "command";
  program: string;
  args: CommandArguments;
  /** For git: the branch that it concerns, `*` for all. */
  branch: ShellWord | undefined;
  remote: ShellWord | undefined;
}

/** The commands of a pipeline together; only patterns are checked against them. */
interface PipelineUnit extends Unit, ShellPipeline {
  kind: "pipeline";
}

export interface CallUnit extends Unit, FileUse {
  kind: "call";
  tool: string;
  input: Readonly<Record<string, unknown>>;
  paths: readonly TouchedPath[];
  contents: readonly string[];
  /** A diff, or the format that Codex's tool takes. */
  patch: string | undefined;
}

/** The guards that a call is checked against. @param names what its tool is called, by what it does. */
export function guardsFor<R extends RuleGuard>(rules: readonly R[], names: readonly string[]): R[] {
  return rules.filter(
    ({ guard: { tools, duty } }) =>
      duty?.moment !== "turn-end" && tools.some((one) => names.some((name) => matchesWildcard(name, one))),
  );
}
