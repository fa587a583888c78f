/**
 * Milliseconds of CPU that this process spends on a task: what tells linear work from quadratic work. A clock would also
 * count what else the machine does. Bounds on it are generous all the same, since cores share caches and clock rates.
 */
export function cpuMsOf(task: () => unknown): number {
  const before = process.cpuUsage();
  task();
  return process.cpuUsage(before).user / 1_000;
}
