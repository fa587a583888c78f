/** No answer is longer than this many characters: at 10,000 the clients put the text in a file and show a preview. */
export const MAX_CONTEXT_CHARS: number = 9500;

/** Characters of facts that a context takes until it is cleared or compacted. */
export const SESSION_BUDGET_CHARS: number = 12_000;

interface PartRoom {
  budgetChars: number;
  /** What it may take where less would lose something that must be said: all that is left but what is reserved. */
  limitChars: number;
}

/** One part of a fresh context, ready to be rendered. */
export interface ContextPart<Injected> {
  /** It takes at most this many characters. */
  budgetChars: number;
  /** Characters kept for it, whatever the parts before it want. */
  reservedChars: number;
  /** Renders it for the room; undefined when nothing useful fits. */
  render(room: PartRoom): { text: string; injected: Injected } | undefined;
}

const GAP = "\n\n";

/** Renders parts in order, each within its budget and the room left; room reserved for later parts is kept. At most `maxChars`. */
export function arrangeParts<Injected>(
  given: readonly (ContextPart<Injected> | undefined)[],
  maxChars: number = MAX_CONTEXT_CHARS,
): { text: string; injected: Injected[] } {
  const parts = given.filter((part) => part !== undefined);
  const texts: string[] = [];
  const injected: Injected[] = [];
  let leftChars = maxChars;
  let reservedChars = parts.reduce((sum, part) => sum + part.reservedChars + GAP.length, 0);
  for (const part of parts) {
    reservedChars -= part.reservedChars + GAP.length;
    const limitChars = Math.max(0, leftChars - reservedChars);
    const rendered = part.render({ budgetChars: Math.min(part.budgetChars, limitChars), limitChars });
    if (rendered === undefined) continue;
    injected.push(rendered.injected);
    if (rendered.text === "") continue;
    texts.push(rendered.text);
    leftChars -= rendered.text.length + GAP.length;
  }
  return { text: texts.join(GAP), injected };
}
