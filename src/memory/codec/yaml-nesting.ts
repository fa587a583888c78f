/** A real file nests three or four levels. */
const MAX_NESTING = 64;

/**
 * Whether YAML nests so deep that it must not be given to the library, which recurses: some ten thousand brackets end
 * the whole process (V8 aborts when a regular expression is compiled at the end of the stack), and no `catch` helps.
 * Counts brackets, dashes and indentation without regard to quotes, so as an upper bound.
 */
export function isTooNested(yaml: string): boolean {
  let brackets = 0;
  for (const line of yaml.split("\n")) {
    if (line.length - line.trimStart().length > 4 * MAX_NESTING) return true;
    let marks = 0;
    for (const [mark] of line.matchAll(/[[{\]}]|(?<=^|\s)[-?:](?=\s|$)|:(?=\s)/g)) {
      if (mark === "[" || mark === "{") brackets += 1;
      else if (mark === "]" || mark === "}") brackets = Math.max(0, brackets - 1);
      else marks += 1;
      if (brackets > MAX_NESTING || marks > MAX_NESTING) return true;
    }
  }
  return false;
}
