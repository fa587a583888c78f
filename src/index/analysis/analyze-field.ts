import { tokenize, type TokenKindValue, type TokenSink } from "./tokenize.ts";

/** Distance between two values of one field, so that no phrase runs across them. */
const VALUE_GAP = 8;

/** The terms of one field, without stop words unless there is nothing else. Returns the number of terms. */
export function analyzeField(values: readonly string[], sink: TokenSink): number {
  let held: [string, number, TokenKindValue, string][] | undefined;
  let hasContent = false;
  let position = 0;
  let length = 0;
  const keep: TokenSink = (term, at, kind, isStop, surface) => {
    if (isStop) {
      if (!hasContent) (held ??= []).push([term, at, kind, surface]);
      return;
    }
    hasContent = true;
    held = undefined;
    length++;
    sink(term, at, kind, false, surface);
  };
  for (const value of values) {
    position = tokenize(value, keep, position) + VALUE_GAP;
  }
  if (hasContent || held === undefined) return length;
  for (const [term, at, kind, surface] of held) sink(term, at, kind, true, surface);
  return held.length;
}
