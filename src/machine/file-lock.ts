import { randomBytes } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  readFileSync,
  readlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HeedError } from "./heed-error.ts";
import { asIoFailure, systemCode, readRegularFile } from "./regular-file.ts";
import { hostname } from "node:os";

/** A lock that is held. */
export interface HeldLock {
  /** Throws HeedError `locked` when the lock was taken over meanwhile (a process that slept too long). */
  assertHeld(): void;
}

interface LockOptions {
  /** What is done under it, for whoever has to wait. */
  what: string;
  /** Give up after this many milliseconds. Default 10,000: a write takes milliseconds, so ten seconds mean trouble. */
  waitMs?: number;
}

/** A holder whose life cannot be checked (another machine or namespace) is dead after this long without heartbeat. */
const SILENT_MS = 10_000;
const HEARTBEAT_MS = 1_000;
const OWNER_FILE = "owner.json";
const MAX_OWNER_BYTES = 64 * 1024;

/** Tokens of locks that this process could not give back: nobody holds them, although the process lives. */
const unreleased = new Set<string>();

/** Turns of this process for each lock, so that its own tasks queue in order instead of polling each other. */
const queues = new Map<string, Promise<void>>();

/**
 * Runs a task while holding the lock at `path`: one holder at a time across all processes of the machine.
 *
 * The lock is a folder with the owner's record in it. It appears by renaming a prepared folder to `path`, which fails
 * while another one is there, so it is never seen without its owner; it disappears by renaming it away. The lock of a
 * dead process is taken over at once: pid, start time and namespace tell, and a heartbeat where those cannot be checked.
 * Two processes cannot both take over: only the one that got the guard of that very holding may rename the lock away.
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
  const before = queues.get(path);
  let finish: () => void = () => undefined;
  const turn = new Promise<void>((resolve) => (finish = resolve));
  const last = (before ?? Promise.resolve()).then(() => turn);
  queues.set(path, last);
  try {
    await before;
    return await runLocked(path, options, task);
  } finally {
    finish();
    if (queues.get(path) === last) queues.delete(path);
  }
}

async function runLocked<T>(
  path: string,
  options: LockOptions,
  task: (lock: HeldLock) => T | Promise<T>,
): Promise<T> {
  const token = await acquire(path, options);
  const heartbeat = setInterval(() => touch(path), HEARTBEAT_MS);
  heartbeat.unref();
  try {
    return await task({
      assertHeld: () => {
        if (readOwner(path)?.token !== token) throw lockedError(path, readOwner(path), 0);
      },
    });
  } finally {
    clearInterval(heartbeat);
    release(path, token);
  }
}

/** What the file system does not let go of now, or does not show, this process takes over at its next turn. */
function release(path: string, token: string): void {
  unreleased.add(token);
  const holder = readOwner(path);
  if (holder?.token === token) discard(path, `${path}.${token}.released`);
  if (holder !== null) unreleased.delete(token);
}

async function acquire(path: string, options: LockOptions): Promise<string> {
  const waitMs = options.waitMs ?? 10_000;
  const startedAt = performance.now();
  const token = randomBytes(8).toString("hex");
  for (let attempt = 0; ; attempt++) {
    if (tryTake(path, describeOwner(token, options.what))) return token;
    const holder = readOwner(path);
    if (holder && isDead(path, holder)) {
      takeOver(path, holder, token);
      continue;
    }
    const waitedMs = performance.now() - startedAt;
    if (waitedMs >= waitMs) throw lockedError(path, holder, Math.round(waitedMs));
    // Random, so that many waiters do not wake together; short at first, since a write takes milliseconds.
    await sleep(1 + Math.random() * Math.min(25, 2 + attempt * 2));
  }
}

/** Puts a folder with the owner's record at `path`; false when one is there. */
function tryTake(path: string, owner: LockOwner): boolean {
  // A peek saves preparing a folder while somebody else plainly holds the lock.
  const there = statSync(path, { throwIfNoEntry: false });
  if (there && !there.isDirectory()) throw noLock(path, there.isFile() ? "a file" : "a device or pipe");
  if (there) return false;
  const prepared = `${path}.${owner.token}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    mkdirSync(prepared, { mode: 0o700 });
    writeFileSync(join(prepared, OWNER_FILE), JSON.stringify(owner), { mode: 0o600 });
    renameSync(prepared, path);
    return true;
  } catch (error) {
    removeQuietly(prepared);
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

/**
 * Removes the lock of a dead holder. The guard's name is made of the dead holder's token, so exactly one process gets
 * it; a guard whose own maker died is followed by one of the next number. Whoever holds the newest guard is the only
 * one that may rename that lock away, and finds it there or finds it gone.
 */
function takeOver(path: string, dead: LockOwner, token: string): void {
  for (let number = 1; ; number++) {
    const guard = `${path}.${dead.token}.takeover-${number}`;
    if (tryTake(guard, describeOwner(token, "take over a dead lock"))) {
      if (readOwner(path)?.token === dead.token) discard(path, `${path}.${dead.token}.dead`);
      for (let made = 1; made <= number; made++) {
        const used = `${path}.${dead.token}.takeover-${made}`;
        discard(used, `${used}.${token}.done`);
      }
      removeLitter(path);
      return;
    }
    const guardian = readOwner(guard);
    if (!guardian || !isDead(guard, guardian)) return;
  }
}

/** Folders that killed processes left beside the lock, in the middle of taking it or giving it back. */
function removeLitter(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.`) || !/\.(new|released|dead|done)$/.test(name)) continue;
    const litter = join(dirname(path), name);
    const touchedMs = statSync(litter, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - touchedMs > 60_000) rmSync(litter, { recursive: true, force: true });
  }
}

