import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hooksInLog } from "./client-event.ts";
import type { ClientExit } from "./run-client.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Drive, Prompt, Seen } from "./session-script.ts";
import { Terminal } from "./terminal.ts";

/** The line below the prompt, once the client takes one. */
const READY = /\? for shortcuts|shift\+tab to cycle|\bmode on\b|\bpermissions on\b/;
const WORKING = /esc to interrupt/i;
const DIALOG = /Esc to cancel/;
/** A turn has begun by then, if the prompt makes one at all: `/clear` makes none. */
const BEGIN_MS = 2000;
/** So long nothing happens between two turns. */
const QUIET_MS = 700;
/** A dialog that nobody answers is a mistake of the scenario. */
const UNANSWERED_MS = 8000;

/** Runs the prompts of a session in a terminal, typed, each after the turn of the one before. */
export async function inTerminal(drive: Drive): Promise<Seen> {
  const { sandbox, script, apiSocket, args, timeoutMs } = drive;
  const promptsSentAtMs: number[] = [];
  const exits: ClientExit[] = [];
  const shown: string[] = [];
  const begin = async (further: readonly string[]): Promise<Terminal> => {
    reconcileFirstQuestions(sandbox);
    const { client } = script;
    const run = {
      client,
      args: [...args, ...further],
      cwd: sandbox.project,
      env: sandbox.env,
      apiSocket,
      timeoutMs,
      isInTmux: script.terminal === "tmux",
    };
    const terminal = new Terminal(run);
    await terminal.until(READY);
    return terminal;
  };
  const end = async (terminal: Terminal): Promise<void> => {
    await type(terminal, "/exit");
    await terminal.insist("enter", "that it ends", () => terminal.isOver);
    exits.push(await terminal.exit);
  };

  let terminal: Terminal | undefined;
  try {
    for (const prompt of script.prompts) {
      terminal ??= await begin(exits.length === 0 ? [] : ["--continue"]);
      promptsSentAtMs.push(await say(prompt, terminal, drive));
      // Before the next one, which may clear it.
      shown.push(terminal.everything);
      if (script.mode !== "resume") continue;
      await end(terminal);
      terminal = undefined;
    }
    if (terminal) await end(terminal);
  } finally {
    terminal?.kill();
  }
  const screens = shown.join("\n");
  return {
    hooks: hooksInLog(drive.readDebugLog()),
    events: [],
    shown: screens.replaceAll(/\s+/g, " "),
    promptsSentAtMs,
    exits,
  };
}

/** Sends a prompt and waits for the end of its turn; returns when it was sent. */
async function say(prompt: Prompt, terminal: Terminal, { api }: Drive): Promise<number> {
  const { before, pasted, meanwhile, ...rest } = typeof prompt === "string" ? { text: prompt } : prompt;
  await before?.();
  const text =
    typeof rest.text === "string" ? rest.text : rest.text(terminal.everything.replaceAll(/\s+/g, " "));
  if (pasted !== undefined) await terminal.paste(pasted);
  await type(terminal, text);
  const asked = api.requests.length;
  await send(terminal);
  const sentAt = performance.now();
  await meanwhile?.(terminal);

  let [quietSince, dialogSince] = [performance.now(), performance.now()];
  await terminal.waitFor(`the end of the turn "${text}"`, () => {
    const now = performance.now();
    const hasDialog = DIALOG.test(terminal.screen);
    if (!hasDialog) dialogSince = now;
    if (hasDialog || api.isAnswering || WORKING.test(terminal.screen)) quietSince = now;
    if (now - dialogSince > UNANSWERED_MS) throw new Error(`nobody answers this dialog:\n${terminal.screen}`);
    const hasBegun = api.requests.length > asked || now - sentAt > BEGIN_MS;
    return hasBegun && now - quietSince > QUIET_MS;
  });
  return sentAt;
}

/** Types a text at the client's prompt, the ends of its lines as a user makes them. */
async function type(terminal: Terminal, text: string): Promise<void> {
  const [first = "", ...lines] = text.split("\n");
  await terminal.press(first);
  for (const line of lines) await terminal.press("\n", line);
  const last = (lines.at(-1) ?? first).slice(-20);
  await terminal.waitFor(`that "${last}" stands there`, () => terminal.screen.includes(last));
}

async function send(terminal: Terminal): Promise<void> {
  const draft = newestPrompt(terminal.screen);
  await terminal.insist("enter", `that "${draft}" is sent`, () => newestPrompt(terminal.screen) !== draft);
}

/** The lowest line with the mark of a prompt: what is being written, or what is chosen in a dialog. */
function newestPrompt(screen: string): string | undefined {
  return screen.split("\n").findLast((line) => line.startsWith("❯"));
}

/** Answers what the client asks at its first start: its colours, the key, whether this folder is trusted. */
function reconcileFirstQuestions({ home, project, env }: Sandbox): void {
  const file = join(home, ".claude.json");
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>) : {};
  const projects = (known["projects"] ?? {}) as Record<string, object>;
  const settled = {
    theme: "dark",
    ...known,
    hasCompletedOnboarding: true,
    bypassPermissionsModeAccepted: true,
    customApiKeyResponses: { approved: [env["ANTHROPIC_API_KEY"]?.slice(-20)], rejected: [] },
    projects: {
      ...projects,
      [project]: { ...projects[project], hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true },
    },
  };
  writeFileSync(file, JSON.stringify(settled));
}
