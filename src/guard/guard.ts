import type { FlagTest } from "./flag-test.ts";
import type { PathTest } from "./path-test.ts";
import type { TextTest } from "./text-test.ts";

/** What happens when a guard fires; `deny` goes before `ask`, that before `warn`. */
export const GUARD_ACTIONS = ["deny", "ask", "warn"] as const;
export type GuardAction = (typeof GUARD_ACTIONS)[number];

/**
 * What a call must be like. Every part that is given must hold; within a part, one of its entries suffices. For a shell
 * call all parts are asked of the same command.
 */
export interface GuardCondition {
  /** Program and subcommands, each a wildcard pattern: `["git", "commit"]`. */
  commands: readonly (readonly string[])[];
  flags: readonly FlagTest[];
  /** Wildcard patterns of operands: `main`, `+*`. */
  args: readonly string[];
  /** Of git: branches that the command is about, and remotes that it reaches; wildcard patterns. */
  branches: readonly string[];
  remotes: readonly string[];
  paths: readonly PathTest[];
  /** The files of `paths` must be there already, or must not. */
  files: "existing" | "new" | undefined;
  /** Variables of the environment, with a wildcard pattern for the value where one is given. */
  env: readonly { name: string; value: string | undefined }[];
  /** Text that an edit brings in. */
  content: readonly TextTest[];
  /** Text of a command, or of another tool's input. */
  pattern: readonly TextTest[];
}

/** The part of a rule that is enforced at tool use. */
export interface Guard {
  /** Wildcard patterns of tool names. */
  tools: readonly string[];
  condition: GuardCondition;
  action: GuardAction;
  /** What to do instead, for the model. */
  say: string | undefined;
  /** What happens where nobody can tell whether the guard fires. */
  unsure: "allow" | "ask";
  /** The guard stays silent when one of these holds for the same command or call. */
  unless: readonly GuardCondition[];
}

/** A part of a condition by name. */
export type ConditionPart =
  | "command"
  | "flags"
  | "args"
  | "branches"
  | "remotes"
  | "paths"
  | "env"
  | "content"
  | "pattern";
