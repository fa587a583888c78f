/** One observation: its features, what was the case (0 to 1), and how much it counts. */
export interface Observation {
  features: readonly number[];
  outcome: number;
  weight: number;
}

/** Log-odds are `bias + sum of weights * features`. */
export interface LogisticModel {
  bias: number;
  weights: number[];
}

/**
 * Weighted logistic regression by Newton's method (iteratively reweighted least squares), with a ridge penalty on the
 * weights of standardised features, so that its strength does not depend on their units.
 */
export function fitLogistic(observations: readonly Observation[], ridge: number): LogisticModel {
  const width = observations[0]?.features.length ?? 0;
  const { means, deviations } = momentsOf(observations, width);
  const rows = observations.map(({ features }) => [
    1,
    ...features.map((value, i) => (value - means[i]!) / deviations[i]!),
  ]);
  let parameters: number[] = Array.from({ length: width + 1 }, () => 0);
  for (let round = 0; round < 50; round++) {
    const gradient = parameters.map((value, i) => (i === 0 ? 0 : -ridge * value));
    const hessian = parameters.map((_, i) =>
      parameters.map((__, j) => (i === j ? (i === 0 ? 0 : ridge) + 1e-9 : 0)),
    );
    for (const [n, row] of rows.entries()) {
      const { outcome, weight } = observations[n]!;
      const p = 1 / (1 + Math.exp(-dot(row, parameters)));
      for (let i = 0; i <= width; i++) {
        gradient[i]! += weight * (outcome - p) * row[i]!;
        const curvature = weight * p * (1 - p) * row[i]!;
        for (let j = 0; j <= width; j++) hessian[i]![j]! += curvature * row[j]!;
      }
    }
    const step = solve(hessian, gradient);
    parameters = parameters.map((value, i) => value + step[i]!);
    if (Math.max(...step.map(Math.abs)) < 1e-8) break;
  }
  const weights = parameters.slice(1).map((value, i) => value / deviations[i]!);
  return { bias: parameters[0]! - dot(weights, means), weights };
}

function momentsOf(
  observations: readonly Observation[],
  width: number,
): { means: number[]; deviations: number[] } {
  const column = (i: number): number[] => observations.map(({ features }) => features[i]!);
  const means = Array.from({ length: width }, (_, i) => mean(column(i)));
  const deviations = means.map(
    (center, i) => Math.sqrt(mean(column(i).map((value) => (value - center) ** 2))) || 1,
  );
  return { means, deviations };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const dot = (left: readonly number[], right: readonly number[]): number =>
  left.reduce((sum, value, i) => sum + value * right[i]!, 0);

/** Gaussian elimination with partial pivoting. */
function solve(matrix: readonly number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  const size = rows.length;
  for (let i = 0; i < size; i++) {
    let pivot = i;
    for (let j = i + 1; j < size; j++) if (Math.abs(rows[j]![i]!) > Math.abs(rows[pivot]![i]!)) pivot = j;
    [rows[i], rows[pivot]] = [rows[pivot]!, rows[i]!];
    for (let j = i + 1; j < size; j++) {
      const factor = rows[j]![i]! / rows[i]![i]!;
      for (let k = i; k <= size; k++) rows[j]![k]! -= factor * rows[i]![k]!;
    }
  }
  const solution = right.map(() => 0);
  for (let i = size - 1; i >= 0; i--) {
    const known = solution.reduce((sum, value, j) => sum + (j > i ? rows[i]![j]! * value : 0), 0);
    solution[i] = (rows[i]![size]! - known) / rows[i]![i]!;
  }
  return solution;
}
