import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type Server, createServer } from "node:net";
import { join } from "node:path";
import { readRegularFile } from "../../machine/regular-file.ts";
import { type HookProcess, readHookEvent } from "../hooks/read-event.ts";
import { renderAnswer } from "../hooks/render-answer.ts";
import { isHookOfHeed, type WhoseSession, whoseSession } from "../hooks/whose-session.ts";
import { prefixOf, socketOf, takeBack, takenFile } from "../launch/ask-server.ts";
import { environmentOf, processAncestors, settledEnvironment } from "../processes.ts";
import type { HeedSessions } from "./tools/heed-sessions.ts";

/** An event, and what else a process has of it. */
const MAX_REQUEST_BYTES = 16 * 1024 * 1024;
/** Node cuts a longer one off without a word, and listens elsewhere: macOS takes 103, Linux 107. */
const MAX_SOCKET_BYTES = 103;
/** What Node itself goes by: where one differs, the hook's process answers itself. */
const OF_PROCESS = ["HOME", "USERPROFILE", "TZ", "LANG", "LC_ALL", "LC_TIME", "NODE_OPTIONS"];
/** Four fifths of it are as long as a hook's process waits for its server. */
const MAX_DEADLINE_MS = 4000;

/** Answers processes of this very heed (`launch/ask-server.ts`) over a socket in a folder that is the user's alone. */
export function listenForHooks(folder: string, program: string, sessions: HeedSessions): Server | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    sweep(folder);
    const place = realpathSync(folder);
    const name = `${prefixOf(program)}${process.pid}`;
    if (process.platform !== "win32" && Buffer.byteLength(join(folder, name)) > MAX_SOCKET_BYTES)
      return undefined;
    const server = createServer((socket) => {
      const end = (answer?: string): void => void socket.end(answer === undefined ? "" : `${answer}\n`);
      socket.on("error", () => {}).setEncoding("utf8");
      socket.once("data", (line: string) => {
        answerTo(line, place, sessions).then(end, (error: NodeJS.ErrnoException) => {
          // Its process did not wait.
          if (error.code !== "ENOENT") sessions.note("hook", error);
          end();
        });
        // A hook that was killed leaves what somebody said.
        sweep(place);
      });
    });
    server.on("error", (error) => sessions.note("hooks", error)).unref();
    if (process.platform === "win32") writeFileSync(join(folder, name), "");
    return server.listen(socketOf(folder, name));
  } catch (error) {
    sessions.note("hooks", error);
    return undefined;
  }
}

function sweep(folder: string): void {
  for (const name of readdirSync(folder)) if (isLeft(name)) rmSync(join(folder, name), { force: true });
}

/** Whether a socket, or an event, is of a process that has ended. */
function isLeft(name: string): boolean {
  try {
    const [, pid = "0"] = /^\w+-(\d+)(?:-\w+)?$/.exec(name) ?? [];
    return !process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** The answer to an event; undefined where its process is to find one. */
async function answerTo(line: string, folder: string, sessions: HeedSessions): Promise<string | undefined> {
  const [, pid = "", descriptor = "", id = ""] = /^(\d{1,9}) (\d{1,9}) (\d+-\w{1,40})\n$/.exec(line) ?? [];
  const file = join(folder, `event-${id}`);
  const held = process.platform === "linux" ? `/proc/${pid}/fd/${descriptor}` : file;
  // What another process holds open nobody hands in for it.
  if (pid === "" || (held !== file && readlinkSync(held) !== file)) return undefined;
  const request = JSON.parse(readRegularFile(held, { maxBytes: MAX_REQUEST_BYTES })) as HookProcess & {
    input: object;
  };
  const ancestors = processAncestors(Number(pid));
  const whose = (): WhoseSession =>
    whoseSession("hook", { env: request.env, ancestors: ancestors?.slice(1), environmentOf });
  const env = settledEnvironment(request.env, () => whose().client !== undefined, ancestors);
  const isHook = ancestors === undefined || isHookOfHeed(ancestors[0]?.words ?? []);
  if (!isHook || OF_PROCESS.some((name) => env[name] !== sessions.env[name])) return undefined;
  let isProven = true;
  const read = readHookEvent(request.input, { ...request, env }, () => {
    // On macOS nothing shows that the event is that process's: there it says itself whose session it is.
    isProven = held !== file || ancestors === undefined;
    return whose();
  });
  const isLong = typeof read !== "string" && read.deadlineMs > MAX_DEADLINE_MS;
  if (!isProven || isLong) return undefined;
  const taken = takenFile(folder, id);
  // Whoever moves or removes it answers.
  renameSync(file, taken);
  const isWanted = (): boolean => takeBack(taken);
  if (typeof read === "string") return isWanted() ? "" : undefined;
  const heed = await sessions.heed(read.event.cwd, env);
  const options = { deadlineMs: read.deadlineMs * 0.8, isWanted };
  return renderAnswer(await heed.session.answer(read.event, options), read);
}