function isDead(path: string, owner: LockOwner): boolean {
  if (unreleased.has(owner.token)) return true;
  const liveness = livenessOf(owner);
  if (liveness !== "unknown") return liveness === "dead";
  const touchedMs = statSync(join(path, OWNER_FILE), { throwIfNoEntry: false })?.mtimeMs;
  return touchedMs !== undefined && Date.now() - touchedMs > SILENT_MS;
}

function readOwner(path: string): LockOwner | null {
  try {
    return parseOwner(readRegularFile(join(path, OWNER_FILE), { maxBytes: MAX_OWNER_BYTES }));
  } catch {
    return null;
  }
}

/** What cannot be removed now is litter for the next one. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The failure that led here is the one to tell.
  }
}

function touch(path: string): void {
  try {
    const now = new Date();
    utimesSync(join(path, OWNER_FILE), now, now);
  } catch {
    // Gone: assertHeld will say so.
  }
}

function discard(path: string, as: string): void {
  try {
    renameSync(path, as);
    rmSync(as, { recursive: true, force: true });
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw asIoFailure(error, "unlock", path);
  }
}

/** Something that no heed has made: nobody gives it back. */
function noLock(path: string, what: string): HeedError {
  return new HeedError(
    "io-failed",
    `${path} is ${what}, where heed puts a folder as its lock: move it away`,
    { file: path, operation: "lock", systemCode: "ENOTDIR" },
  );
}

function lockedError(path: string, holder: LockOwner | null, waitedMs: number): HeedError {
  const who = holder ? `process ${holder.pid} (${holder.what}, since ${holder.since})` : "another process";
  return new HeedError(
    "locked",
    `${who} holds the store and did not finish in ${waitedMs} ms: try again, or end that process`,
    { lock: path, waitedMs, ...(holder && { holder }) },
  );
}

/** Who holds a lock, in enough detail to tell later whether that process still lives. */
interface LockOwner {
  /** Unique to this holding of the lock. */
  token: string;
  pid: number;
  /** When the process started, in the kernel's own ticks; null where the system does not tell cheaply. */
  startedAt: string | null;
  /** The machine, its boot and its process namespace: a pid means something only in the same one. */
  machine: string;
  what: string;
  /** ISO time at which the lock was taken. */
  since: string;
}

let known: { machine: string; startedAt: string | null } | undefined;

/** The owner record of this process. */
export function describeOwner(token: string, what: string): LockOwner {
  known ??= { machine: machineName(), startedAt: startTimeOf(process.pid) };
  return { token, pid: process.pid, ...known, what, since: new Date().toISOString() };
}

/** Whether no process has this id. */
export function isGone(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** `unknown` on another machine or in another namespace: only its heartbeat tells. */
function livenessOf(owner: LockOwner): "alive" | "dead" | "unknown" {
  known ??= { machine: machineName(), startedAt: startTimeOf(process.pid) };
  if (owner.machine !== known.machine) return "unknown";
  if (isGone(owner.pid)) return "dead";
  // The same pid with another start time is another process.
  if (owner.startedAt !== null && startTimeOf(owner.pid) !== owner.startedAt) return "dead";
  return owner.startedAt === null ? "unknown" : "alive";
}

function parseOwner(text: string): LockOwner | null {
  try {
    const value = JSON.parse(text) as Partial<LockOwner> | null;
    if (typeof value?.token !== "string" || typeof value.pid !== "number") return null;
    return {
      token: value.token,
      pid: value.pid,
      startedAt: value.startedAt ?? null,
      machine: String(value.machine),
      what: String(value.what),
      since: String(value.since),
    };
  } catch {
    return null;
  }
}

/** Field 22 of /proc/<pid>/stat (proc(5)): start time in ticks since boot. A zombie counts as gone. */
function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The command name in parentheses may itself hold blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "zombie" : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function machineName(): string {
  const parts = [hostname()];
  try {
    parts.push(
      readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim(),
      readlinkSync("/proc/self/ns/pid"),
    );
  } catch {
    // Not Linux: the host's name has to do.
  }
  return parts.join(" ");
}
