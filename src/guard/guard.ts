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
  paths: readonly PathTest[];
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
  /** The guard stays silent when one of these holds for the same command or call. */
  unless: readonly GuardCondition[];
}

/** A part of a condition by name. */
export type ConditionPart = "command" | "flags" | "args" | "paths" | "env" | "content" | "pattern";
