/**
 * Words that often stand in a turn that holds something worth keeping. They decide nothing: the model is reminded once to
 * look at the turn again, and judges. Chosen beforehand and kept short rather than fitted: on labelled turns of 16 owners
 * words alone do not tell such turns apart (docs/measurements.md says what this list finds).
 */
export const CUES: readonly string[] = (
  "from now on|going forward|in the future|always|never|every time|whenever|remember|" +
  "keep in mind|we use|we don't|i prefer|i told you|why did you|you keep|stop|https://|" +
  "ab jetzt|immer|nie wieder|désormais|jamais|a partir de ahora|siempre|nunca"
).split("|");

let pattern: RegExp | undefined;

/** Whether a cue stands in what the user typed. */
export function holdsCue(text: string): boolean {
  pattern ??= new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${CUES.join("|")})(?<![\\p{L}\\p{N}](?=[\\p{L}\\p{N}]))`,
    "iu",
  );
  return pattern.test(text.replaceAll("’", "'"));
}
