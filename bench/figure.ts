import { exactInterval } from "./statistics.ts";

/** One measured value. */
export interface Figure {
  name: string;
  /** Null where it cannot be measured here, for example FTS5 on a Node without it. */
  value: number | null;
  unit: string;
  /** How many runs, prompts or questions it rests on. */
  n: number;
  ci95?: [number, number];
  /** The same measure of what it is compared with. */
  baseline?: number;
  /** What the baseline is, in text output. */
  note?: string;
}

/** Successes of `n` trials as a share with its exact 95 % interval; null without trials. */
export function rateFigure(name: string, successes: number, n: number, unit = "rate"): Figure {
  return { name, value: n === 0 ? null : successes / n, unit, n, ci95: exactInterval(successes, n) };
}

export const figure = (
  name: string,
  value: number | null,
  unit: string,
  n: number,
  more: Partial<Figure> = {},
): Figure => ({ name, value, unit, n, ...more });

/** The median and the slowest of a hundred. */
export function spread(name: string, times: readonly number[]): Figure[] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return [
    figure(`${name}_p50`, at(0.5), "ms", times.length),
    figure(`${name}_p99`, at(0.99), "ms", times.length),
  ];
}

/** Prints figures as an aligned table, or as the one JSON object that other programs read. */
export function printFigures(
  bench: string,
  figures: readonly Figure[],
  isJson: boolean,
  elapsedMs: number,
): void {
  if (isJson) {
    console.log(
      JSON.stringify({
        bench,
        node: process.version,
        figures: figures.map(({ note: _note, baseline, ...figure }) => ({
          ...figure,
          ...(Number.isFinite(baseline) && { baseline }),
        })),
      }),
    );
    return;
  }
  const width = Math.max(...figures.map(({ name }) => name.length));
  for (const { name, value, unit, n, ci95, baseline, note } of figures) {
    const parts = [
      name.padEnd(width),
      (value === null ? "-" : format(value)).padStart(10),
      unit.padEnd(7),
      `n=${n}`,
    ];
    if (ci95) parts.push(`95 % [${format(ci95[0])}, ${format(ci95[1])}]`);
    if (baseline !== undefined && !Number.isNaN(baseline)) parts.push(`baseline ${format(baseline)}`);
    if (note) parts.push(`(${note})`);
    console.log(parts.join("  "));
  }
  console.log(`\nbench ${bench}, node ${process.version}, ${(elapsedMs / 1000).toFixed(0)} s`);
}

function format(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
