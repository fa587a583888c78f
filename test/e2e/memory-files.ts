import { join } from "node:path";
import type { Sandbox } from "./client/sandbox.ts";
import { type HandWritten, approveLaid, makeStore, memoryFile, rule } from "../home/temporary-heed.ts";

export { memoryFile, rule };
export type { HandWritten };

/** Puts memories into the user store by hand, as with an editor; returns the paths. */
export function placeInUserStore(sandbox: Sandbox, ...memories: readonly HandWritten[]): string[] {
  const state = join(sandbox.home, ".local", "state", "heed");
  const isMade = makeStore(sandbox.userStore, state);
  return memories.map((memory) => {
    const file = join(sandbox.userStore, memory.type, `${memory.name}.md`);
    sandbox.write(file, memoryFile(memory));
    if (isMade) approveLaid(sandbox.userStore, file, state);
    return file;
  });
}

/** Rules `rule-001` and so on, whose statements differ from the first words on. */
export function manyRules(count: number, statementLength = 60): HandWritten[] {
  return Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(3, "0");
    const filler = `and keep the reason in mind whenever something of this sort is touched `.repeat(40);
    return rule(`rule-${number}`, `Rule ${number} says to do so ${filler}`.slice(0, statementLength).trim());
  });
}
