import type { PathFrame } from "./entry-tests.ts";
import { plainPrefix } from "./entry-tests.ts";
import type { GuardCall } from "./guard-call.ts";
import type { GuardCondition, GuardUnit } from "./guard.ts";
import { type ShellWord, type TouchedPath, HOLE, absolutePath, knownWord } from "./shell/shell-command.ts";

export interface PathQuestion {
  condition: Pick<GuardCondition, "commands" | "paths" | "effect" | "files">;
  unit: GuardUnit;
  operands: readonly ShellWord[];
  frame: PathFrame & Pick<GuardCall, "exists">;
  /** The guard's condition, if `condition` is one of its exceptions. */
  guard: GuardCondition | undefined;
}

/** Programs whose first operand is the text to search for, unless an option has it. */
const TEXT_FIRST = /^(?:[efgz]?grep|rg|ag|ack|g?sed|g?awk|jq|yq)$/;
const TEXT_OPTION = /^-[ef]$|^--(?:regexp|expression|(?:from-)?files?)$/;

/** Whether one of the paths of a unit fits; for an exception, whether all do, so that one does not hide another. */
export function matchPaths(asked: PathQuestion): boolean {
  const { guard } = asked;
  if (!guard) return touchedBy(asked).some((one) => fitsPath(one, asked));
  const ofGuard = { ...asked, condition: guard, guard: undefined };
  // Paths that the guard stops, or that the command names if the guard has no paths.
  const paths =
    guard.paths.length > 0 ? touchedBy(ofGuard).filter((one) => fitsPath(one, ofGuard)) : namedBy(asked);
  return paths.length > 0 && paths.every((one) => fitsPath(one, asked));
}

/** The files that a unit changes; if the guard names a command, also the files that the command names. */
function touchedBy(asked: PathQuestion): readonly TouchedPath[] {
  const { unit, condition } = asked;
  const { changed } = unit;
  if (condition.effect === "destroys") return changed.filter(({ isGone }) => isGone);
  if (condition.effect === "writes") return changed;
  if (unit.kind !== "command") return namedBy(asked);
  if (condition.commands.length === 0) return changed;
  const values = unit.args.options.flatMap(({ value }) => value ?? []);
  return [...namedBy(asked), ...(unit.from ? [unit.from] : []), ...values, ...changed];
}

/** The files that a unit names; a command that names none works in its directory. */
function namedBy({ unit, operands }: PathQuestion): readonly TouchedPath[] {
  if (unit.kind !== "command") return unit.kind === "call" ? unit.paths : [];
  if (operands.length === 0) return [knownWord(".")];
  const isOption = unit.args.options.some(({ names }) => names.some((one) => TEXT_OPTION.test(one)));
  return !isOption && TEXT_FIRST.test(unit.program) ? operands.slice(1) : operands;
}

function fitsPath(one: TouchedPath, { condition, unit, frame, guard }: PathQuestion): boolean {
  // What is not literal is not judged: it neither breaks a rule, nor is it beyond an exception.
  if (one.text.startsWith(HOLE)) return guard !== undefined;
  const path = absolutePath(one.text, unit.cwd);
  if (path === undefined || !isBelow(path, one, condition, frame, guard !== undefined)) return false;
  if (condition.files === undefined) return true;
  const named = one.isGlob === true || path.includes(HOLE) ? plainPrefix(path.replaceAll(HOLE, "*")) : path;
  if (!frame.exists) return false;
  const isThere = frame.exists(named);
  // A folder is no file: the files in it are asked by their own names.
  const isFolder = one.isTree !== true && named === path && frame.exists(`${path}/.`);
  return !isFolder && isThere === (condition.files === "existing");
}

function isBelow(
  path: string,
  { isGlob = false, isTree }: TouchedPath,
  { paths }: PathQuestion["condition"],
  frame: PathFrame,
  isException: boolean,
): boolean {
  // If any name fits, each file of the wildcard fits.
  const sample = isGlob ? path.replace(/\[[^\]]*\]|\*+|\?/g, "x") : path;
  if (paths.some((test) => test.test(sample, frame))) return true;
  const folder = path.replace(/\/\*$/, "") || "/";
  if (isException || isTree !== true || (isGlob && /[*?[]/.test(folder))) return false;
  const isAbove = (pattern: string): boolean =>
    `${plainPrefix(pattern)}/`.startsWith(`${folder}/`.replace("//", "/"));
  // A name in any folder (`.env`) has none of its own.
  return paths.some((test) => test.patterns(frame).some((one) => !/\/\*\*\/[^/]/.test(one) && isAbove(one)));
}
