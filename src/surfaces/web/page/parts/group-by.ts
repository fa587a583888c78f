/** Rows by a word of theirs, in the order in which the words come up. */
export function groupBy<Row>(
  rows: readonly Row[],
  wordOf: (row: Row) => string,
): [word: string, rows: Row[]][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const word = wordOf(row);
    const group = groups.get(word);
    if (group) group.push(row);
    else groups.set(word, [row]);
  }
  return [...groups];
}
