import type { HeedErrorCode } from "../../../heed.ts";

/** What the exit codes of `heed` mean; stable, pinned by a test, printed by `heed help exit-codes`. */
export const EXIT = {
  /** Done; also when a search or list found nothing, and when a write waits in the inbox. */
  done: 0,
  /** Problems were found (`check`), or a write was refused. */
  refused: 1,
  /** The command line is wrong: unknown command or flag, missing or malformed argument. */
  usage: 2,
  /** There is no such memory, change, receipt or store. */
  notFound: 3,
  /** Another process writes, or the file was changed outside. Try again. */
  conflict: 4,
  /** Something outside of heed failed: git, the file system, an editor. */
  outside: 5,
  /** A bug in heed. */
  internal: 70,
} as const;

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
