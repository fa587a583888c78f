import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Who holds a lock, in enough detail to tell later whether that process still lives. */
export interface LockOwner {
  /** Unique to this holding of the lock. */
  token: string;
  pid: number;
  /** When the process started, in the kernel's own ticks; null where the system does not tell cheaply. */
  startedAt: string | null;
  /** The machine, its boot and its process namespace: a pid means something only in the same one. */
  machine: string;
  /** What is being done, for people. */
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

/**
 * Whether the owner of a lock lives. `unknown` on another machine or in another namespace: only its heartbeat
 * tells.
 */
export function livenessOf(owner: LockOwner): "alive" | "dead" | "unknown" {
  known ??= { machine: machineName(), startedAt: startTimeOf(process.pid) };
  if (owner.machine !== known.machine) return "unknown";
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return "dead";
  }
  // The same pid with another start time is another process.
  if (owner.startedAt !== null && startTimeOf(owner.pid) !== owner.startedAt) return "dead";
  return owner.startedAt === null ? "unknown" : "alive";
}

/** Reads an owner record; null for anything else. */
export function parseOwner(text: string): LockOwner | null {
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
