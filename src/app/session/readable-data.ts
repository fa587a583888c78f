/** Data from JSON is deeper nowhere. */
const MAX_DEPTH = 200;
const MAX_ENTRIES = 100_000;

type Container = Record<string, unknown> | unknown[];

/** An object or list that is still to be copied, with those that it stands in. */
interface Waiting {
  from: object;
  to: Container;
  depth: number;
  within: Waiting | undefined;
}

/**
 * What of a value JSON could hold, as a copy: empty for what is no object. Left out is what is no data (functions,
 * symbols, bigints), what holds itself, what throws when it is looked at, and what is too deep or too much. The outermost
 * is read first: where a command stands is never cut for what is deep inside.
 */
export function readableData(value: unknown): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  if (typeof value !== "object" || value === null || isList(value)) return whole;
  const queue: Waiting[] = [{ from: value, to: whole, depth: 0, within: undefined }];
  let entriesLeft = MAX_ENTRIES;
  for (const waiting of queue) {
    for (const key of keysOf(waiting.from)) {
      if (entriesLeft === 0) return whole;
      entriesLeft -= 1;
      const part = partOf(waiting.from, key);
      if (typeof part !== "object" || part === null) {
        if (isScalar(part)) put(waiting.to, key, part);
      } else if (waiting.depth < MAX_DEPTH && !isInside(part, waiting)) {
        const to: Container = isList(part) ? [] : {};
        put(waiting.to, key, to);
        queue.push({ from: part, to, depth: waiting.depth + 1, within: waiting });
      }
    }
  }
  return whole;
}

function isScalar(part: unknown): boolean {
  return part === null || typeof part === "string" || typeof part === "number" || typeof part === "boolean";
}

function isInside(part: object, waiting: Waiting): boolean {
  for (let at: Waiting | undefined = waiting; at; at = at.within) if (at.from === part) return true;
  return false;
}

function put(to: Container, key: string, part: unknown): void {
  if (Array.isArray(to)) to.push(part);
  // Defined, not assigned: a key named __proto__ stays an ordinary key.
  else Object.defineProperty(to, key, { value: part, enumerable: true, configurable: true, writable: true });
}

function isList(part: object): boolean {
  try {
    return Array.isArray(part);
  } catch {
    return false;
  }
}

function keysOf(from: object): string[] {
  try {
    return Object.keys(from);
  } catch {
    return [];
  }
}

function partOf(from: object, key: string): unknown {
  try {
    return (from as Readonly<Record<string, unknown>>)[key];
  } catch {
    return undefined;
  }
}
