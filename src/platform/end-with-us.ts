import type { ChildProcess } from "node:child_process";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const children = new Set<ChildProcess>();

/**
 * Ends a child with this process, which a signal alone would leave running. Signals then do what they would
 * have done.
 */
export function endWithUs<C extends ChildProcess>(start: () => C): C {
  // Heard before it starts: it may be there for somebody else sooner than for this process.
  if (children.size === 0) for (const signal of SIGNALS) process.on(signal, onSignal);
  const child = start();
  children.add(child);
  child.once("close", () => forget(child));
  child.once("error", () => forget(child));
  return child;
}

function forget(child: ChildProcess): void {
  children.delete(child);
  if (children.size === 0) for (const signal of SIGNALS) process.off(signal, onSignal);
}

function onSignal(signal: NodeJS.Signals): void {
  for (const child of children) child.kill("SIGTERM");
  // Who else listens decides when this process ends.
  if (process.listenerCount(signal) > 1) return;
  process.off(signal, onSignal);
  process.kill(process.pid, signal);
}
