import { createTwoFilesPatch } from "diff";

/** Comparing takes time in the product of the texts' lengths; after this long the whole text counts as replaced. */
const TIMEOUT_MS = 1_000;

/**
 * The unified diff between two texts of a memory, with three lines of context; "" when they are equal. `null` stands
 * for a file that is not there.
 */
export function unifiedDiff(
  before: string | null,
  after: string | null,
  name: { before: string; after: string },
): string {
  if (before === after) return "";
  const from = before === null ? "/dev/null" : `a/${name.before}`;
  const to = after === null ? "/dev/null" : `b/${name.after}`;
  const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", undefined, undefined, {
    context: 3,
    timeout: TIMEOUT_MS,
  });
  if (patch !== undefined) return patch.replace(/^=+\n/, "");
  const lines = (text: string | null, mark: string): string[] =>
    (text ?? "").split("\n").map((line) => `${mark}${line}`);
  return [`--- ${from}`, `+++ ${to}`, ...lines(before, "-"), ...lines(after, "+"), ""].join("\n");
}
