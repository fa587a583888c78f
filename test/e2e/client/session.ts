import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MessagesApi, type ModelScript, type RecordedRequest } from "../api/messages-api.ts";
import type { ClientEvent, HookOutcome, SessionInit } from "./client-event.ts";
import { headless } from "./headless-session.ts";
import type { ClientExit } from "./run-client.ts";
import { PLUGIN, type Sandbox } from "./sandbox.ts";
import type { Terminal } from "./terminal.ts";
import { inTerminal } from "./terminal-session.ts";

/** A prompt, with what has to happen around it. */
export type Prompt = string | DetailedPrompt;

export interface DetailedPrompt {
  /** A function is asked when it is sent, with what the terminal has shown by then. */
  text: string | ((shown: string) => string);
  /** Right before it is sent. */
  before?: () => void | Promise<void>;
  /** In a terminal: pasted in front of what is typed. */
  pasted?: string;
  /** In a terminal, once it is sent: what the user does meanwhile, such as choosing in a box. */
  meanwhile?: (terminal: Terminal) => Promise<void>;
}

/** The ways in which the client asks before a tool runs. */
export type PermissionMode = "default" | "acceptEdits" | "plan" | "dontAsk" | "bypassPermissions" | "auto";

/** One scripted session: what the user says, and what the model answers. */
export interface SessionScript extends ModelScript {
  client: string;
  prompts: readonly Prompt[];
  /**
   * A user sits there: the client runs in a terminal, prompts are typed and dialogs are shown. Without it nobody does
   * (`-p`), which is faster.
   */
  terminal?: boolean;
  /** Plugin folders to load for this session. Default: the repository's own plugin. */
  plugins?: readonly string[];
  /**
   * `stream` (the default): one client process that is given all prompts, as an interactive session is.
   * `resume`: one process for each prompt, each resuming the session of the one before.
   */
  mode?: "stream" | "resume";
  /** Default: `dontAsk`, in which what is not allowed is denied. */
  permissionMode?: PermissionMode;
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

/** What the drivers see of a session, each in its own way. */
export interface Seen {
  hooks: HookOutcome[];
  /** What the client said about itself at its first start; in a terminal, its version and its tools. */
  init: SessionInit;
  /** Of a headless session. */
  events: ClientEvent[];
  /** What the user was shown: the whole terminal, or the client's events; any white space as one blank. */
  shown: string;
  /** When each prompt was sent, on the clock of `performance.now()`. */
  promptsSentAtMs: number[];
  exits: ClientExit[];
}

/** Everything that was seen of a session. */
export interface SessionRecord extends Seen {
  requests: RecordedRequest[];
  /** Those of the main conversation, in order. */
  main: RecordedRequest[];
  /** The client's debug log, which tells why a hooks file or a server was refused. */
  debugLog: string;
}

/** What a driver needs to start the client. */
export interface Drive {
  sandbox: Sandbox;
  script: SessionScript;
  api: MessagesApi;
  apiSocket: string;
  /** Arguments that both ways of running it share. */
  args: readonly string[];
  timeoutMs: number;
  readDebugLog: () => string;
}

const SESSION_TIMEOUT_MS = 150_000;

/** Runs a session in a sandbox; rejects when the client fails or when the script could not be followed. */
export async function runSession(sandbox: Sandbox, script: SessionScript): Promise<SessionRecord> {
  const tag = randomBytes(4).toString("hex");
  const apiSocket = join(sandbox.root, `${tag}.sock`);
  const debugFile = join(sandbox.root, `${tag}.debug.log`);
  const readDebugLog = (): string => (existsSync(debugFile) ? readFileSync(debugFile, "utf8") : "");
  const api = await MessagesApi.listen(apiSocket, script);
  const drive: Drive = {
    sandbox,
    script,
    api,
    apiSocket,
    args: sharedArguments(script, debugFile),
    timeoutMs: script.timeoutMs ?? SESSION_TIMEOUT_MS,
    readDebugLog,
  };
  let seen: Seen;
  try {
    seen = await (script.terminal === true ? inTerminal(drive) : headless(drive));
  } catch (error) {
    throw api.failures.length === 0
      ? error
      : new Error(api.failures.map(String).join("\n"), { cause: error });
  } finally {
    await api.close();
  }

  const debugLog = readDebugLog();
  const failed = seen.exits.find((exit) => exit.exitCode !== 0);
  if (failed !== undefined || api.failures.length > 0) {
    const failures = api.failures.map(String).join("\n");
    const tail = [failed?.stderr, failed?.stdout.slice(-1500), debugLog.slice(-3000)].join("\n");
    throw new Error(`the session failed (exit ${failed?.exitCode ?? 0})\n${failures}\n${tail}`);
  }
  return {
    ...seen,
    requests: api.requests,
    main: api.requests.filter((request) => request.kind === "main"),
    debugLog,
  };
}

function sharedArguments(script: SessionScript, debugFile: string): string[] {
  const plugins = (script.plugins ?? [PLUGIN]).flatMap((plugin) => ["--plugin-dir", plugin]);
  const tools = (script.allowedTools ?? []).flatMap((tool) => ["--allowedTools", tool]);
  const watching = script.isWatched === false ? [] : ["--debug-file", debugFile];
  const mode = ["--permission-mode", script.permissionMode ?? "dontAsk"];
  return [...watching, ...mode, ...plugins, ...tools, ...(script.args ?? [])];
}
