/** Words longer than this are compared by their beginning only: nobody mistypes that much. */
const MAX_LENGTH = 64;

/**
 * The words that a mistyped one most likely meant, best first, at most three: those that begin with it, then those
 * within an edit distance of a third of its length (one at least). Case does not count.
 */
export function nearestWords(typed: string, words: Iterable<string>): string[] {
  const wanted = typed.toLowerCase().slice(0, MAX_LENGTH);
  if (wanted === "") return [];
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  return [...new Set(words)]
    .map((word) => {
      const candidate = word.toLowerCase().slice(0, MAX_LENGTH);
      const isBeginning = wanted.length > 1 && candidate.startsWith(wanted);
      return { word, distance: isBeginning ? 0.5 : editDistance(wanted, candidate) };
    })
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
    .slice(0, 3)
    .map(({ word }) => word);
}

/** Optimal string alignment distance: insertions, deletions, substitutions, and swaps of neighbours cost one each. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
