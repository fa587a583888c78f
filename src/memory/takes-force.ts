import type { MemoryHeader } from "./memory.ts";
import type { TypeTable } from "./memory-type.ts";

/** Whether a memory does more than tell something: it is a rule, or carries a guard. */
export function takesForce(
  memory: Pick<MemoryHeader, "type"> & { guard?: unknown },
  types: TypeTable,
): boolean {
  return types.get(memory.type)?.injection === "always" || memory.guard !== undefined;
}
