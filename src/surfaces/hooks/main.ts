import { logTrouble, openHeed } from "../../heed.ts";
import { renderAnswer } from "./render-answer.ts";
import { translateEvent } from "./translate-event.ts";

/** Input of more bytes is not read: no prompt is that long, a file that a tool writes may be. */
const MAX_INPUT_BYTES = 8 * 1024 * 1024;

/** Past its deadline a hook says nothing: a late answer costs the user more than a missing one. */
const DEADLINE_MS = 2000;
const DEADLINES_MS: Readonly<Record<string, number>> = {
  UserPromptSubmit: 1000,
  PreToolUse: 1000,
  PostToolUseFailure: 1000,
  // The client kills the hooks of a session's end after 1.5 s in all and tells the user so.
  SessionEnd: 1000,
};

// Whatever goes wrong, the session goes on: exit code 0 and no word to the client.
process.on("uncaughtException", giveUp);
process.on("unhandledRejection", giveUp);
process.stdout.on("error", giveUp);
let deadline = setTimeout(() => giveUp(new Error("no input within the deadline")), DEADLINE_MS);

let atEnd = (): Promise<void> => Promise.resolve();

const chunks: Buffer[] = [];
let size = 0;
process.stdin.on("data", (chunk: Buffer) => {
  size += chunk.length;
  if (size > MAX_INPUT_BYTES) giveUp(new Error(`input of more than ${MAX_INPUT_BYTES} bytes`));
  chunks.push(chunk);
});
process.stdin.on("error", giveUp);
process.stdin.on("end", () => {
  answer(Buffer.concat(chunks).toString("utf8")).then(finish, giveUp);
});

async function answer(input: string): Promise<string> {
  const raw = JSON.parse(input) as unknown;
  const event = translateEvent(raw, clientName(), process.cwd());
  if (event === undefined) return "";
  const name = (raw as { hook_event_name: string }).hook_event_name;
  const deadlineMs = DEADLINES_MS[name] ?? DEADLINE_MS;
  clearTimeout(deadline);
  deadline = setTimeout(() => giveUp(new Error(`${name} did not end within ${deadlineMs} ms`)), deadlineMs);
  const heed = openHeed({ cwd: event.cwd });
  atEnd = () => heed.close();
  return renderAnswer(name, await heed.onEvent(event, deadlineMs * 0.8));
}

/** Which client runs this hook: `heed hook --client NAME`; without it Claude Code, whose format this is. */
function clientName(): string {
  const at = process.argv.indexOf("--client");
  return (at > 0 ? process.argv[at + 1] : undefined) ?? "claude-code";
}

/** The answer goes out first; what heed still has to record comes after it, inside the same deadline. */
function finish(output: string): void {
  const end = (): void => void atEnd().then(() => process.exit(0), giveUp);
  if (output === "") end();
  else process.stdout.write(output, end);
}

function giveUp(trouble: unknown): never {
  logTrouble("hook", trouble);
  process.exit(0);
}
