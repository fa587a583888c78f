import { HeedError } from "../../../heed.ts";
import type { ActingAs } from "./acting-as.ts";

/**
 * Refuses what only a person may decide: a repository can ask a model to run any command.
 *
 * @param what what is decided, as the beginning of a sentence.
 * @param command what the user types instead.
 * @throws HeedError `gate-refused` (gate `user-word`).
 */
export function assertPerson({ doubt }: ActingAs, what: string, command: string): void {
  if (doubt === undefined) return;
  throw new HeedError(
    "gate-refused",
    `${what}, and this is not seen to be typed by a person (${doubt}). ` +
      `Ask the user to run ${command} in a terminal of their own.`,
    { gate: "user-word", remedy: `the user runs ${command} in a terminal` },
  );
}
