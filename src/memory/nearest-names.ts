/** Names that a typo may have meant, nearest first: a third of its length in edits, or beginning with or containing it. */
export function nearestNames(typed: string, names: readonly string[], limit: number = 3): string[] {
  const wanted = typed.toLowerCase().slice(0, 100);
  if (wanted === "") return [];
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  return [...new Set(names)]
    .map((name) => ({ name, distance: distanceOf(wanted, name.toLowerCase().slice(0, 100), allowed) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name, "en"))
    .slice(0, limit)
    .map(({ name }) => name);
}

function distanceOf(wanted: string, name: string, allowed: number): number {
  if (wanted.length >= 3 && name.startsWith(wanted)) return 0.5;
  if (wanted.length >= 4 && name.includes(wanted)) return 0.75;
  return Math.abs(wanted.length - name.length) > allowed ? Infinity : editsBetween(wanted, name);
}

/** Optimal string alignment distance: characters inserted, deleted, replaced, and neighbours swapped. */
function editsBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (beforeLast[j - 2] ?? 0) + 1 : Infinity;
      next[j] = Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    beforeLast = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
