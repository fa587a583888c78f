import type { Look, Text } from "./styled-text.ts";
import { dim, inOneLine, styled, textWidth, truncateText } from "./styled-text.ts";

/** A column of a table. */
export interface Column {
  title: string;
  /** Numbers stand at the right. Default: left. */
  align?: "left" | "right";
  /** Gives way when the table is wider than the terminal; the last column does when none says so. */
  isFlexible?: boolean;
}

/** A column of numbers. */
export const right = (title: string): Column => ({ title, align: "right" });
/** A column that gives way. */
export const flexible = (title: string): Column => ({ title, isFlexible: true });

/** No flexible column is cut below this many columns of the terminal. */
const MIN_FLEXIBLE = 16;
const GAP = "  ";

/**
 * Rows as aligned lines. `width` bounds a line (flexible columns are cut); undefined never cuts.
 * Line breaks in cells become blanks.
 */
export function alignTable(
  given: readonly (string | Column)[],
  rows: readonly (readonly Text[])[],
  options: { width?: number | undefined; hasHeader: boolean },
): Text[] {
  const columns = given.map((column) => (typeof column === "string" ? { title: column } : column));
  const header: Text[] = columns.map(({ title }) => dim(title));
  const cells = rows.map((row) => row.map(inOneLine));
  const lines = options.hasHeader ? [header, ...cells] : cells;
  const widths = columns.map((_, index) =>
    Math.max(0, ...lines.map((cells) => textWidth(cells[index] ?? ""))),
  );
  if (options.width !== undefined) fitWidths(columns, widths, options.width);
  return lines.map((cells) =>
    columns.map((column, index): Text => {
      const width = widths[index] ?? 0;
      const cell = truncateText(cells[index] ?? "", width);
      const isLast = index === columns.length - 1;
      const padding = " ".repeat(Math.max(0, width - textWidth(cell)));
      if (column.align === "right") return [padding, cell, isLast ? "" : GAP];
      return isLast ? cell : [cell, padding, GAP];
    }),
  );
}

/** Narrows the widest flexible columns until the table fits. */
function fitWidths(columns: readonly Column[], widths: number[], width: number): void {
  const flexible = columns.flatMap((column, index) => (column.isFlexible ? [index] : []));
  const candidates = flexible.length > 0 ? flexible : [columns.length - 1];
  let excess = widths.reduce((sum, w) => sum + w, 0) + GAP.length * (columns.length - 1) - width;
  while (excess > 0) {
    const widest = candidates.reduce((a, b) => ((widths[b] ?? 0) > (widths[a] ?? 0) ? b : a));
    const current = widths[widest] ?? 0;
    if (current <= MIN_FLEXIBLE) return;
    widths[widest] = current - 1;
    excess -= 1;
  }
}

/** A label and what it says; without the latter it is left out. */
export type Fact = readonly [label: string, text: Text | undefined, look?: Look];

/** Facts as lines: dim labels in a column of `width`, then the text. */
export function factLines(width: number, facts: readonly Fact[]): Text[] {
  return facts.flatMap(([label, text, look = "dim"]): Text[] =>
    text === undefined || text === "" ? [] : [[styled(look, label.padEnd(width)), text]],
  );
}
