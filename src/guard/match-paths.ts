import type { PathFrame, PathTest, Ternary } from "./entry-tests.ts";
import { allOf, anyOf, mayMeet, plainPrefix, whether } from "./entry-tests.ts";
import { isRecursive, writtenPaths } from "./file-effects.ts";
import type { CommandUnit, GuardCall, GuardUnit, TouchedPath } from "./guard-call.ts";
import { isWritingTool } from "./tools.ts";
import type { GuardCondition } from "./guard.ts";
import { absolutePath } from "./shell/run-context.ts";
import { type ShellWord, HOLE } from "./shell/shell-command.ts";

/** What the paths of a condition are checked against. */
export interface PathQuestion {
  condition: Pick<GuardCondition, "commands" | "paths" | "effect" | "files">;
  unit: GuardUnit;
  /** Those behind the subcommands. */
  operands: readonly ShellWord[];
  frame: PathFrame & Pick<GuardCall, "exists">;
  /** The guard's condition, if `condition` is one of its exceptions. */
  guard: GuardCondition | undefined;
}

/** Cached: every rule needs the same of a unit. */
const writtenBy = new WeakMap<CommandUnit, readonly TouchedPath[]>();

/** Programs whose first operand is the text to search for, unless an option has it. */
const TEXT_FIRST = /^(?:[efgz]?grep|rg|ag|ack|g?sed|g?awk|jq|yq)$/;
const TEXT_OPTION = /^-[ef]$|^--(?:regexp|expression|(?:from-)?files?)$/;

/** Whether one of the paths of a unit fits; for an exception, whether all do, so that one does not hide another. */
export function matchPaths(asked: PathQuestion): Ternary {
  const { guard } = asked;
  if (!guard) return anyOf(touchedBy(asked).map((one) => matchTouched(one, asked)));
  const ofGuard = { ...asked, condition: guard, guard: undefined };
  const answers = touchedBy(ofGuard).map((one) => ({ one, answer: matchTouched(one, ofGuard) }));
  const stopped = answers.filter(({ answer }) => answer !== "no");
  // Paths that the guard stops, or that the command names if the guard has no paths.
  const paths = guard.paths.length > 0 ? stopped.map(({ one }) => one) : namedBy(asked);
  return paths.length > 0 ? allOf(paths.map((one) => matchTouched(one, asked))) : "no";
}

/** The files that a unit changes; if the guard names a command, also the files that the command names. */
function touchedBy(asked: PathQuestion): readonly TouchedPath[] {
  const { unit, condition } = asked;
  const { effect } = condition;
  if (unit.kind !== "command") {
    const isChange = unit.kind === "call" && isWritingTool(unit.tool);
    if (effect !== undefined && !isChange) return [];
    return effect === "destroys" ? namedBy(asked).filter(mayBeLost) : namedBy(asked);
  }
  const written = writtenBy.get(unit) ?? writtenPaths(unit);
  writtenBy.set(unit, written);
  if (effect === "destroys") return written.filter(mayBeLost);
  if (condition.commands.length === 0 || effect !== undefined) return written;
  const named = namedBy(asked);
  const values = [
    ...(unit.command.from ? [unit.command.from] : []),
    ...unit.command.writes,
    ...unit.args.options.flatMap(({ value }) => value ?? []),
  ];
  // `grep -r x config` reads what is below.
  const below = isRecursive(unit) ? named.map(({ word }) => ({ word, reach: "some" }) as const) : [];
  return [...named, ...values.map((word) => ({ word, reach: "file" }) as const), ...written, ...below];
}

const mayBeLost = ({ isGone, isUnsure }: TouchedPath): boolean => Boolean(isGone) || isUnsure === true;

function namedBy({ unit, operands }: PathQuestion): readonly TouchedPath[] {
  if (unit.kind !== "command") return unit.kind === "call" ? unit.paths : [];
  const isOption = unit.args.options.some(({ names }) => names.some((one) => TEXT_OPTION.test(one)));
  const isText = !isOption && TEXT_FIRST.test(unit.program);
  return (isText ? operands.slice(1) : operands).map((word) => ({ word, reach: "file" }));
}

function matchTouched(one: TouchedPath, { condition, unit, frame, guard }: PathQuestion): Ternary {
  const { text, isMany, isGlob } = one.word;
  const path = absolutePath(text, unit.kind === "command" ? unit.command.cwd : frame.cwd);
  if (path === undefined || path.includes(HOLE) || (isMany && isGlob !== true)) return "unknown";
  const sure = matchPath(path, one, condition.paths, frame, guard !== undefined);
  const isOpen = one.isUnsure || (condition.effect === "destroys" && one.isGone === "maybe");
  const answer = isOpen && sure === "yes" ? "unknown" : sure;
  // The word may not be a file.
  const isWord = one.isUnsure === true && !/[./]/.test(text);
  if (isWord && frame.exists?.(path) === false) return "no";
  if (condition.files === undefined || answer === "no") return answer;
  // The shell expands a wildcard to files that are there, and what is removed with its folder was there.
  const isNamed = isGlob !== true && one.reach === "file";
  if (!frame.exists || (!isNamed && condition.files === "new")) return "unknown";
  const isThere = frame.exists(isNamed ? path : plainPrefix(path));
  // A folder is no file: the files in it are asked by their own names.
  if (isNamed)
    return isThere === (condition.files === "existing") && !frame.exists(`${path}/.`) ? answer : "no";
  return !isThere ? "no" : one.reach === "some" ? "unknown" : answer;
}

function matchPath(
  path: string,
  { word, reach }: TouchedPath,
  tests: readonly PathTest[],
  frame: PathFrame,
  isAll: boolean,
): Ternary {
  const isGlob = word.isGlob === true;
  // If any name fits, each file of the glob fits.
  const sample = isGlob ? path.replace(/\[[^\]]*\]|\*+|\?/g, "x") : path;
  const fits = (one: string): boolean => tests.some((test) => test.test(one, frame));
  if (reach === "maybe" && isAll) return whether(fits(sample) && fits(`${sample}/\u0001`));
  if (reach === "maybe") return fits(sample) || fits(`${sample}/\u0001`) ? "unknown" : "no";
  if (fits(sample)) return "yes";
  if (!isGlob && reach === "file") return "no";
  const patterns = tests.flatMap((test) => test.patterns(frame));
  if (isAll) return isGlob && patterns.some((pattern) => mayMeet(path, pattern)) ? "unknown" : "no";
  const folder = isGlob ? (path.endsWith("/**") ? plainPrefix(path) : undefined) : path;
  const isAbove =
    folder !== undefined &&
    patterns.some((pattern) => `${plainPrefix(pattern)}/`.startsWith(`${folder}/`.replace("//", "/")));
  if (reach === "tree" && isAbove) return "yes";
  // The guard names a file in any folder, and the names in this folder are unknown.
  const isAnyName = patterns.every((pattern) => path.startsWith(plainPrefix(pattern)));
  if (reach === "some") return fits(`${sample}/\u0001`) ? "yes" : isAbove && !isAnyName ? "unknown" : "no";
  const isMet = (pattern: string): boolean =>
    mayMeet(path, pattern) || (reach === "tree" && mayMeet(path, plainPrefix(pattern)));
  return isGlob && patterns.some(isMet) ? "unknown" : "no";
}
