/** The share of the relevant documents among the first `k`. */
export function recallAtK(ranked: readonly string[], relevant: readonly string[], k: number): number {
  const first = new Set(ranked.slice(0, k));
  return relevant.filter((id) => first.has(id)).length / relevant.length;
}

/** Normalised discounted cumulative gain of the first `k`, relevance being yes or no (Järvelin and Kekäläinen, 2002). */
export function ndcgAtK(ranked: readonly string[], relevant: readonly string[], k: number): number {
  const wanted = new Set(relevant);
  const discount = (place: number): number => 1 / Math.log2(place + 2);
  let gain = 0;
  for (const [place, id] of ranked.slice(0, k).entries()) if (wanted.has(id)) gain += discount(place);
  let ideal = 0;
  for (let place = 0; place < Math.min(k, wanted.size); place++) ideal += discount(place);
  return gain / ideal;
}

/** One over the place of the first relevant document; 0 when none is found. */
export function reciprocalRank(ranked: readonly string[], relevant: readonly string[]): number {
  const place = ranked.findIndex((id) => relevant.includes(id));
  return place < 0 ? 0 : 1 / (place + 1);
}
