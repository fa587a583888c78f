import { spawnSync } from "node:child_process";
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** A file system in memory, where Linux has one: tests make many small files, and waiting for a disk shows nothing. */
const IN_MEMORY = "/dev/shm";

/** Several times what a whole run of the tests keeps at once. */
const NEEDED_BYTES = 2 * 1024 ** 3;

const HEED = resolve(import.meta.dirname, "../plugin/dist/heed.cjs");

/**
 * Makes the folder in which this run's temporary folders are, as TMPDIR for its processes, and the compiled code that
 * its homes share (`shareCompiledCode`); removes it at the end.
 */
export default function setUp(): () => void {
  const folder = folderIn(IN_MEMORY) ?? mkdtempSync(join(tmpdir(), "heed-tests-"));
  // An unprivileged process has to reach what a test made for it.
  chmodSync(folder, 0o711);
  process.env["TMPDIR"] = folder;
  process.env["HEED_TEST_CODE"] = compileIn(join(folder, "compiled"));
  return () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    } catch (error) {
      // A process in the background that still ends its work: the folder is in memory or temporary.
      console.error(`tests: ${folder} is left behind: ${String(error)}`);
    }
  };
}

/** Runs each of heed's programs once, in a home of its own; gives the folder in which that keeps compiled code. */
function compileIn(home: string): string {
  const env = { PATH: process.env["PATH"], HOME: home, HEED_CACHE_DIR: join(home, "cache") };
  mkdirSync(join(home, "cache", "code"), { recursive: true, mode: 0o700 });
  for (const words of [["hook"], ["mcp"], ["search", "x"], ["list"]])
    spawnSync(process.execPath, [HEED, ...words], { cwd: home, env, input: "" });
  return join(home, "cache", "code");
}

/** A new folder there; undefined where the place is missing, read-only or nearly full, or runs no programs. */
function folderIn(place: string): string | undefined {
  let folder: string | undefined;
  try {
    accessSync(place, constants.W_OK);
    const { bavail, bsize } = statfsSync(place);
    if (bavail * bsize < NEEDED_BYTES) return undefined;
    folder = mkdtempSync(join(place, "heed-tests-"));
    const program = join(folder, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 });
    if (spawnSync(program).status === 0) return folder;
  } catch {
    // A place like any other without it.
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  return undefined;
}
