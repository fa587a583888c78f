/**
 * Does something again when it came upon a damaged index, once: the index was taken away then and is built anew, and what
 * is asked of it is asked before anything is changed.
 */
export async function withSoundIndex<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!tellsOfDamage(error)) throw error;
    return run();
  }
}

/** Whether an error is IndexDamage. Told by its name: a hook that has nothing to answer must not load the index for it. */
export function tellsOfDamage(error: unknown): boolean {
  return error instanceof Error && error.name === "IndexDamage";
}
