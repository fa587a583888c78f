/** Trouble with a file as data: one broken file is reported and never hides the others. */
export interface Problem {
  /** Path relative to the store's root. */
  file: string;
  /** 1-based line, where it can be told. */
  line?: number;
  severity: "error" | "warning";
  /** Stable identifier, for example `no-description`. */
  code: string;
  /** What is wrong, with the value. */
  message: string;
  /** What to do about it. */
  remedy: string;
}
