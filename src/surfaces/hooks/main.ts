import { openHeed, findPlaces, logTrouble } from "../../heed.ts";
import { type Input, writeWhole, READ_INPUT, endWhileReading, readInput } from "../standard-streams.ts";
import { type EventKind, clientIn } from "./adapters/all-adapters.ts";
import { readHookEvent } from "./read-event.ts";
import { renderAnswer, replyUnanswered } from "./render-answer.ts";
import { whoseSession } from "./whose-session.ts";

/** Past this time the program starts unchecked, and the next event tells so. */
const DEADLINE_MS = 2000;

/**
 * `heed hook --start SESSION ROOT HOW PROGRAM WORD…`, as the file of a guarded program asks it: exit code 126 and the reason
 * where it may not start, 0 where it may, any other where there is no answer. Nothing is written.
 */
async function answerStart(
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

const { env } = process;
const registered = { client: clientIn(process.argv), env };
// What the launcher read already, on its way to a server.
let input = (globalThis as { [READ_INPUT]?: Input })[READ_INPUT];
let hasAnswered = false;

// Whatever goes wrong, the session goes on: exit code 0, and what was not enforced is said.
process.on("uncaughtException", giveUp);
process.on("unhandledRejection", giveUp);
if (process.argv[3] === "--start") void answerStart(process.argv.slice(4), env);
else void answer();

async function answer(): Promise<void> {
  input ??= await readInput();
  if ("why" in input) giveUp(input.why);
  try {
    findPlaces(env);
  } catch (error) {
    giveUp(error instanceof Error ? error.message : String(error));
  }
  const own = { argv: process.argv, env, cwd: process.cwd() };
  const read = readHookEvent(input.value, own, () => whoseSession("hook"));
  if (typeof read === "string") process.exit(0);
  const { event, name, deadlineMs, isWrite } = read;
  // The launcher switched V8's optimising compiler off, which pays where all memories are gone through.
  if (!isShort(event.kind)) (await import("node:v8")).setFlagsFromString("--opt");
  setTimeout(() => giveUp(`${name} did not end within ${deadlineMs} ms`), deadlineMs);
  const open = isWrite ? (await import("./whole-heed.ts")).openHeed : openHeed;
  const heed = open({
    cwd: event.cwd,
    env,
    ...(process.argv[1] !== undefined && { program: process.argv[1] }),
  });
  const answer = await heed.session.answer(event, { deadlineMs: deadlineMs * 0.8 });
  hasAnswered = true;
  writeWhole(1, renderAnswer(answer, read));
  // What heed still has to record comes after the answer, inside the same deadline.
  await heed.close();
  process.exit(0);
}

function isShort(kind: EventKind): boolean {
  return kind === "prompt" || kind.startsWith("tool-");
}

/** Two answers would be no JSON. */
function giveUp(trouble: unknown): never {
  logTrouble(hasAnswered ? "hook" : "unanswered", trouble, env);
  const why = typeof trouble === "string" ? trouble : "see heed.log";
  const said = `heed did not look at this: ${why}. No rule or guard was asked.`;
  if (!hasAnswered) writeWhole(1, replyUnanswered(said, input ?? { value: {} }, registered));
  if (input && "why" in input && !input.isEnded) endWhileReading();
  process.exit(0);
}
