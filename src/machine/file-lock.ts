import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HeedError, ioFailed } from "./heed-error.ts";
import { asIoFailure, readOrEmpty, statIfThere, systemCode } from "./regular-file.ts";
import { sha256Hex } from "./sha256.ts";

export interface HeldLock {
  /** Throws HeedError `locked` when the lock was taken over meanwhile (a process that slept too long). */
  assertHeld(): void;
}

interface LockOptions {
  what: string;
  /** Give up after this many milliseconds. Default 10,000: a write takes milliseconds, so ten seconds mean trouble. */
  waitMs?: number;
}

/** A holder whose life cannot be checked (another machine or namespace) is dead after this long without heartbeat. */
const SILENT_MS = 10_000;
const HEARTBEAT_MS = 1_000;
const MAX_RECORD_BYTES = 64 * 1024;

/** Locks that this process could not give back: nobody holds them, although the process lives. */
const unreleased = new Set<string>();

/** Turns of this process for each lock, so that its own tasks queue in order instead of polling each other. */
const queues = new Map<string, Promise<unknown>>();

/**
 * Runs a task while holding the lock at `path`: one holder at a time across all processes of the machine.
 *
 * | folder at `path` | lock |
 * |---|---|
 * | absent or empty | free: a prepared folder is renamed to `path` |
 * | with one file | held by whom the file's name says: token, pid, start time, machine |
 *
 * Whoever takes over from a dead process renames its file. Of several that try, one finds it under that name.
 *
 * An own lock since proper-lockfile waits out a fixed stale time (2 s at least) after a kill and knows no holder.
 *
 * @throws HeedError `locked` naming the holder after `waitMs`; `io-failed` when the folder cannot be written.
 */
export async function withLock<T>(
  path: string,
  options: LockOptions,
  task: (lock: HeldLock) => T | Promise<T>,
): Promise<T> {
  const done = (queues.get(path) ?? Promise.resolve()).then(() => runLocked(path, options, task));
  const turn: Promise<unknown> = done.catch(() => undefined);
  queues.set(path, turn);
  try {
    return await done;
  } finally {
    if (queues.get(path) === turn) queues.delete(path);
  }
}

async function runLocked<T>(
  path: string,
  options: LockOptions,
  task: (lock: HeldLock) => T | Promise<T>,
): Promise<T> {
  const own = await acquire(path, options);
  const heartbeat = setInterval(() => touch(join(path, own)), HEARTBEAT_MS);
  heartbeat.unref();
  try {
    return await task({
      assertHeld: () => {
        if (!existsSync(join(path, own))) throw lockedError(path, holderOf(path), 0);
      },
    });
  } finally {
    clearInterval(heartbeat);
    release(path, own);
  }
}

async function acquire(path: string, { what, waitMs = 10_000 }: LockOptions): Promise<string> {
  const startedAt = performance.now();
  const own = holderName(randomBytes(8).toString("hex"));
  const record = JSON.stringify({ what, since: new Date().toISOString() });
  for (let attempt = 0; ; attempt++) {
    const holder = holderOf(path);
    if (holder === undefined ? take(path, own, record) : takeOver(path, holder, own, record)) return own;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs >= waitMs) throw lockedError(path, holder, Math.round(waitedMs));
    // Random, so that many waiters do not wake together; short at first, since a write takes milliseconds.
    await sleep(1 + Math.random() * Math.min(25, 2 + attempt * 2));
  }
}

function holderOf(path: string): string | undefined {
  try {
    return readdirSync(path)[0];
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    if (systemCode(error) !== "ENOTDIR") throw asIoFailure(error, "lock", path);
    const what = statIfThere(path)?.isFile() ? "a file" : "a device or pipe";
    const message = `${path} is ${what}, where heed puts a folder as its lock: move it away`;
    throw ioFailed("lock", path, message, "ENOTDIR");
  }
}

