import picomatch from "picomatch";
import { LIMITS } from "./limits.ts";

/** picomatch backtracks: with so many wildcards over a bounded path any hostile glob ends in milliseconds. */
const MAX_WILDCARDS_PER_SEGMENT = 3;
const MAX_DEEP_WILDCARDS = 3;

/** Whether a path relative to the repository's root matches one of a memory's globs; `dir/` means all below it. */
export function matchesGlobs(path: string, globs: readonly string[]): boolean {
  return globs.slice(0, LIMITS.paths).some((glob) => globTest(glob)?.(path) === true);
}

/** A test of paths by one glob, to be made once and used often; undefined for a glob that is not taken. */
export function globTest(glob: string): ((path: string) => boolean) | undefined {
  const whole = glob.replace(/^\.?\//, "").replace(/\/$/, "/**");
  if (!isBoundedGlob(whole)) return undefined;
  try {
    // By the name of a property: in the bundles the default import is the module, not the function that it is here.
    const expression = picomatch.makeRe(whole, { dot: true, noextglob: true, nonegate: true });
    return (path) => expression.test(path);
  } catch {
    return undefined;
  }
}

function isBoundedGlob(glob: string): boolean {
  if (glob === "" || glob.length > LIMITS.pathChars) return false;
  const segments = glob.split("/");
  const isDeep = (segment: string): boolean => segment.includes("**");
  return (
    segments.filter(isDeep).length <= MAX_DEEP_WILDCARDS &&
    segments.every(
      (segment) => isDeep(segment) || (segment.match(/[*?]/g)?.length ?? 0) <= MAX_WILDCARDS_PER_SEGMENT,
    )
  );
}
