/**
 * Raised inside the index when bytes are not what was written. It never leaves it: readers answer `undefined`, and
 * the caller scans the files and rebuilds.
 */
export class IndexDamage extends Error {
  override readonly name: string = "IndexDamage";
}

/** The result of a read, or undefined when the index is damaged or its file is gone. Other errors pass. */
export function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isIndexDamage(error)) return undefined;
    throw error;
  }
}

/** Whether an error means that the index cannot be read: wrong bytes, or a file system that refuses. */
export function isIndexDamage(error: unknown): boolean {
  return error instanceof IndexDamage || (error instanceof Error && "syscall" in error);
}
