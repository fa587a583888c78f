import type { HeedErrorCode } from "../../../heed.ts";

/** The exit codes of `heed`; stable, pinned by a test. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  notFound: 3,
  conflict: 4,
  outside: 5,
  internal: 70,
} as const;

/** What each of them means, as `heed help exit-codes` says it. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "done; also when nothing was found, and when a write waits in the inbox",
  refused: "problems were found (check), a case failed (test), or a write was refused",
  usage: "the command line is wrong: unknown command or flag, missing or malformed argument, ambiguous name",
  notFound: "there is no such memory, change, receipt or store",
  conflict: "another process writes, or the file was changed outside: try again",
  outside: "something outside of heed failed: git, the file system, an editor",
  internal: "a bug in heed; HEED_DEBUG=1 shows the stack",
};

/** One of the documented exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of each error code. */
export const EXIT_OF_ERROR: Readonly<Record<HeedErrorCode, ExitCode>> = {
  "invalid-input": EXIT.usage,
  ambiguous: EXIT.usage,
  "not-found": EXIT.notFound,
  "no-store": EXIT.notFound,
  "gate-refused": EXIT.refused,
  "read-only": EXIT.refused,
  "broken-file": EXIT.refused,
  conflict: EXIT.refused,
  "changed-outside": EXIT.conflict,
  locked: EXIT.conflict,
  "git-failed": EXIT.outside,
  "io-failed": EXIT.outside,
  "download-failed": EXIT.outside,
};
