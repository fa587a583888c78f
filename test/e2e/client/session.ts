import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MessagesApi, type ModelScript, type RecordedRequest } from "../api/messages-api.ts";
import {
  hookOutcomes,
  initOf,
  parseEvent,
  type ClientEvent,
  type HookOutcome,
  type SessionInit,
} from "./client-event.ts";
import { startClient, type ClientExit } from "./run-client.ts";
import { PLUGIN, type Sandbox } from "./sandbox.ts";

/** A prompt, with what has to happen right before it is sent. */
export type Prompt = string | { text: string; before: () => void | Promise<void> };

/** One scripted session: what the user says, and what the model answers. */
export interface SessionScript extends ModelScript {
  client: string;
  prompts: readonly Prompt[];
  /** Plugin folders to load for this session. Default: the repository's own plugin. */
  plugins?: readonly string[];
  /**
   * `stream` (the default): one client process that is given all prompts, as an interactive session is.
   * `resume`: one process for each prompt, each resuming the session of the one before.
   */
  mode?: "stream" | "resume";
  /** Further arguments of the client. */
  args?: readonly string[];
  /** Tools that run without asking. Default: none. */
  allowedTools?: readonly string[];
  /**
   * Whether the client reports its hooks and writes its debug log, which takes it a few milliseconds a prompt. Default:
   * true.
   */
  isWatched?: boolean;
  /** For the whole session, on a busy machine: what goes over it hangs. Default 150,000. */
  timeoutMs?: number;
}

/** Everything that was seen of a session. */
export interface SessionRecord {
  requests: RecordedRequest[];
  /** Those of the main conversation, in order. */
  main: RecordedRequest[];
  /** Outcomes of hooks, in order. */
  hooks: HookOutcome[];
  /** What the client said about itself at its first start. */
  init: SessionInit;
  events: ClientEvent[];
  /** When each prompt was sent, on the clock of `performance.now()`. */
  promptsSentAtMs: number[];
  exits: ClientExit[];
  /** The client's debug log, which tells why a hooks file or a server was refused. */
  debugLog: string;
}

const SESSION_TIMEOUT_MS = 150_000;

/** Runs a session in a sandbox; rejects when the client fails or when the script could not be followed. */
export async function runSession(sandbox: Sandbox, script: SessionScript): Promise<SessionRecord> {
  const tag = randomBytes(4).toString("hex");
  const apiSocket = join(sandbox.root, `${tag}.sock`);
  const debugFile = join(sandbox.root, `${tag}.debug.log`);
  const api = await MessagesApi.listen(apiSocket, script);
  const events: ClientEvent[] = [];
  const promptsSentAtMs: number[] = [];
  const exits: ClientExit[] = [];

  const start = (args: readonly string[], onEvent?: (event: ClientEvent) => void) =>
    startClient({
      client: script.client,
      args: [...sessionArguments(script, debugFile), ...args],
      cwd: sandbox.project,
      env: sandbox.env,
      apiSocket,
      timeoutMs: script.timeoutMs ?? SESSION_TIMEOUT_MS,
      onLine: (line) => {
        const event = parseEvent(line);
        if (event === undefined) return;
        events.push(event);
        onEvent?.(event);
      },
    });
  const ready = async (prompt: Prompt): Promise<string> => {
    if (typeof prompt !== "string") await prompt.before();
    promptsSentAtMs.push(performance.now());
    return typeof prompt === "string" ? prompt : prompt.text;
  };

  try {
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
  } finally {
    await api.close();
  }

  const debugLog = existsSync(debugFile) ? readFileSync(debugFile, "utf8") : "";
  const failed = exits.find((exit) => exit.exitCode !== 0);
  if (failed !== undefined || api.failures.length > 0) {
    const script = api.failures.map(String).join("\n");
    const tail = [failed?.stderr, failed?.stdout.slice(-1500), debugLog.slice(-3000)].join("\n");
    throw new Error(`the session failed (exit ${failed?.exitCode ?? 0})\n${script}\n${tail}`);
  }
  return {
    requests: api.requests,
    main: api.requests.filter((request) => request.kind === "main"),
    hooks: hookOutcomes(events),
    init: initOf(events),
    events,
    promptsSentAtMs,
    exits,
    debugLog,
  };
}

/** Sends each prompt when the one before has its result. */
async function stream(
  prompts: readonly Prompt[],
  ready: (prompt: Prompt) => Promise<string>,
  start: (args: readonly string[], onEvent: (event: ClientEvent) => void) => ReturnType<typeof startClient>,
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

function sessionArguments(script: SessionScript, debugFile: string): string[] {
  const plugins = (script.plugins ?? [PLUGIN]).flatMap((plugin) => ["--plugin-dir", plugin]);
  const tools = (script.allowedTools ?? []).flatMap((tool) => ["--allowedTools", tool]);
  const output = ["--output-format", "stream-json", "--verbose"];
  const watching = script.isWatched === false ? [] : ["--include-hook-events", "--debug-file", debugFile];
  return [
    "-p",
    ...output,
    ...watching,
    "--permission-mode",
    "dontAsk",
    ...plugins,
    ...tools,
    ...(script.args ?? []),
  ];
}
