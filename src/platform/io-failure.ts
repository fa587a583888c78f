import { HeedError } from "../errors/heed-error.ts";

/** What to do about the refusals of a file system that people meet. */
const REMEDIES: Record<string, string> = {
  EACCES: "give yourself the permission to write there",
  EPERM: "give yourself the permission to write there",
  EROFS: "the file system is mounted read-only: mount it writable or move the store with HEED_DIR",
  ENOSPC: "free some space on the disk; nothing was half-written",
  EDQUOT: "your disk quota is used up: free some space; nothing was half-written",
  ENAMETOOLONG: "choose a shorter name or a shorter directory",
  ENOTDIR: "a file is in the way of a folder: move it away",
  EISDIR: "a folder is in the way of a file: move it away",
  EMFILE: "too many files are open: try again",
  ENFILE: "too many files are open: try again",
  ENOENT: "the folder has gone: make it again with `heed init`",
};

/** The system's code of a failed call (`ENOENT`, …), or undefined. */
export function systemCode(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return typeof code === "string" ? code : undefined;
}

/** Turns what the file system refuses into HeedError `io-failed` with file, operation and remedy. */
export function withIoErrors<T>(operation: string, file: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw asIoFailure(error, operation, file);
  }
}

/** The HeedError for a refused file system call; any other error comes back as it is. */
export function asIoFailure(error: unknown, operation: string, file: string): unknown {
  const code = systemCode(error);
  if (code === undefined || error instanceof HeedError || !("syscall" in (error as object))) return error;
  const remedy = REMEDIES[code] ?? "check the disk and the permissions";
  return new HeedError(
    "io-failed",
    `cannot ${operation} ${file} (${code}): ${remedy}`,
    { file, operation, systemCode: code },
    { cause: error },
  );
}
