/**
 * Words that often stand in a turn worth keeping. They only remind the model to look again. Short and not
 * fitted: words alone do not tell such turns apart (docs/measurements.md).
 */
export const CUES: readonly string[] = (
  "from now on|going forward|in the future|always|never|every time|whenever|remember|" +
  "keep in mind|we use|we don't|i prefer|i told you|why did you|you keep|stop|https://|" +
  "ab jetzt|immer|nie wieder|désormais|jamais|a partir de ahora|siempre|nunca"
).split("|");

let pattern: RegExp | undefined;

/** Whether the user typed a cue. */
export function holdsCue(text: string): boolean {
  pattern ??= new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${CUES.join("|")})(?<![\\p{L}\\p{N}](?=[\\p{L}\\p{N}]))`,
    "iu",
  );
  return pattern.test(text.replaceAll("’", "'"));
}
