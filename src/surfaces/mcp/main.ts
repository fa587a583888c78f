import { Console } from "node:console";
import type { Server } from "node:net";
import { join } from "node:path";
import { Writable } from "node:stream";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { valueAs } from "../../here/schema.ts";
import { findPlaces } from "../../machine/places.ts";
import { SERVERS } from "../launch/ask-server.ts";
import { BoundedLines } from "./bounded-lines.ts";
import { createServer } from "./create-server.ts";
import { listenForHooks } from "./hook-server.ts";
import { HOOK_TOOL, HookToolHider, unlooked } from "./tools/hook-tool.ts";
import { HeedSessions } from "./tools/heed-sessions.ts";

declare const __HEED_VERSION__: string;

/** How long writes that are under way may take when the client goes; then the process ends all the same. */
const GRACE_MS = 1500;
/** How often the server looks whether its client still lives: one that was killed may leave the pipe open. */
const PARENT_CHECK_MS = 3000;

const sessions = new HeedSessions(process.env);
const parent = process.ppid;
let isEnding = false;

// stdout belongs to the protocol: anything else that is printed goes to stderr.
const writeProtocol = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
globalThis.console = new Console(process.stderr, process.stderr);

let hasAnswered = false;
let hooks: Server | undefined;
const protocol = new Writable({
  decodeStrings: false,
  write(chunk: string, _encoding, done) {
    writeProtocol(chunk, "utf8", (error) => done(error ?? null));
    if (hasAnswered) return;
    hasAnswered = true;
    // The client has its answer: load the rest before it asks for more.
    setImmediate(() => {
      hooks = listenForHooks(
        join(findPlaces(sessions.env).state, SERVERS),
        join(__dirname, "heed.cjs"),
        sessions,
      );
      sessions.warmUp().catch((error: unknown) => sessions.note("start", error));
    });
  },
});

process.stdout.on("error", () => end());
process.stderr.on("error", () => {});
process.on("uncaughtException", (error) => sessions.note("uncaught", error));
process.on("unhandledRejection", (error) => sessions.note("unhandled", error));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => end());
process.stdin.on("end", () => end());
process.stdin.on("close", () => end());
setInterval(() => {
  if (process.ppid !== parent) end();
}, PARENT_CHECK_MS).unref();

/** Some clients send the arguments of a call as JSON text, or `null` for none. */
function withPlainArguments(message: JSONRPCMessage): JSONRPCMessage {
  if (!("method" in message) || !message.params || !("arguments" in message.params)) return message;
  const { arguments: given, ...params } = message.params;
  const value = valueAs({ type: "object", isOptional: true }, given);
  return {
    ...message,
    params: { ...params, ...(value !== undefined && { arguments: value }) },
  };
}

/** A transport that closes by itself listens no more: the client is to see that, not to wait. */
class EndingTransport extends StdioServerTransport {
  readonly #hider = new HookToolHider();

  override start(): Promise<void> {
    const receive = this.onmessage;
    const onmessage = (message: JSONRPCMessage): void => {
      this.#hider.see(message);
      receive?.(withPlainArguments(message));
    };
    Object.assign(this, { onmessage });
    return super.start();
  }

  override send(message: JSONRPCMessage): Promise<void> {
    return super.send(this.#hider.shown(message));
  }

  override async close(): Promise<void> {
    await super.close();
    end();
  }
}

const messages = new BoundedLines((message, id, edges) => {
  const isHook = edges.includes(`"${HOOK_TOOL}"`);
  sessions.note(isHook ? "unanswered" : "protocol", message);
  const answer = isHook ? { result: unlooked(message, edges) } : { error: { code: -32600, message } };
  if (id !== undefined) protocol.write(`{"jsonrpc":"2.0","id":${id},${JSON.stringify(answer).slice(1)}\n`);
});

/** Rules and map for a client without hooks; as they cost its first answer some time, they are asked for. */
async function opening(): Promise<string> {
  if (!process.argv.includes("--with-rules")) return "";
  try {
    return await (await sessions.heed()).session.opening();
  } catch (error) {
    sessions.note("rules", error);
    return "";
  }
}

const handle = serveStdio(async () => createServer(__HEED_VERSION__, sessions, await opening()), {
  transport: new EndingTransport(process.stdin.pipe(messages), protocol),
  onerror: (error) => sessions.note("protocol", error),
});

function end(): void {
  if (isEnding) return;
  isEnding = true;
  setTimeout(() => process.exit(0), GRACE_MS);
  hooks?.close();
  Promise.allSettled([handle.close(), sessions.close()]).then(
    () => process.exit(0),
    () => process.exit(0),
  );
}
