import { tokenize } from "../index/analysis/tokenize.ts";
import { TokenKind } from "../index/analysis/token-kind.ts";

/** Two words of a text at most so many places apart are neighbours: one word, often a function word, may stand between. */
const MAX_DISTANCE = 2;
/** The neighbouring content words of a text: each term with those that follow it closely. */
export function neighboursIn(text: string): Map<string, Set<string>> {
  const recent: { term: string; position: number }[] = [];
  const pairs = new Map<string, Set<string>>();
  tokenize(text, (term, position, kind, isStop) => {
    if (isStop || kind === TokenKind.character) return;
    while (recent[0] !== undefined && position - recent[0].position > MAX_DISTANCE) recent.shift();
    for (const before of recent) {
      if (before.term === term || before.position === position) continue;
      const seconds = pairs.get(before.term) ?? new Set();
      pairs.set(before.term, seconds.add(term));
    }
    recent.push({ term, position });
  });
  return pairs;
}
