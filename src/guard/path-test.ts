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
  /** The glob as absolute ones. */
  patterns(frame: PathFrame): string[];
}

/**
 * Reads a path glob: with a slash, relative to the repository's root (`migrations/**`, `migrations/` for all below,
 * `./.env` for the one at the root); without one, a name in any folder (`.env`, `*.pem`); absolute or below home
 * (`/etc/**`, `~/.ssh/`). Undefined for one that is not taken.
 */
export function parsePathTest(glob: string): PathTest | undefined {
  if (glob.startsWith("~/"))
    return testBelow(glob, glob.slice(2), ({ home }) => (home === undefined ? [] : [home]));
  if (glob.startsWith("/")) return testBelow(glob, glob.slice(1), () => [""]);
  return testBelow(glob, glob.includes("/") ? glob : `**/${glob}`, ({ roots }) => roots);
}

function testBelow(
  glob: string,
  inner: string,
  basesOf: (frame: PathFrame) => readonly string[],
): PathTest | undefined {
  const test = globTest(inner);
  const whole = inner.replace(/^\.\//, "").replace(/\/$/, "/**");
  const plain = (base: string): string => base.replace(/\/$/, "");
  return (
    test && {
      glob,
      test: (path, frame) =>
        basesOf(frame).some((base) => {
          const start = `${plain(base)}/`;
          return path.startsWith(start) && path.length > start.length && test(path.slice(start.length));
        }),
      patterns: (frame) => basesOf(frame).map((base) => `${plain(base)}/${whole}`),
    }
  );
}

/** The folders of an absolute glob before its first wildcard. */
export function plainPrefix(pattern: string): string {
  const segments = pattern.split("/");
  const at = segments.findIndex((segment) => /[*?[{]/.test(segment));
  return (at < 0 ? segments : segments.slice(0, at)).join("/") || "/";
}

/** Whether two globs can name the same file, more often yes than no: folders count as any text. */
export function mayMeet(one: string, other: string): boolean {
  const [a, b] = [simple(one), simple(other)];
  // A wildcard of the shell takes no name that begins with a dot.
  const [nameA = "", nameB = ""] = [one.split("/").at(-1), other.split("/").at(-1)];
  if (/^[*?[]/.test(nameA) && nameB.startsWith(".")) return false;
  let row = new Set([0]);
  const spread = (positions: Set<number>): Set<number> => {
    for (const at of positions) if (b[at] === "*") positions.add(at + 1);
    return positions;
  };
  row = spread(row);
  for (const char of a) {
    const next = new Set<number>();
    for (const at of row) {
      const over = b[at];
      if (char === "*") for (let i = at; i <= b.length; i++) next.add(i);
      else if (over === "*") next.add(at);
      else if (over !== undefined && (over === char || over === "?" || char === "?")) next.add(at + 1);
    }
    row = spread(next);
  }
  return row.has(b.length);
}

function simple(glob: string): string {
  return glob
    .replace(/\*\*\//g, "*")
    .replace(/\[[^\]]*\]/g, "?")
    .replace(/\{[^}]*\}/g, "*")
    .replace(/\*+/g, "*")
    .slice(0, 500);
}
