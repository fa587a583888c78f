import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MessagesApi, type RecordedRequest } from "../api/messages-api.ts";
import { headless } from "./headless-session.ts";
import { PLUGIN, type Sandbox } from "./sandbox.ts";
import type { Drive, Seen, SessionScript } from "./session-script.ts";
import { inTerminal } from "./terminal-session.ts";

/** Everything that was seen of a session. */
export interface SessionRecord extends Seen {
  requests: RecordedRequest[];
  /** Those of the main conversation, in order. */
  main: RecordedRequest[];
  /** The client's debug log, which tells why a hooks file or a server was refused. */
  debugLog: string;
}

/** On a busy machine: what goes over it hangs. */
const SESSION_TIMEOUT_MS = 150_000;

/** Runs a session in a sandbox; rejects when the client fails or when the script could not be followed. */
export async function runSession(sandbox: Sandbox, script: SessionScript): Promise<SessionRecord> {
  const tag = randomBytes(4).toString("hex");
  const apiSocket = join(sandbox.root, `${tag}.sock`);
  const debugFile = join(sandbox.root, `${tag}.debug.log`);
  const readDebugLog = (): string => (existsSync(debugFile) ? readFileSync(debugFile, "utf8") : "");
  const api = await new MessagesApi(script).listen(apiSocket);
  const drive: Drive = {
    sandbox,
    script,
    api,
    apiSocket,
    args: sharedArguments(script, debugFile),
    timeoutMs: SESSION_TIMEOUT_MS,
    readDebugLog,
  };
  let seen: Seen;
  try {
    seen = await (script.terminal ? inTerminal(drive) : headless(drive));
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
  return [...watching, ...mode, ...plugins, ...tools];
}
