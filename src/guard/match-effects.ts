import { matchesWildcard } from "./entry-tests.ts";
import type { GuardUnit } from "./guard-call.ts";
import { hasOption, matchCalled, matchFlags } from "./match-command.ts";
import { PUBLISHING_COMMANDS } from "./publishing-commands.ts";
import { isKnown } from "./shell/shell-command.ts";

/** Whether a unit rewrites one of the branches on a remote, or deletes it there. */
export function matchRewrites(unit: GuardUnit, branches: readonly string[]): boolean {
  if (unit.kind !== "command" || !matchCalled(unit, ["git", "push"])) return false;
  const { branch } = unit;
  if (!branch || !isKnown(branch) || hasOption(unit, /^--dry-run$/)) return false;
  if (!hasOption(unit, /^(?:-f|-d|--force|--force-with-lease|--delete|--mirror)$/)) return false;
  return branch.text === "*" || branches.some((pattern) => matchesWildcard(branch.text, pattern));
}

/** Whether a unit puts a package, an image or a release where others get it. */
export function matchPublishes(unit: GuardUnit): boolean {
  if (unit.kind !== "command" || hasOption(unit, /^--(?:dry-?run|snapshot|help)$/)) return false;
  return PUBLISHING_COMMANDS.some(
    ({ command, flags }) => matchCalled(unit, command) && (flags.length === 0 || matchFlags(unit, flags)),
  );
}
