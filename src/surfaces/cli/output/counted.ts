/** `1 line`, `2 lines`; `2 memories`. */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Bytes for people, in decimal units: `512 B`, `1.2 kB`, `3.4 MB`. */
export function humanBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The minute of an ISO time, in UTC: `2026-03-05 10:23`. */
export function minuteOf(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}
