/** Words that stand in every text and say nothing about it. */
const STOP = new Set(
  "a an the and or but if then so to of in on at by for with from as is are was were be been being it its this that these those i you he she we they me my your our their not no yes do does did done have has had can could will would should may might must there here what which who how when where why all any some more most very just now also let's lets i'll i've i'm it's that's you're up out into over about".split(
    " ",
  ),
);

/** More sentences than this are not compared: the work grows with the square. */
const MAX_SENTENCES = 150;
const DAMPING = 0.85;
const ROUNDS = 30;

/**
 * The most central sentences of a text, in their order: TextRank (Mihalcea and Tarau 2004) over the cosine of TF-IDF
 * vectors. Deterministic; ties go to the earlier sentence. Of more than 150 sentences the last ones are compared.
 */
export function rankSentences(sentences: readonly string[], count: number): string[] {
  const given = [...new Set(sentences)].slice(-MAX_SENTENCES);
  if (given.length <= count) return given;
  const vectors = tfIdf(given.map(wordsOf));
  const weights = vectors.map(() => new Float64Array(vectors.length));
  for (const [i, a] of vectors.entries())
    for (const [j, b] of vectors.slice(0, i).entries()) {
      const weight = cosine(a, b);
      weights[i]?.fill(weight, j, j + 1);
      weights[j]?.fill(weight, i, i + 1);
    }
  const sums = weights.map((row) => row.reduce((sum, weight) => sum + weight, 0));
  let ranks = given.map(() => 1);
  for (let round = 0; round < ROUNDS; round++) {
    const before = ranks;
    ranks = given.map((_, i) => {
      let rank = 0;
      for (let j = 0; j < given.length; j++) {
        const out = sums[j] ?? 0;
        if (out > 0) rank += ((weights[j]?.[i] ?? 0) / out) * (before[j] ?? 0);
      }
      return 1 - DAMPING + DAMPING * rank;
    });
  }
  return ranks
    .map((rank, i) => ({ rank, i }))
    .sort((a, b) => b.rank - a.rank || a.i - b.i)
    .slice(0, count)
    .sort((a, b) => a.i - b.i)
    .map(({ i }) => given[i] ?? "");
}

function wordsOf(sentence: string): string[] {
  return (sentence.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []).filter((word) => !STOP.has(word));
}

function tfIdf(texts: readonly string[][]): Map<string, number>[] {
  const frequency = new Map<string, number>();
  for (const words of texts)
    for (const word of new Set(words)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  return texts.map((words) => {
    const vector = new Map<string, number>();
    for (const word of words) vector.set(word, (vector.get(word) ?? 0) + 1);
    for (const [word, count] of vector)
      vector.set(word, count * Math.log(1 + texts.length / (frequency.get(word) ?? 1)));
    const length = Math.sqrt([...vector.values()].reduce((sum, value) => sum + value * value, 0));
    for (const [word, value] of vector) vector.set(word, length === 0 ? 0 : value / length);
    return vector;
  });
}

function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let sum = 0;
  for (const [word, value] of small) sum += value * (large.get(word) ?? 0);
  return sum;
}
