import { logTrouble, openHeed, redactValue } from "../../heed.ts";
import { describeReport } from "./describe-report.ts";
import { isPluginBeside } from "./plugin-beside.ts";
import { readInput } from "./read-input.ts";
import { renderAnswer } from "./render-answer.ts";
import { translateEvent } from "./translate-event.ts";
import { writeWhole } from "../write-whole.ts";

/** Past its deadline a hook says nothing: a late answer costs the user more than a missing one. */
const DEADLINE_MS = 2000;
const DEADLINES_MS: Readonly<Record<string, number>> = {
  UserPromptSubmit: 1000,
  PreToolUse: 1000,
  PostToolUseFailure: 1000,
  // The client kills the hooks of a session's end after 1.5 s in all and tells the user so.
  SessionEnd: 1000,
};

/** Clients show a hook's stderr to nobody, or to the user as an error: words there are for whoever asked for them. */
const isDebugging = process.env["HEED_DEBUG"] === "1";

// Whatever goes wrong, the session goes on: exit code 0 and no word to the client.
process.on("uncaughtException", giveUp);
process.on("unhandledRejection", giveUp);
void answer();

async function answer(): Promise<void> {
  const raw = readInput();
  // So registered by `heed init` for clients that know the plugin's kinds of hooks; older ones do not run it.
  if (process.argv.includes("--unless-plugin") && isPluginBeside(process.env)) process.exit(0);
  const event = translateEvent(raw, clientName(), process.cwd());
  if (event === undefined) {
    if (isDebugging)
      console.error("heed: nothing to answer: an event that heed does not know, or not a person's");
    process.exit(0);
  }
  const name = (raw as { hook_event_name: string }).hook_event_name;
  const deadlineMs = DEADLINES_MS[name] ?? DEADLINE_MS;
  setTimeout(() => giveUp(new Error(`${name} did not end within ${deadlineMs} ms`)), deadlineMs);
  const heed = openHeed({
    cwd: event.cwd,
    ...(process.argv[1] !== undefined && { program: process.argv[1] }),
    ...(isDebugging && { onAnswered: (report) => console.error(describeReport(redactValue(report))) }),
  });
  writeWhole(
    1,
    renderAnswer(name, await heed.session.answer(event, { deadlineMs: deadlineMs * 0.8 }), event.client),
  );
  // What heed still has to record comes after the answer, inside the same deadline.
  await heed.close();
  process.exit(0);
}

/** Which client runs this hook: `heed hook --client NAME`; without it Claude Code, whose format this is. */
function clientName(): string {
  const at = process.argv.indexOf("--client");
  return (at > 0 ? process.argv[at + 1] : undefined) ?? "claude-code";
}

function giveUp(trouble: unknown): never {
  logTrouble("hook", trouble);
  process.exit(0);
}
