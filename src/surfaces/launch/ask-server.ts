import { closeSync, lstatSync, openSync, readdirSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import type * as Net from "node:net";
import { join } from "node:path";
import { type Input, readInput, writeWhole } from "../standard-streams.ts";
import { VERSION, hashOf } from "./code-cache.ts";

/** Servers listen in this folder of heed's state. */
export const SERVERS = "servers";

/** A server that has not taken an event by now is busy, or gone: this process answers itself. */
const UNTAKEN_MS = 150;
/** One that has taken it answers within its own deadline; with that of this process it is less than clients wait. */
const TAKEN_MS = 3300;
/** What it counts by then is on its way. */
const COUNTED_MS = 300;
const MAX_TRIES = 3;

/**
 * Has a server of this very heed answer a hook's event, and ends the process then. Else the input, where it was read.
 *
 * Whoever removes the event's file answers it, so that it counts once. The server reads it by this process's own
 * descriptor, where the system shows that: nobody else can hand in an event for it.
 */
export async function askServer(folder: string, program: string): Promise<Input | undefined> {
  const names = namesIn(folder, program);
  if (names.length === 0) return undefined;
  const input = await readInput();
  if (!("value" in input)) return input;
  const { argv, env } = process;
  const request = JSON.stringify({ argv, env, cwd: process.cwd(), input: input.value });
  for (const name of names) {
    const { answer, isTaken } = await ask(socketOf(folder, name), folder, request);
    if (answer !== undefined) {
      writeWhole(1, answer);
      process.exit(0);
    }
    // What one took and did not answer no second one takes.
    if (isTaken) break;
  }
  return input;
}

/** The servers' sockets, the newest first, in a folder that is this user's alone. */
function namesIn(folder: string, program: string): string[] {
  try {
    const uid = process.getuid ? process.getuid() : undefined;
    const isOwn = (stats: { uid: number }): boolean => uid === undefined || stats.uid === uid;
    const place = lstatSync(folder);
    if (!place.isDirectory() || !isOwn(place) || (uid !== undefined && (place.mode & 0o077) !== 0)) return [];
    const prefix = prefixOf(program);
    const found = readdirSync(folder)
      .filter((name) => name.startsWith(prefix))
      .map((name) => ({ name, stats: lstatSync(join(folder, name)) }))
      .filter(({ stats }) => isOwn(stats) && (stats.isSocket() || uid === undefined));
    found.sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs);
    return found.slice(0, MAX_TRIES).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Where a server listens; on Windows the file of that name only says so. */
export function socketOf(folder: string, name: string): string {
  return process.platform === "win32" ? `\\\\.\\pipe\\heed-${name}` : join(folder, name);
}

/** How the names of servers of this installation and build begin. */
export function prefixOf(program: string): string {
  return `${hashOf(`${VERSION} ${program} ${statSync(program).mtimeMs}`)}-`;
}

interface Asked {
  isTaken: boolean;
  /** Empty where there is nothing to say; undefined where this process has to find one. */
  answer: string | undefined;
}

function ask(socketPath: string, folder: string, request: string): Promise<Asked> {
  const id = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  const [file, taken] = [join(folder, `event-${id}`), takenFile(folder, id)];
  let descriptor: number;
  try {
    descriptor = openSync(file, "wx", 0o600);
    writeFileSync(descriptor, request);
  } catch {
    return Promise.resolve({ isTaken: false, answer: undefined });
  }
  return new Promise((resolve) => {
    let said = "";
    const end = (isTaken: boolean, otherwise?: string): void => {
      clearTimeout(timer);
      closeSync(descriptor);
      socket.removeAllListeners("close").destroy();
      // Whoever did not take it is no server of this user's.
      resolve({
        isTaken,
        answer: !isTaken ? undefined : said.endsWith("\n") ? said.slice(0, -1) : otherwise,
      });
    };
    const giveUp = (): void => {
      if (takeBack(taken)) end(true);
      // Of what is counted without an answer nothing is said: it must not count again.
      else timer = setTimeout(end, COUNTED_MS, true, "");
    };
    let timer = setTimeout(() => {
      if (takeBack(file)) end(false);
      else timer = setTimeout(giveUp, TAKEN_MS - UNTAKEN_MS);
    }, UNTAKEN_MS);
    // Looked for only here: loading it takes a quarter of Node's own start.
    const { connect } = module.require("net") as typeof Net;
    const socket = connect(socketPath, () => socket.write(`${process.pid} ${descriptor} ${id}\n`));
    socket.setEncoding("utf8").on("data", (part: string) => (said += part));
    socket
      .on("error", () => {})
      .once("close", () => {
        takeBack(taken);
        end(!takeBack(file));
      });
  });
}

/** What a server moves an event to that it answers. */
export function takenFile(folder: string, id: string): string {
  return join(folder, `taken-${id}`);
}

/** Whether nobody took, or counted, an event before, and nobody will. */
export function takeBack(file: string): boolean {
  try {
    unlinkSync(file);
    return true;
  } catch {
    return false;
  }
}
