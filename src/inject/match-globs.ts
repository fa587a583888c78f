import picomatch from "picomatch";

/**
 * Globs come from files that anyone may have written, and picomatch turns them into backtracking expressions: with at
 * most this many wildcards over a path of bounded length, matching ends in milliseconds whatever they are.
 */
const MAX_GLOB_CHARS = 200;
const MAX_WILDCARDS_PER_SEGMENT = 3;
const MAX_DEEP_WILDCARDS = 3;
const MAX_GLOBS = 50;

/** Whether a path relative to the repository's root matches one of a memory's globs; `dir/` means all below it. */
export function matchesGlobs(path: string, globs: readonly string[]): boolean {
  return globs.slice(0, MAX_GLOBS).some((glob) => {
    const whole = glob.replace(/^\.?\//, "").replace(/\/$/, "/**");
    if (!isBounded(whole)) return false;
    try {
      return picomatch.isMatch(path, whole, { dot: true, noextglob: true, nonegate: true });
    } catch {
      return false;
    }
  });
}

function isBounded(glob: string): boolean {
  if (glob === "" || glob.length > MAX_GLOB_CHARS) return false;
  const segments = glob.split("/");
  const isDeep = (segment: string): boolean => segment.includes("**");
  return (
    segments.filter(isDeep).length <= MAX_DEEP_WILDCARDS &&
    segments.every(
      (segment) => isDeep(segment) || (segment.match(/[*?]/g)?.length ?? 0) <= MAX_WILDCARDS_PER_SEGMENT,
    )
  );
}
