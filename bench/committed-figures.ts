import { existsSync, readFileSync } from "node:fs";
import type { Figure } from "./figure.ts";

const FILE = "bench/committed-figures.json";
/** So much below what is committed a figure may fall before it is called a regression: floats and ties, no more. */
const TOLERANCE = 0.005;

/**
 * Adds to each figure what is committed for it under the name of a data set, and fails the process (exit 1) when one
 * fell below: rankings do not get worse unnoticed.
 */
export function compareWithCommitted(dataName: string, figures: readonly Figure[]): Figure[] {
  const all = existsSync(FILE)
    ? (JSON.parse(readFileSync(FILE, "utf8")) as Record<string, Record<string, number>>)
    : {};
  const committed = all[dataName];
  if (!committed)
    throw new Error(`nothing is committed under "${dataName}" in ${FILE}: ${Object.keys(all).join(", ")}`);
  return figures.map((figure) => {
    const before = committed[figure.name];
    if (before === undefined || figure.value === null) return figure;
    if (figure.value >= before - TOLERANCE) return { ...figure, note: `committed ${before}` };
    process.exitCode = 1;
    return { ...figure, note: `WORSE than the committed ${before}` };
  });
}
