import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system in memory, where Linux has one: tests make many small files, and waiting for a disk shows nothing. */
const IN_MEMORY = "/dev/shm";

/** Several times what a whole run of the tests keeps at once. */
const NEEDED_BYTES = 2 * 1024 ** 3;

/** Makes the folder in which this run's temporary folders are, as TMPDIR for its processes; removes it at the end. */
export default function setUp(): () => void {
  const folder = folderIn(IN_MEMORY) ?? mkdtempSync(join(tmpdir(), "heed-tests-"));
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  return () => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
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
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  return undefined;
}
