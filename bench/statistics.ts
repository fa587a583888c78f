/** The middle value; of an even number the mean of the two in the middle. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * The exact (Clopper-Pearson) 95 % interval of a rate: successes out of n trials.
 * Found by bisection on the binomial tail, which needs no special functions.
 */
export function exactInterval(successes: number, n: number): [number, number] {
  if (n === 0) return [0, 1];
  const lower = successes === 0 ? 0 : solve((p) => 1 - binomialCdf(successes - 1, n, p) >= 0.025);
  const upper = successes === n ? 1 : solve((p) => binomialCdf(successes, n, p) <= 0.025);
  return [lower, upper];
}

/** The probability from which on something is so. */
function solve(isSo: (p: number) => boolean): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (isSo(middle)) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}

/** P(X <= k) of a binomial distribution, summed in logarithms. */
function binomialCdf(k: number, n: number, p: number): number {
  if (p <= 0) return 1;
  if (p >= 1) return k >= n ? 1 : 0;
  let logTerm = n * Math.log1p(-p);
  let sum = Math.exp(logTerm);
  for (let i = 1; i <= k; i++) {
    logTerm += Math.log((n - i + 1) / i) + Math.log(p) - Math.log1p(-p);
    sum += Math.exp(logTerm);
  }
  return Math.min(1, sum);
}

/** The exact one-sided 95 % upper bound of a rate: successes out of n trials. */
export function upperBound(successes: number, n: number): number {
  return n === 0 || successes === n ? 1 : solve((p) => binomialCdf(successes, n, p) <= 0.05);
}
