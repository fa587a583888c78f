import { openHeed } from "../../heed.ts";
import { writeWhole } from "../write-whole.ts";

/** Past this time the program starts unchecked, and the next event tells so. */
const DEADLINE_MS = 2000;

/**
 * `heed hook --start SESSION ROOT HOW PROGRAM WORD…`, as the file of a guarded program asks it: exit code 126 and the reason
 * where it may not start, 0 where it may, any other where there is no answer. Nothing is written.
 */
export async function answerStart(
  [session = "", root = "", how, ...words]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<never> {
  const giveUp = (): never => process.exit(1);
  process.removeAllListeners("uncaughtException").on("uncaughtException", giveUp);
  process.removeAllListeners("unhandledRejection").on("unhandledRejection", giveUp);
  setTimeout(giveUp, DEADLINE_MS);
  const heed = openHeed({ cwd: root });
  const isAlias = how === "alias";
  const reason = await heed.guards.judgeStart({
    session,
    words,
    cwd: process.cwd(),
    env: { ...env },
    isAlias,
  });
  if (reason === undefined) process.exit(0);
  writeWhole(1, `${reason}\n`);
  process.exit(126);
}
