import { type SessionEvent, findPlaces, logTrouble, openHeed, redactValue } from "../../heed.ts";
import { readFormula } from "../../memory/formula.ts";
import { describeReport } from "./describe-report.ts";
import { isDouble } from "./drop-double.ts";
import { isPluginBeside } from "./plugin-beside.ts";
import { type Input, endWhileReading, readInput } from "./read-input.ts";
import { answerStart } from "./start-program.ts";
import { renderAnswer } from "./render-answer.ts";
import { translateEvent } from "./translate-event.ts";
import { replyUnanswered } from "./unanswered.ts";
import { whoseSession } from "./whose-session.ts";
import { writeWhole } from "../write-whole.ts";

/** How long a hook waits for its whole input: with its deadline after it, less than the 5 s that clients give it. */
const MAX_WAIT_MS = 3000;
/** Past its deadline a hook says nothing: a late answer costs the user more than a missing one. */
const DEADLINE_MS = 2000;
const DEADLINES_MS: Partial<Record<SessionEvent["kind"], number>> = {
  // Without it a session goes without its rules; clients give it 5 s.
  "session-start": 4000,
  prompt: 1000,
  "tool-use": 1000,
  "tool-failure": 1000,
  "tool-result": 1000,
  // Claude Code kills the hooks of a session's end after 1.5 s in all and tells the user so.
  "session-end": 1000,
  // The session's record is written first; the compaction itself takes many times as long.
  compaction: 4000,
};

/** No client waits that long; a timer that is set for longer than it can count fires at once. */
const MAX_RECHECK_MS = 60_000;

/** A line that the user typed for heed is a write; clients give a hook on a prompt 5 s and more. */
const FORMULA_DEADLINE_MS = 4000;

/** Clients show a hook's stderr to nobody, or to the user as an error: words there are for whoever asked for them. */
const isDebugging = process.env["HEED_DEBUG"] === "1";

const registered = { client: optionValue("--client"), event: optionValue("--event"), env: process.env };
let input: Input | undefined;
let hasAnswered = false;

// Whatever goes wrong, the session goes on: exit code 0, and what was not enforced is said.
process.on("uncaughtException", giveUp);
process.on("unhandledRejection", giveUp);
if (process.argv[3] === "--start") void answerStart(process.argv.slice(4), process.env);
else void answer();

async function answer(): Promise<void> {
  input = await readInput(MAX_WAIT_MS);
  // So registered by `heed init` for clients that know the plugin's kinds of hooks; older ones do not run it.
  if (process.argv.includes("--unless-plugin") && isPluginBeside(process.env)) process.exit(0);
  if ("why" in input) giveUp(input.why);
  const translated = translateEvent(input.value, {
    ...registered,
    cwd: process.cwd(),
    whose: () => whoseSession("hook"),
  });
  if (translated === undefined) {
    if (isDebugging)
      console.error("heed: nothing to answer: an event that heed does not know, or not a person's");
    process.exit(0);
  }
  const { event, name, adapter } = translated;
  const fault = faultOfPlaces();
  if (fault !== undefined) {
    writeWhole(1, renderAnswer({ notice: `heed is off, with its rules and guards: ${fault}` }, translated));
    process.exit(0);
  }
  if (adapter.runsOthersHooks && isDouble(event, roadOf(), findPlaces(process.env).state)) {
    if (isDebugging) console.error("heed: nothing to answer: another of its hooks answers this event");
    process.exit(0);
  }
  const isFormula = event.kind === "prompt" && readFormula(event.prompt) !== undefined;
  const ownMs = isFormula ? FORMULA_DEADLINE_MS : (DEADLINES_MS[event.kind] ?? DEADLINE_MS);
  // Who lets claims hold up an answer for longer waits for the whole of it that much longer.
  const recheckMs = Number(process.env["HEED_RECHECK_MS"]) || 0;
  const deadlineMs = ownMs + Math.min(Math.max(0, recheckMs), MAX_RECHECK_MS);
  setTimeout(() => giveUp(`${name} did not end within ${deadlineMs} ms`), deadlineMs);
  // A formula writes, as does the record before a compaction, which this bundle cannot.
  const open =
    isFormula || event.kind === "compaction" ? (await import("./whole-heed.ts")).openHeed : openHeed;
  const heed = open({
    cwd: event.cwd,
    ...(process.argv[1] !== undefined && { program: process.argv[1] }),
    ...(isDebugging && { onAnswered: (report) => console.error(describeReport(redactValue(report))) }),
  });
  const answer = await heed.session.answer(event, { deadlineMs: deadlineMs * 0.8 });
  hasAnswered = true;
  writeWhole(1, renderAnswer(answer, translated));
  // What heed still has to record comes after the answer, inside the same deadline.
  await heed.close();
  process.exit(0);
}

/** What is wrong with a variable that says where heed keeps things. */
function faultOfPlaces(): string | undefined {
  try {
    findPlaces(process.env);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function optionValue(flag: string): string | undefined {
  const at = process.argv.indexOf(flag);
  return at > 0 ? process.argv[at + 1] : undefined;
}

function roadOf(): string {
  return process.argv.slice(1).join(" ");
}

/** Two answers would be no JSON. */
function giveUp(trouble: unknown): never {
  logTrouble(hasAnswered ? "hook" : "unanswered", trouble);
  const why = typeof trouble === "string" ? trouble : "see heed.log";
  const said = `heed did not look at this: ${why}. No rule or guard was asked.`;
  if (!hasAnswered) writeWhole(1, replyUnanswered(said, input ?? { value: {} }, registered));
  if (input && "why" in input && !input.isEnded) endWhileReading();
  process.exit(0);
}
