import { spawnSync } from "node:child_process";

/** Brings up the loopback device of a fresh namespace, then becomes the command. */
const ENTER = ["sh", "-c", 'ip link set lo up && exec "$@"', "sh"];

/** Root may make a network namespace; others within a user namespace of their own, where the system allows that. */
const CANDIDATES = [
  ["unshare", "--net"],
  ["unshare", "--map-root-user", "--net"],
];

let found: readonly string[] | undefined;

/**
 * The words to put before a command so that it reaches nothing but its own loopback device; empty where the system
 * has no such thing: there, only the environment keeps the client from the network.
 */
export function networkIsolation(): readonly string[] {
  found ??=
    CANDIDATES.map((candidate) => [...candidate, ...ENTER]).find(
      ([command, ...args]) =>
        spawnSync(command as string, [...args, "true"], { stdio: "ignore" }).status === 0,
    ) ?? [];
  return found;
}
