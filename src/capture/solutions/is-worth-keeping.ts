import { isTelling } from "../text/error-line.ts";
import type { Struggle } from "./struggle.ts";

/** States of the running work: true today, and nothing to learn from. */
const PASSING =
  /already exists|nothing to commit|no changes added|would be overwritten|did not match any file|\bconflict|could not apply|non-fast-forward|failed to push|not something we can merge|sibling tool call errored|sibling call|tool call errored|not a git repository|rate limit|overloaded|service unavailable|\b(?:502|503|504)\b|interrupted|string to replace not found|file has not been (?:read|modified)|inputvalidation|no output|does not exist on|property '.*' does not exist/i;

/** The code's own faults, found by its tests, types and linters: the diff shows how they were mended. */
const OWN_CODE =
  /^(?:FAIL(?:ED)?\b|✗|×|●|AssertionError|E\s{2,}|\S+\.(?:ts|tsx|js|jsx|py|go|rs|java|cs|al)[:(]\d|error TS\d|error\[E\d|SyntaxError|TypeError|ReferenceError|NameError|KeyError|AttributeError|IndexError|ValueError|\d+:\d+\s+error|.*\b(?:tests? failed|failed tests?|test suites?)\b)/i;

/** Programs that look around or try the code at hand: their failures are questions, not struggles. */
const LOOKERS =
  /^(?:ls|cat|head|tail|find|grep|rg|fd|sed|awk|jq|wc|stat|test|diff|which|tree|file|sort|git (?:log|diff|show|status|grep|rev-parse|ls-files|merge|rebase|cherry-pick|stash|branch))$/;
/** What stands beside the program that does the work. */
const BESIDE = /^(?:cd|echo|printf|export|set|source|sleep|mkdir)$/;
/** Scripts written for the moment. */
const THROWAWAY = /^(?:\S*\/)?(?:python3?|node|ruby|perl|php|deno|bun|tsx) (?:-[ceE]\b|- |<<|--eval)/;
/** What a shell itself says holds for every program. */
const BY_SHELL =
  /command not found|no matches found|bad math expression|read-only variable|bad substitution|permission denied|not recognized as/i;

/**
 * Whether a won struggle is knowledge of environment and tools that will be needed again. Precision goes first: a
 * solution that says nothing costs the trust in all others.
 */
export function isWorthKeeping(struggle: Struggle): boolean {
  const { failed, solution, hasEdits } = struggle;
  const first = failed[0];
  if (struggle.isSaid === true) return isSaidLesson(struggle);
  if (!first || first.error.length < 8 || !isTelling(first.error)) return false;
  const error = failed.map((attempt) => attempt.error).join("\n");
  const byShell = BY_SHELL.test(first.error);
  if (PASSING.test(first.error) && !/index\.lock/.test(first.error)) return false;
  const isHook =
    isHookMessage(error) &&
    failed.some(({ programs }) => programs.some((one) => /^git (?:commit|push)$/.test(one)));
  if (OWN_CODE.test(first.error) && !isHook) return false;
  // Mended by changing files: the diff tells, except for a rule that a hook enforces.
  if (hasEdits && !isHook) return false;
  if (first.programs.length === 0) return isToolLesson(struggle);
  const doers = first.programs.filter((program) => !BESIDE.test(program));
  if (!byShell && doers.length > 0 && doers.every((program) => LOOKERS.test(program))) return false;
  if (THROWAWAY.test(first.what.replace(/^cd \S+ && /, ""))) return false;
  // Without another way the same call only had to be made again.
  return solution.what !== failed.at(-1)?.what || isHook;
}

/** Whether a message is a hook's or of a linter that hooks run. */
export function isHookMessage(error: string): boolean {
  return /\b(?:husky|pre-commit|pre-push|commit-msg|lint-staged|MD\d{3}|subject-(?:case|empty)|type-empty|commitlint)\b/.test(
    error,
  );
}

/** Known by the agent's words alone: another way with the same program, and no file was changed for it. */
function isSaidLesson({ failed, solution, hasEdits }: Struggle): boolean {
  const first = failed[0];
  if (!first || hasEdits || first.error.length < 20) return false;
  if (THROWAWAY.test(first.what.replace(/^cd \S+ && /, "")) || OWN_CODE.test(first.error)) return false;
  const doers = first.programs.filter((program) => !BESIDE.test(program));
  if (doers.every((program) => LOOKERS.test(program))) return false;
  return failed.every(({ what }) => what !== solution.what);
}

/** Another way with the same tool or server: worth it when the error names a limit, not only a time that ran out. */
function isToolLesson({ failed, solution }: Struggle): boolean {
  const last = failed.at(-1);
  if (!last || solution.what === last.what || solution.what.length < 5) return false;
  return /denied|outside|not allowed|not supported|not found|invalid|unknown|requires?|must|status code (?:30\d|40[0135-9])|can only|expected|unexpected|exceeds|too (?:large|long|many)/i.test(
    failed[0]?.error ?? "",
  );
}
