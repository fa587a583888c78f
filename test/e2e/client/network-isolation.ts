import { spawnSync } from "node:child_process";

/** Brings up the loopback device of a fresh namespace, then becomes the command. */
const ENTER = ["sh", "-c", 'ip link set lo up && exec "$@"', "sh"];

/** Root may make a network namespace; others within a user namespace of their own, where the system allows that. */
const CANDIDATES = [
  ["unshare", "--net"],
  ["unshare", "--map-root-user", "--net"],
];
/** In a namespace of processes too; all that is left in it ends with the first of them. */
const OWN_PROCESSES = ["--pid", "--fork", "--kill-child", "--mount-proc"];

const found = new Map<string, readonly string[]>();

/**
 * The words to put before a command so that it reaches nothing but its own loopback device; empty where the system
 * has no such thing: there, only the environment keeps the client from the network.
 */
export function networkIsolation(): readonly string[] {
  return isolation([]);
}

/**
 * The same for a command that also sees no process above it: neither the terminal that a scenario made for it nor the
 * agent that may have started the scenarios. Empty where the system has no such thing.
 */
export function ownProcesses(): readonly string[] {
  return isolation(OWN_PROCESSES);
}

function isolation(further: readonly string[]): readonly string[] {
  const key = further.join(" ");
  const known = found.get(key);
  if (known !== undefined) return known;
  const words =
    CANDIDATES.map((candidate) => [...candidate, ...further, ...ENTER]).find(
      ([command, ...args]) =>
        spawnSync(command as string, [...args, "true"], { stdio: "ignore" }).status === 0,
    ) ?? [];
  found.set(key, words);
  return words;
}
