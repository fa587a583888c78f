import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { HeedError } from "../../../src/heed.ts";
import type { ScenarioResult } from "../scenario.ts";
import { inHome } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";
import type { TortureHome, WorkerEnd } from "../torture-home.ts";
import type { SeededWords } from "../seeded-words.ts";

const NOBODY = 65_534;

/** What only the system itself can refuse: a full disk, folders that may not be written, permissions that go away. */
export const refusedBySystem: Scenario = {
  name: "refused by the system",
  run: (_size, random) =>
    inHome(async (home, result) => {
      await onFullDisk(home, result);
      await withoutPermission(home, result, random);
    }),
};

/** A file system of 600 kB that is filled to the last byte. */
async function onFullDisk(home: TortureHome, result: ScenarioResult): Promise<void> {
  const place = join(home.folder, "small-disk");
  mkdirSync(place);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=600k", "tmpfs", place]).status !== 0) {
    result.skipped.push("a disk that is really full: mounting a small tmpfs is refused here");
    return;
  }
  const env = {
    HEED_DIR: join(place, "memory"),
    HEED_STATE_DIR: join(place, "state"),
    HEED_CACHE_DIR: join(place, "cache"),
  };
  const heed = home.open(env);
  const written: string[] = [];
  const write = async (number: number): Promise<string> => {
    const name = `full-${number}`;
    const body = `https://example.org/${name} ${"fills the disk with text ".repeat(300)}`;
    try {
      const draft = {
        type: "reference",
        name,
        statement: `text number ${number} of ${name}`,
        body,
        store: "user",
      } as const;
      const { outcome } = await heed.memories.write(draft, { kind: "import" });
      if (outcome === "written") written.push(name);
      return outcome;
    } catch (error) {
      if (error instanceof HeedError && /free some space/.test(error.message)) return "full";
      throw error;
    }
  };
  try {
    await heed.setup.init("user");
    let outcome = "";
    for (let number = 0; number < 400 && outcome !== "full"; number++) outcome = await write(number);
    if (outcome !== "full") result.faults.push("a full disk was not told as such");
    for (let number = 1_000; number < 1_005; number++) await write(number);
    const listed = new Set((await heed.memories.list()).map(({ name }) => name));
    for (const name of written) if (!listed.has(name)) result.losses.push(`${name} was lost on a full disk`);
    rmSync(join(place, "cache"), { recursive: true, force: true, maxRetries: 10 });
    const [first = ""] = written;
    await heed.memories.remove(first, "to have space", { kind: "person" }).catch(() => undefined);
    const { stores } = await heed.maintenance.check();
    const errors = stores.flatMap(({ problems }) => problems).filter(({ severity }) => severity === "error");
    result.faults.push(...errors.map(({ file, message }) => `after a full disk: ${file}: ${message}`));
    const left = readdirSync(place, { recursive: true })
      .map(String)
      .filter((file) => file.endsWith("/lock"));
    result.faults.push(...left.map((file) => `a lock is left on a full disk: ${file}`));
  } catch (error) {
    result.faults.push(`on a full disk: ${error instanceof Error ? (error.stack ?? "") : String(error)}`);
  } finally {
    await heed.close();
    // Lazily: an index may still be open.
    spawnSync("umount", ["-l", place]);
  }
}

/** A process without privileges, over stores that it may read but not write, then over one that it may not even read. */
async function withoutPermission(
  home: TortureHome,
  result: ScenarioResult,
  random: SeededWords,
): Promise<void> {
  if (process.getuid?.() !== 0 || spawnSync("setpriv", ["--version"]).status !== 0) {
    result.skipped.push("an unprivileged process: only root can start one, by setpriv");
    return;
  }
  const wrapper = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--"];
  const run = (mix: "write" | "read"): Promise<WorkerEnd> =>
    home.run({
      task: home.task(random, 4, { prepared: 1, mix }),
      wrapper,
      env: { GIT_CONFIG_COUNT: "1" },
    });
  chmodSync(home.folder, 0o755);
  mkdirSync(join(home.home, "cache"), { recursive: true });
  give(home.home, NOBODY);
  give(home.project, NOBODY);
  check("with all permissions", await run("write"), [], result);
  const stores = [home.userStore, join(home.project, ".heed")];
  const folders = stores.flatMap((root) => [root, ...foldersBelow(root)]);
  for (const folder of folders) chmodSync(folder, 0o555);
  check("in a folder that may only be read", await run("write"), ["io-failed"], result);
  check("reading in it", await run("read"), [], result, true);
  for (const folder of folders) chmodSync(folder, 0o755);
  const state = join(home.home, "state");
  const records = [state, ...foldersBelow(state)];
  for (const folder of records) chmodSync(folder, 0o555);
  check("with a state that may only be read", await run("write"), ["io-failed"], result);
  for (const folder of records) chmodSync(folder, 0o700);
  chmodSync(join(home.home, "cache"), 0o500);
  check("with a cache that may only be read", await run("write"), [], result);
  chmodSync(join(home.home, "cache"), 0o700);
  give(home.home, 0);
  give(home.project, 0);
}

function check(
  what: string,
  end: WorkerEnd,
  codes: readonly string[],
  result: ScenarioResult,
  isQuiet = false,
): void {
  if (end.exitCode !== 0)
    result.faults.push(`${what}: ended with ${String(end.exitCode)}: ${end.stderr.slice(0, 800)}`);
  const refused = end.reports.flatMap((report) => (report.kind === "refused" ? [report] : []));
  for (const { code, message, operation } of refused) {
    // The first memory cannot be made either where nothing may be written.
    if (!codes.includes(code) && !isQuiet) result.faults.push(`${what}: ${operation}: ${code}: ${message}`);
    if (code === "io-failed" && !/permission/.test(message))
      result.faults.push(`${what}: no remedy in "${message}"`);
  }
  if (codes.length > 0 && refused.length === 0) result.faults.push(`${what}: nothing was refused`);
}

function give(root: string, owner: number): void {
  for (const file of ["", ...readdirSync(root, { recursive: true }).map(String)]) {
    const path = join(root, file);
    if (existsSync(path) && !lstatSync(path).isSymbolicLink()) chownSync(path, owner, owner);
  }
}

function foldersBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.parentPath.includes("/.git") && entry.name !== ".git")
    .map((entry) => join(entry.parentPath, entry.name));
}
