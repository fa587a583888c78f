/**
 * Thrown when an index cannot be read. The façade then repeats the call over an index built from the files, so
 * that no answer silently lacks memories (see withSoundIndex).
 */
export class IndexDamage extends Error {
  override readonly name: string = "IndexDamage";
}

/** Reads; calls `whenDamaged` before damage is thrown, always as IndexDamage. Other errors pass. */
export function reading<T>(read: () => T, whenDamaged: () => void): T {
  try {
    return read();
  } catch (error) {
    if (!isIndexDamage(error)) throw error;
    whenDamaged();
    throw error instanceof IndexDamage ? error : new IndexDamage("an index cannot be read", { cause: error });
  }
}

/** The result of a read for whoever builds the index, or undefined when there is nothing sound to build on. */
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
