import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./statistics.ts";

/** What a whole process cost. */
export interface ProcessCost {
  /** User and system time in milliseconds, from the process's own account at its exit. */
  cpuMs: number;
  wallMs: number;
}

/** A command to time; all are run by the same Node. */
export interface TimedCommand {
  name: string;
  args: readonly string[];
  input?: string;
  env?: Readonly<Record<string, string>>;
}

/**
 * Times commands in turns (a, b, a, b, …), so that a noisy machine hits all alike, and returns the medians by name.
 * CPU time is written by a preloaded script at exit: it counts Node's own start, and the script costs all the same.
 */
export function timeCommands(commands: readonly TimedCommand[], rounds: number): Map<string, ProcessCost> {
  const folder = mkdtempSync(join(tmpdir(), "heed-bench-"));
  const report = join(folder, "cpu");
  const preload = join(folder, "preload.cjs");
  writeFileSync(
    preload,
    `process.on("exit", () => { const c = process.cpuUsage(); require("node:fs").writeFileSync(${JSON.stringify(report)}, String((c.user + c.system) / 1000)); });`,
  );
  const costs = new Map<string, ProcessCost[]>(commands.map(({ name }) => [name, []]));
  const { NODE_EXTRA_CA_CERTS: _, ...cleanEnv } = process.env;
  try {
    for (let round = -1; round < rounds; round++) {
      for (const { name, args, input, env } of commands) {
        const startedAt = performance.now();
        const result = spawnSync(process.execPath, ["--require", preload, ...args], {
          input: input ?? "",
          env: { ...cleanEnv, ...env },
          encoding: "utf8",
          timeout: 60_000,
        });
        const wallMs = performance.now() - startedAt;
        if (result.status !== 0)
          throw new Error(`${name} ended with ${result.status}: ${result.stderr.slice(0, 500)}`);
        // The first round warms the file cache and does not count.
        if (round >= 0) costs.get(name)?.push({ cpuMs: Number(readFileSync(report, "utf8")), wallMs });
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return new Map(
    [...costs].map(([name, list]) => [
      name,
      { cpuMs: median(list.map((cost) => cost.cpuMs)), wallMs: median(list.map((cost) => cost.wallMs)) },
    ]),
  );
}