/** Puts a folder with the holder's file at `path`; false when somebody else was faster. */
function take(path: string, own: string, record: string): boolean {
  const prepared = `${path}.${own.split(".", 1)[0]}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    mkdirSync(prepared, { mode: 0o700 });
    writeFileSync(join(prepared, own), record, { mode: 0o600 });
    // Windows renames to no folder, not to an empty one either.
    quietly(() => rmdirSync(path));
    renameSync(prepared, path);
    return true;
  } catch (error) {
    quietly(() => rmSync(prepared, { recursive: true }));
    if (isTaken(error)) return false;
    throw asIoFailure(error, "lock", path);
  }
}

/** Whether a rename failed since a folder with something in it is there: POSIX has two words for it, Windows its own. */
function isTaken(error: unknown): boolean {
  const code = systemCode(error) ?? "";
  if (code === "ENOTEMPTY" || code === "EEXIST") return true;
  const isRename = (error as NodeJS.ErrnoException).syscall === "rename";
  return process.platform === "win32" && isRename && (code === "EPERM" || code === "EACCES");
}

function takeOver(path: string, holder: string, own: string, record: string): boolean {
  if (!isDead(path, holder)) return false;
  try {
    // The time goes along: the new holder has just been heard of.
    touch(join(path, holder));
    renameSync(join(path, holder), join(path, own));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw asIoFailure(error, "lock", path);
  }
  quietly(() => writeFileSync(join(path, own), record));
  unreleased.delete(holder);
  return true;
}

/** What cannot be removed now is taken over by this process at its next turn. */
function release(path: string, own: string): void {
  try {
    unlinkSync(join(path, own));
  } catch (error) {
    if (systemCode(error) !== "ENOENT") unreleased.add(own);
    return;
  }
  quietly(() => rmdirSync(path));
}

/** Tries what may fail: what is left then is litter, or somebody else's by now. */
function quietly(task: () => void): void {
  try {
    task();
  } catch {
    // See above.
  }
}

function touch(file: string): void {
  const now = new Date();
  quietly(() => utimesSync(file, now, now));
}

function lockedError(path: string, file: string | undefined, waitedMs: number): HeedError {
  const [, pid = ""] = file?.split(".") ?? [];
  let [who, record] = ["another process", { what: "", since: "" }];
  quietly(() => {
    record = JSON.parse(readOrEmpty(join(path, file ?? ""), { maxBytes: MAX_RECORD_BYTES })) as typeof record;
    who = `process ${pid} (${record.what}, since ${record.since})`;
  });
  const message = `${who} holds the store and did not finish in ${waitedMs} ms: try again, or end that process`;
  const holder = pid !== "" && { holder: { pid: Number(pid), ...record } };
  return new HeedError("locked", message, { lock: path, waitedMs, ...holder });
}

let known: { pid: number; startedAt: string; machine: string } | undefined;

/** The name of a holder's file: its own token, and by what others tell whether it lives. Default: this process. */
export function holderName(token: string, holder: Partial<NonNullable<typeof known>> = {}): string {
  known ??= {
    pid: process.pid,
    startedAt: startTimeOf(process.pid),
    machine: sha256Hex(machineName()).slice(0, 16),
  };
  const { pid, startedAt, machine } = { ...known, ...holder };
  return [token, pid, startedAt, machine].join(".");
}

/** On another machine or in another namespace only the heartbeat tells. */
function isDead(path: string, holder: string): boolean {
  if (unreleased.has(holder)) return true;
  const [, pid, startedAt, machine] = holder.split(".");
  if (machine !== undefined && machine === known?.machine) {
    if (isGone(Number(pid))) return true;
    // The same pid with another start time is another process.
    if (startedAt !== "") return startTimeOf(Number(pid)) !== startedAt;
  }
  const touchedMs = statIfThere(join(path, holder))?.mtimeMs;
  return touchedMs !== undefined && Date.now() - touchedMs > SILENT_MS;
}

export function isGone(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Field 22 of /proc/<pid>/stat (proc(5)), ticks since boot; "" where the system does not tell. A zombie counts as gone. */
function startTimeOf(pid: number): string {
  const stat = readOrEmpty(`/proc/${pid}/stat`, { maxBytes: MAX_RECORD_BYTES });
  // The command name in parentheses may itself hold blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? "zombie" : (fields[19] ?? "");
}

/** A pid means something only on the same machine, since the same boot and in the same process namespace. */
function machineName(): string {
  const parts = [hostname()];
  quietly(() => {
    parts.push(readOrEmpty("/proc/sys/kernel/random/boot_id", { maxBytes: MAX_RECORD_BYTES }).trim());
    parts.push(readlinkSync("/proc/self/ns/pid"));
  });
  return parts.join(" ");
}
