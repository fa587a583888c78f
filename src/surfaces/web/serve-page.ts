import { statSync } from "node:fs";
import { findPlaces, HeedError } from "../../heed.ts";
import { type ServerOptions, startServer } from "./server/start-server.ts";

export interface PageRequest extends Omit<ServerOptions, "idleMs"> {
  /** Told once the page is served, and each time that another address is made. */
  onServed: (served: { address: string; port: number }) => void;
}

/** A window that is only left open asks nothing. */
const IDLE_MS = 4 * 3_600_000;

/** Serves the page until idle or a signal; resolves to why it ended. Enter asks for another address: each is good once. */
export async function servePage(request: PageRequest): Promise<"idle" | "closed"> {
  requireOwnState(request.env);
  const server = await startServer({ ...request, idleMs: IDLE_MS });
  const announce = (): void => request.onServed({ address: server.newAddress(), port: server.port });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => server.close());
  announce();
  if (process.stdin.isTTY) process.stdin.on("data", announce);
  const why = await server.ended;
  process.stdin.pause();
  return why;
}

/** The page acts as the user whose memories these are: no other one, least of all root, may serve it. */
function requireOwnState(env: PageRequest["env"]): void {
  const { state } = findPlaces(env);
  const owner = statSync(state, { throwIfNoEntry: false })?.uid;
  const self = process.getuid?.();
  if (owner === undefined || self === undefined || owner === self) return;
  throw new HeedError(
    "io-failed",
    `${state} belongs to another user (uid ${owner}): heed ui serves your own memories alone. Run it as that user, without sudo.`,
    { operation: "serve", file: state },
  );
}
