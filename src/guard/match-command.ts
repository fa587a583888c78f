import type { FlagNeed, FlagTest } from "./flag-test.ts";
import { fitsValue } from "./flag-test.ts";
import type { CommandUnit } from "./guard-unit.ts";
import type { GivenOption } from "./read-arguments.ts";
import { HOLE, isKnown } from "./shell/shell-word.ts";
import type { ShellWord } from "./shell/shell-word.ts";
import type { Ternary } from "./ternary.ts";
import { allOf, anyOf, whether } from "./ternary.ts";
import { matchesWildcard } from "./wildcard.ts";

/** Whether a unit's program is one that a guard names; the case is left aside, as some file systems do. */
export function matchProgram(unit: CommandUnit, wanted: readonly string[]): Ternary {
  const [name] = unit.command.words;
  if (!name) return "no";
  if (!isKnown(name)) return "unknown";
  return whether(matchesWildcard(name.text.toLowerCase(), (wanted[0] ?? "").toLowerCase()));
}

/** Whether the first operands of a unit are the subcommands that a guard names. */
export function matchSubcommands({ args }: CommandUnit, wanted: readonly string[]): Ternary {
  return matchOperands(args.operands, wanted.slice(1));
}

function matchOperands(operands: readonly ShellWord[], wanted: readonly string[]): Ternary {
  const [pattern, ...restWanted] = wanted;
  if (pattern === undefined) return "yes";
  const [operand, ...rest] = operands;
  if (!operand) return "no";
  if (isKnown(operand)) {
    return matchesWildcard(operand.text, pattern) ? matchOperands(rest, restWanted) : "no";
  }
  // What cannot be told may be the subcommand, or something before it.
  const asSubcommand = matchOperands(rest, restWanted);
  const asOther = operand.isMany ? matchOperands(rest, wanted) : "no";
  return asSubcommand === "no" && asOther === "no" ? "no" : "unknown";
}

/** The operands behind the subcommands that a guard names. */
export function operandsAfter(unit: CommandUnit, depth: number): readonly ShellWord[] {
  return unit.args.operands.slice(depth);
}

/** Whether a unit has one of the flags that a guard names. */
export function matchFlags(unit: CommandUnit, tests: readonly FlagTest[]): Ternary {
  return anyOf(tests.map((test) => matchFlag(unit, test)));
}

function matchFlag({ args }: CommandUnit, { needs, whole }: FlagTest): Ternary {
  if (whole !== undefined && args.dashed.some((word) => word === whole || word.startsWith(`${whole}=`)))
    return "yes";
  const answer = allOf(needs.map((need) => matchNeed(args.options, need)));
  return answer === "no" && args.hasUnknown ? "unknown" : answer;
}

function matchNeed(options: readonly GivenOption[], { name, value }: FlagNeed): Ternary {
  const given = options.filter(({ names }) => names.includes(name));
  if (value === undefined) return whether(given.length > 0);
  return anyOf(
    given.map((option) => {
      if (!option.value) return "no";
      return option.value.text.includes(HOLE) ? "unknown" : whether(fitsValue(option.value.text, value));
    }),
  );
}

/** Whether one of the operands behind the subcommands fits one of the patterns. */
export function matchArgs(operands: readonly ShellWord[], patterns: readonly string[]): Ternary {
  return anyOf(
    operands.flatMap((word) =>
      patterns.map((pattern): Ternary =>
        isKnown(word) ? whether(matchesWildcard(word.text, pattern)) : "unknown",
      ),
    ),
  );
}

/** Whether a unit's environment has one of the assignments. */
export function matchEnv(
  { command }: CommandUnit,
  wanted: readonly { name: string; value: string | undefined }[],
): Ternary {
  return anyOf(
    wanted.map(({ name, value }) => {
      const given = command.environment.findLast((assignment) => assignment.name === name);
      if (!given) return "no";
      if (value === undefined) return "yes";
      return isKnown(given.value) ? whether(fitsValue(given.value.text, value)) : "unknown";
    }),
  );
}
