import { hookOutcomes, parseEvent, type ClientEvent } from "./client-event.ts";
import { startClient, type ClientExit, type RunningClient } from "./run-client.ts";
import type { Drive, Prompt, Seen } from "./session-script.ts";

/** Runs the prompts of a session without a user (`-p`), over the client's stream of events. */
export async function headless({ sandbox, script, apiSocket, args, timeoutMs }: Drive): Promise<Seen> {
  const events: ClientEvent[] = [];
  const promptsSentAtMs: number[] = [];
  const exits: ClientExit[] = [];
  const output = ["-p", "--output-format", "stream-json", "--verbose"];
  const watching = script.isWatched === false ? [] : ["--include-hook-events"];

  const start = (further: readonly string[], onEvent?: (event: ClientEvent) => void): RunningClient =>
    startClient({
      client: script.client,
      args: [...output, ...watching, ...args, ...further],
      cwd: sandbox.project,
      env: sandbox.env,
      apiSocket,
      timeoutMs,
      onLine: (line) => {
        const event = parseEvent(line);
        if (event === undefined) return;
        events.push(event);
        onEvent?.(event);
      },
    });
  const ready = async (prompt: Prompt): Promise<string> => {
    const { before, text } = typeof prompt === "string" ? { text: prompt, before: undefined } : prompt;
    await before?.();
    promptsSentAtMs.push(performance.now());
    return typeof text === "string" ? text : text("");
  };

  if (script.mode === "resume") {
    for (const prompt of script.prompts) {
      const sessionId = events.findLast((event) => event.session_id !== undefined)?.session_id;
      const client = start(sessionId === undefined ? [] : ["--resume", sessionId]);
      client.stdin.end(await ready(prompt));
      exits.push(await client.exit);
    }
  } else {
    exits.push(await stream(script.prompts, ready, start));
  }
  return {
    hooks: hookOutcomes(events),
    events,
    shown: JSON.stringify(events).replaceAll(/(?:\s|\\n)+/g, " "),
    promptsSentAtMs,
    exits,
  };
}

async function stream(
  prompts: readonly Prompt[],
  ready: (prompt: Prompt) => Promise<string>,
  start: (args: readonly string[], onEvent: (event: ClientEvent) => void) => RunningClient,
): Promise<ClientExit> {
  let next = 0;
  let failure: unknown;
  const sendNext = async (): Promise<void> => {
    const prompt = prompts[next++];
    if (prompt === undefined) {
      client.stdin.end();
      return;
    }
    const content = await ready(prompt);
    client.stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`);
  };
  const send = (): void => {
    sendNext().catch((error: unknown) => {
      failure = error;
      client.stdin.end();
    });
  };
  const client = start(["--input-format", "stream-json"], (event) => {
    if (event.type === "result") send();
  });
  send();
  const exit = await client.exit;
  if (failure !== undefined) throw failure;
  return exit;
}
