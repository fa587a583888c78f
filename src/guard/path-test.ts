import { globTest } from "../memory/match-globs.ts";

/** The directories that paths are seen from; all absolute, with forward slashes. */
export interface PathFrame {
  /** Where the call is made. */
  cwd: string;
  /** The repository's root under each of its names (a link to it, its real path). */
  roots: readonly string[];
  home: string | undefined;
}

/** One glob of a guard. */
export interface PathTest {
  glob: string;
  /** Whether an absolute path fits. */
  test(path: string, frame: PathFrame): boolean;
}

/**
 * Reads a path glob: with a slash, relative to the repository's root (`migrations/**`, `migrations/` for all below,
 * `./.env` for the one at the root); without one, a name in any folder (`.env`, `*.pem`); absolute or below home
 * (`/etc/**`, `~/.ssh/`). Undefined for one that is not taken.
 */
export function parsePathTest(glob: string): PathTest | undefined {
  if (glob.startsWith("~/")) {
    const inner = globTest(glob.slice(2));
    return inner && { glob, test: (path, { home }) => home !== undefined && isBelow(path, [home], inner) };
  }
  if (glob.startsWith("/")) {
    const inner = globTest(glob);
    return inner && { glob, test: (path) => inner(path.slice(1)) };
  }
  const inner = globTest(glob.includes("/") ? glob : `**/${glob}`);
  return inner && { glob, test: (path, { roots }) => isBelow(path, roots, inner) };
}

function isBelow(path: string, roots: readonly string[], test: (path: string) => boolean): boolean {
  return roots.some((root) => {
    const base = root.endsWith("/") ? root : `${root}/`;
    return path.startsWith(base) && path.length > base.length && test(path.slice(base.length));
  });
}
